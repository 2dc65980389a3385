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

    let commandName: String
    let abstract: String
    let discussion: String?
    let defaultSubcommand: String?
    let subcommands: [CommandDescription]?
    let arguments: [Argument]?

    /// The whole tree.
    static func ofCrier() throws -> CommandDescription {
        struct Tool: Decodable {
            let command: CommandDescription
        }
        return try JSONDecoder().decode(Tool.self, from: Data(Crier._dumpHelp().utf8)).command
    }

    var shownArguments: [Argument] { (arguments ?? []).filter(\.shouldDisplay) }

    /// The parts of the synopsis behind the command's name. Flags one of which there must be are a choice.
    var usage: [String] {
        let written = shownArguments.filter { !["--version", "--help"].contains($0.names?.last?.text) }
        let choice = written.filter { $0.kind == .flag && !$0.isOptional }
        let options = written.filter { $0.kind != .positional && !choice.contains($0) }
        return (choice.isEmpty ? [] : [choice.map(\.usage).joined(separator: " | ")]) + options.map(\.usage)
            + written.filter { $0.kind == .positional }.map(\.usage)
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
