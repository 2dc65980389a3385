import ArgumentParser
import CrierAgent
import CrierFetch
import CrierHTTP

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the sources of the configuration.",
        discussion: "Exit status: 78 where the configuration is wrong, and sources with a mistake are not listed.")

    @OptionGroup var options: GlobalOptions

    @Option(help: "text or json.")
    var format: OutputFormat = .text

    func run() async throws {
        let (configuration, problems) = try options.loadConfiguration()
        list(configuration, hasMistakes: !problems.isEmpty)
        if !problems.isEmpty { throw ExitStatus.badConfiguration }
    }

    /// - Parameter hasMistakes: Whether there may be sources that have been left out.
    private func list(_ configuration: Configuration, hasMistakes: Bool) {
        let all = configuration.sources.map { ($0, true) } + configuration.disabledSources.map { ($0, false) }
        if format == .json {
            for (source, isEnabled) in all { JSONLine.write(ListedSource(source, isEnabled: isEnabled)) }
            return
        }
        if all.isEmpty {
            return Terminal.line(
                hasMistakes
                    ? "No source without a mistake; `crier check` tells the mistakes."
                    : "No sources. `crier add URL` adds one.")
        }
        var table = Table(["SOURCE", "EVERY", "NOTIFY", "TO", "ADDRESS"])
        for (source, isEnabled) in all {
            table.add([
                source.name.shown, source.every.words, isEnabled ? source.notify.rawValue : "disabled",
                source.sinks.map(\.shown).joined(separator: " "), source.address.words.shown,
            ])
        }
        for line in table.lines { Terminal.line(line) }
    }
}

extension SourceAddress {
    var words: String {
        switch self {
        case .url(let url): URLCredentials.removed(from: url)
        // Arguments may hold what only the program is to know.
        case .command(let command): (command.first ?? "") + (command.count > 1 ? " …" : "")
        }
    }
}

private struct ListedSource: Encodable {
    let type = "source"
    let source: String
    @Nullable var url: String?
    /// The program without its arguments, which may hold secrets.
    @Nullable var command: String?
    let enabled: Bool
    /// Seconds.
    let every: Int
    let notify: String
    let to: [String]
    let tags: [String]

    init(_ source: Source, isEnabled: Bool) {
        self.source = source.name
        if case .url(let url) = source.address { self.url = URLCredentials.removed(from: url) } else { url = nil }
        if case .command(let command) = source.address { self.command = command.first } else { command = nil }
        enabled = isEnabled
        every = Int(source.every.components.seconds)
        notify = source.notify.rawValue
        to = source.sinks
        tags = source.tags
    }
}
