import ArgumentParser
import Foundation

/// A command as its help describes it: what ArgumentParser tells of it to programs.
struct CommandDescription: Decodable {
    struct Argument: Decodable, Equatable {
        enum Kind: String, Decodable {
            case positional, option, flag
        }

        struct Name: Decodable, Equatable {
            let kind: String
            let name: String

            var text: String { (kind == "long" ? "--" : "-") + name }
        }

        let kind: Kind
        let shouldDisplay: Bool
        let sectionTitle: String?
        let isOptional: Bool
        let isRepeating: Bool
        let names: [Name]?
        let valueName: String?
        let defaultValue: String?
        let allValues: [String]?
        let abstract: String?
    }

    let superCommands: [String]?
    let commandName: String
    let abstract: String
    let discussion: String?
    let defaultSubcommand: String?
    let subcommands: [CommandDescription]?
    let arguments: [Argument]?

    /// The whole tree.
    static func ofCrier() throws -> CommandDescription { try CommandDescription(of: Crier.self) }

    /// A command by itself, with all that stands under it.
    init(of command: any ParsableCommand.Type) throws {
        struct Tool: Decodable {
            let command: CommandDescription
        }
        self = try JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8)).command
    }

    var shownArguments: [Argument] { (arguments ?? []).filter(\.shouldDisplay) }

    /// The parts of the synopsis behind the command's name: what the command says itself, else all of its arguments.
    var usage: [String] {
        if let ownUsage { return [Roff.usage(ownUsage)] }
        let written = shownArguments.filter { !["--version", "--help"].contains($0.names?.last?.text) }
        return written.filter { $0.kind != .positional }.map(\.usage)
            + written.filter { $0.kind == .positional }.map(\.usage)
    }

    /// Without the command's name. The description for programs lacks it.
    private var ownUsage: Substring? {
        let path = (superCommands ?? []) + [commandName]
        var command: any ParsableCommand.Type = Crier.self
        for name in path.dropFirst() {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == name }) else {
                return nil
            }
            command = next
        }
        return command.configuration.usage?.dropFirst(path.joined(separator: " ").count + 1)
    }

    /// The abstract as manual pages have it in their first line.
    var summary: String {
        abstract.prefix(1).lowercased() + abstract.dropFirst().dropLast(abstract.hasSuffix(".") ? 1 : 0)
    }
}

extension CommandDescription.Argument {
    /// Its names, or that of its value.
    var term: String {
        let value = valueName.map(Roff.italic) ?? ""
        let names = (names ?? []).map { Roff.bold($0.text) }.joined(separator: ", ")
        switch kind {
        case .positional: return isRepeating ? "\(value) ..." : value
        case .option: return "\(names) \(value)"
        case .flag: return names
        }
    }

    /// As it stands in the synopsis.
    var usage: String {
        let value = valueName.map(Roff.italic) ?? ""
        let name = Roff.bold(names?.last?.text ?? "")
        let word =
            switch kind {
            case .positional: term
            case .option: "\(name) \(value)"
            case .flag: name
            }
        return (isOptional ? "[\(word)]" : word) + (isRepeating && kind != .positional ? "..." : "")
    }

    /// What it does, the values it takes where the text does not name them, and which one it has by itself.
    var words: String {
        let text = abstract ?? ""
        var words = [text]
        if let allValues, !allValues.allSatisfy(text.contains) {
            words.append("One of \(allValues.map { "`\($0)`" }.joined(separator: ", ")).")
        }
        if let defaultValue { words.append("Default: `\(defaultValue)`.") }
        return words.joined(separator: " ")
    }
}
