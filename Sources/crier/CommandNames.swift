import ArgumentParser
import CrierAgent
import CrierNotifications

/// The names of commands on a command line. ArgumentParser shows the overview to whoever asks for help on a command that there is
/// not, as if all were well, and calls a slip in the name of one an unexpected argument.
enum CommandNames {
    /// - Throws: `ValidationError` for the first name that is no command's, where it can be nothing else: what follows the last
    ///   command is its own, as is what follows one that stands for another where that is not named.
    static func check(_ arguments: ArraySlice<String>) throws {
        var command: any ParsableCommand.Type = Crier.self
        var path = "crier"
        for word in arguments.first == help ? arguments.dropFirst() : arguments {
            let isFirst = command == Crier.self
            let configuration = command.configuration
            let commands = configuration.subcommands
            guard !commands.isEmpty, configuration.defaultSubcommand == nil, !word.hasPrefix("-") else { return }
            guard let next = commands.first(where: { $0._commandName == word }) else {
                if isFirst, word == help { return }
                let names = commands.map { $0._commandName } + (isFirst ? [help] : [])
                let suggestion = nearest(to: word, among: names).map { "; did you mean `\(path) \($0)`?" } ?? ""
                throw ValidationError("there is no command `\(path) \(word.shown)`\(suggestion)")
            }
            command = next
            path += " \(word)"
        }
    }

    private static let help = "help"
}
