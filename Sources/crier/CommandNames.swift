import ArgumentParser
import CrierAgent
import CrierNotifications

/// What a command line names and there is not. ArgumentParser shows the overview to whoever asks for help on a command that there is
/// not, as if all were well, calls a slip in the name of one an unexpected argument, and misses an argument before it sees an option
/// that there is not.
enum CommandNames {
    /// - Throws: An exit code, for the first name that is no command's, where it can be nothing else: what follows the last command is
    ///   its own, as is what follows one that stands for another that takes arguments.
    static func check(_ arguments: ArraySlice<String>) throws {
        if let first = arguments.first, isOption(first) {
            return try checkPlace(of: first, before: arguments.dropFirst())
        }
        var command: any ParsableCommand.Type = Crier.self
        var path = "crier"
        let asksForHelp = arguments.first == help
        var words = asksForHelp ? arguments.dropFirst() : arguments
        while let word = words.first, !word.hasPrefix("-") {
            let commands = command.configuration.subcommands
            if commands.isEmpty { break }
            guard let next = commands.first(where: { $0._commandName == word }) else {
                let isFirst = command == Crier.self
                if isFirst, word == help { return }
                if let meant = command.configuration.defaultSubcommand,
                    try CommandDescription(of: meant).shownArguments.contains(where: { $0.kind == .positional })
                {
                    break
                }
                let names = commands.map { $0._commandName } + (isFirst ? [help] : [])
                let suggestion = nearest(to: word, among: names).map { "; did you mean `\(path) \($0)`?" } ?? ""
                throw wrongUsage("there is no command `\(path) \(word.shown)`\(suggestion)", of: command, path)
            }
            command = next
            path += " \(word)"
            words = words.dropFirst()
        }
        guard !asksForHelp, command.configuration.subcommands.isEmpty else { return }
        try checkOptions(words, of: command, path, in: arguments)
    }

    private static let help = "help"

    /// Other programs have what holds for all their commands before them.
    private static func checkPlace(of first: String, before words: ArraySlice<String>) throws {
        let name = first.prefix { $0 != "=" }
        let asksForMore = words.contains { ["-h", "--help", "--version"].contains($0) }
        guard GlobalOptions.names.contains(String(name)), !asksForMore else { return }
        var commands = Crier.configuration.subcommands
        var path = "crier"
        for word in first == name ? words.dropFirst() : words {
            guard let next = commands.first(where: { $0._commandName == word }) else { break }
            path += " \(word)"
            commands = next.configuration.subcommands
        }
        if path == "crier" { path += " COMMAND" }
        throw wrongUsage("\(name) stands behind the command: `\(path) \(name) …`", of: Crier.self, "crier")
    }

    /// A negative number is such an option, too, also where it is the value of one: then ArgumentParser misses that.
    private static func checkOptions(
        _ words: ArraySlice<String>, of command: any ParsableCommand.Type, _ path: String,
        in arguments: ArraySlice<String>
    ) throws {
        // What has no value behind it leaves the argument out. Nearly every command line ends here: to parse it twice takes long.
        guard zip(words, words.dropFirst() + ["--"]).contains(where: { isOption($0) && isOption($1) }) else { return }
        do { _ = try Crier.parseAsRoot(Array(arguments)) } catch {
            let message = Crier.message(for: error)
            if message.hasPrefix("Missing value") { try checkNegativeValue(of: command, path, in: arguments) }
            guard message.hasPrefix("Missing expected argument") else { return }
            let names = try CommandDescription(of: command).arguments?.flatMap { $0.names ?? [] }.map(\.text) ?? []
            let options = words.prefix { $0 != "--" }.filter(isOption).map { $0.prefix { $0 != "=" } }
            guard let option = options.first(where: { !names.contains(String($0)) }) else { return }
            throw wrongUsage("Unknown option '\(String(option).shown)'", of: command, path)
        }
    }

    /// What is wrong with it is told once it cannot be taken for an option.
    private static func checkNegativeValue(
        of command: any ParsableCommand.Type, _ path: String, in arguments: ArraySlice<String>
    ) throws {
        var words = Array(arguments)
        let values = words.indices.dropFirst().filter { words[$0 - 1].hasPrefix("--") }
        guard let value = values.first(where: { words[$0].contains(/^-[0-9]/) }) else { return }
        words[value - 1] += "=\(words.remove(at: value))"
        _ = try Crier.parseAsRoot(words)
        throw wrongUsage("a value with a minus stands behind a =: `\(words[value - 1].shown)`", of: command, path)
    }

    private static func isOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }

    /// As ArgumentParser would tell it, with the usage of the command.
    private static func wrongUsage(
        _ sentence: String, of command: any ParsableCommand.Type, _ path: String
    ) -> ExitCode {
        Terminal.note(
            "Error: \(sentence)\nUsage: \(Crier.usageString(for: command))\n  See '\(path) --help' for more information."
        )
        return ExitStatus.usage
    }
}
