import ArgumentParser
import CrierAgent
import CrierNotifications

/// The names of commands on a command line. ArgumentParser shows the overview to whoever asks for help on a command that there is
/// not, as if all were well, and calls a slip in the name of one an unexpected argument.
enum CommandNames {
    /// - Throws: ``ValidationError`` for the first name that is no command's, where it can be nothing else.
    static func check(_ arguments: ArraySlice<String>) throws {
        var words = arguments
        let asksForHelp = words.first == "help"
        if asksForHelp { words.removeFirst() } else { words = words.prefix(1) }
        var command: any ParsableCommand.Type = Crier.self
        for word in words where !word.hasPrefix("-") {
            let commands = command.configuration.subcommands
            guard let next = commands.first(where: { $0._commandName == word }) else {
                if word == "help", command == Crier.self { return }
                let place = command == Crier.self ? "" : " of `crier \(command._commandName)`"
                let guess = nearest(to: word, among: commands.map { $0._commandName })
                let suggestion = guess.map { "; did you mean `\($0)`?" } ?? ""
                throw ValidationError("there is no command “\(word.shown)”\(place)\(suggestion)")
            }
            command = next
        }
    }
}
