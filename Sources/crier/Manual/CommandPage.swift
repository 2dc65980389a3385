extension ManualPage {
    /// The page of a command, such as `crier-fetch(1)`, with all that stands under it.
    init(of command: CommandDescription) {
        self.init("crier-\(command.commandName)", section: 1, summary: command.summary)
        let usage = "crier \(command.commandName)"
        let subcommands = command.subcommands ?? []
        heading("SYNOPSIS")
        if subcommands.isEmpty { synopsis(usage, command.usage) }
        for subcommand in subcommands {
            let name = Roff.bold(subcommand.commandName)
            let isDefault = subcommand.commandName == command.defaultSubcommand
            synopsis(usage, [isDefault ? "[\(name)]" : name] + subcommand.usage)
        }
        heading("DESCRIPTION")
        paragraph(command.abstract)
        discussion(command)
        if subcommands.isEmpty {
            arguments(command.shownArguments)
        } else {
            commands(subcommands, of: usage)
        }
        heading("EXIT STATUS")
        if let words = Discussion(command.discussion).exitStatus { paragraph(words) }
        for subcommand in subcommands {
            guard let words = Discussion(subcommand.discussion).exitStatus else { continue }
            paragraph("`\(usage) \(subcommand.commandName)`: \(words)")
        }
        paragraph("`crier(1)` tells what all statuses mean.")
        heading("SEE ALSO")
        paragraph("`crier(1)`, `crier.yaml(5)`")
    }

    mutating func discussion(_ command: CommandDescription) {
        for block in Discussion(command.discussion).blocks {
            switch block {
            case .paragraph(let text): paragraph(text)
            case .example(let lines): example(lines)
            }
        }
    }

    /// Those that stand on the command line by their place, and the others, some under a title of their own.
    mutating func arguments(_ arguments: [CommandDescription.Argument]) {
        let positional = arguments.filter { $0.kind == .positional }
        if !positional.isEmpty { heading("ARGUMENTS") }
        entries(positional)
        heading("OPTIONS")
        let options = arguments.filter { $0.kind != .positional }
        entries(options.filter { $0.sectionTitle == nil })
        var titles: [String] = []
        for case let title? in options.map(\.sectionTitle) where !titles.contains(title) { titles.append(title) }
        for title in titles {
            subheading(title)
            entries(options.filter { $0.sectionTitle == title })
        }
    }

    /// What all subcommands take comes once, below them.
    private mutating func commands(_ subcommands: [CommandDescription], of usage: String) {
        let first = subcommands[0].shownArguments
        let shared = first.filter { argument in subcommands.allSatisfy { $0.shownArguments.contains(argument) } }
        heading("COMMANDS")
        for subcommand in subcommands {
            subheading("\(usage) \(subcommand.commandName)")
            paragraph(subcommand.abstract)
            discussion(subcommand)
            entries(subcommand.shownArguments.filter { !shared.contains($0) })
        }
        self.arguments(shared)
    }

    private mutating func entries(_ arguments: [CommandDescription.Argument]) {
        for argument in arguments { entry(argument.term, argument.words) }
    }
}

/// The longer text of a command's help, in which lines that are set in stay as they are.
struct Discussion {
    enum Block {
        case paragraph(String)
        case example([Substring])
    }

    private(set) var blocks: [Block] = []
    /// What the command's exit statuses say.
    private(set) var exitStatus: String?

    init(_ text: String?) {
        for line in (text ?? "").split(separator: "\n") {
            if line.hasPrefix("  ") {
                append(example: line.dropFirst(2))
            } else if let label = line.firstRange(of: "Exit status: ") {
                let before = line[..<label.lowerBound]
                if !before.isEmpty { blocks.append(.paragraph(String(before))) }
                exitStatus = String(line[label.upperBound...])
            } else if !line.hasPrefix("Files: ") {
                // These have a section of `crier(1)`.
                blocks.append(.paragraph(String(line)))
            }
        }
    }

    private mutating func append(example line: Substring) {
        if case .example(let lines) = blocks.last {
            blocks[blocks.count - 1] = .example(lines + [line])
        } else {
            blocks.append(.example([line]))
        }
    }
}
