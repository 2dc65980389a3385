import ArgumentParser
import CrierAgent
import CrierContent
import CrierDelivery
import CrierFetch
import CrierHTTP
import CrierNotifications
import CrierStore
import Foundation

struct Try: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Fetch a URL or a source once and show its items, and whether and why each would notify.",
        discussion: """
            The request is unconditional and nothing is remembered or raised. For a source of the configuration, what is \
            known of it counts, and what you have authorized; for a URL everything is new. Mapping options read a JSON, HTML or XML address:
              crier try https://api.example.org/posts --items '.posts[]' \\
                --field title=.name --field url=.link

            --format json prints one object per item, with "notifies" and "reason".
            Who is known to want to be left alone (Retry-After, 429 of a public host) is not asked, also where a redirect leads there.
            Exit status: 69 when the fetch failed, or must not be made now.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup(title: "How to read the document of a URL") var mapping: MappingOptions

    @Argument(help: "A URL or the name of a source.", completion: .everySource)
    var target: String

    @Option(
        name: .customLong("header"),
        help: ArgumentHelp(
            "An HTTP field to send to the URL; may be repeated. Secrets belong in the configuration.",
            valueName: "name: value"))
    var headers: [String] = []

    @Option(name: .customLong("format"), help: "How to print: text or json.")
    var output: OutputFormat = .text

    private var isAddress: Bool { target.contains("://") }

    /// Whether it is more likely an address without its beginning than the name of a source.
    private var isLikeAddress: Bool { target.contains { "./@".contains($0) } }

    func validate() throws {
        _ = try fields()
        if isAddress { return }
        if !headers.isEmpty || mapping.isGiven {
            throw ValidationError(
                "--header and the mapping are for URLs; a source has its own in the configuration. "
                    + "A URL begins with https://, http:// or file:///")
        }
    }

    func run() async throws {
        let (source, store) = try sourceAndStore()
        let state = isAddress ? nil : try storeErrors { try store.state(of: source.name) }
        let (transport, refusals) = try options.considerateTransport()
        try refusals?.obey(for: source, called: target, remembered: state)
        let fetcher = ContentFetcher(
            store: store, transport: transport, clock: SystemClock(), userAgent: CrierVersion.userAgent)
        let report = try await interruptible { try await fetcher.fetch(source, purpose: .trial) }
        for remark in report.remarks { Terminal.note(remark.shown) }
        if let failure = report.failure {
            throw self.failure(failure)
        }
        let verdicts = report.verdicts(
            for: source, authorization: try storeErrors { try store.notificationSettings().authorizationStatus })
        if let complaint = report.content.flatMap({ mapping.complaint(of: $0.format) }) { Terminal.note(complaint) }
        for remark in source.mapping.emptyFields(report.content?.items ?? []) { Terminal.note(remark.shown) }
        if output == .json {
            for verdict in verdicts { JSONLine.write(TriedItem(verdict)) }
        } else {
            show(report, verdicts)
        }
    }

    private func failure(_ failure: FetchFailure) -> ExitCode {
        crier.failure("\(failure.stage.rawValue) failed: \(failure.cause.shown)", ExitStatus.unavailable)
    }

    /// A URL has no memory: its store lives as long as this command.
    private func sourceAndStore() throws -> (Source, Store) {
        if isAddress {
            try checkRequest()
            let source = Source(
                name: "try", address: .url(target), request: SourceRequest(fields: try fields()),
                mapping: try mapping.mapping(), sinks: [])
            return (source, try storeErrors { try Store.inMemory() })
        }
        if isLikeAddress, access(try options.configPath(), F_OK) != 0, errno == ENOENT { throw noSource() }
        let (configuration, problems) = try options.loadConfiguration()
        let known = (configuration.sources + configuration.disabledSources).map(\.name)
        if isLikeAddress, !(known + problems.compactMap(\.source)).contains(target) { throw noSource() }
        guard let source = try chosenSources([target], of: configuration, problems: problems).first else {
            throw ExitStatus.usage
        }
        return (source, try options.foreseenStore(of: configuration) ?? storeErrors { try Store.inMemory() })
    }

    private func noSource() -> ExitCode {
        let shown = URLCredentials.removed(fromNoURL: target)
        let what = shown == target ? "no source is called \(shown.shown)" : "there is no such source"
        return crier.failure("\(what); an address begins with https://, http:// or file:///", ExitStatus.usage)
    }

    /// What the configuration would not take of a source is wrong here, too. In JSON, which is YAML with escapes for what no YAML
    /// may hold: the name of a field may be anything.
    private func checkRequest() throws {
        var source: [String: Any] = ["url": target]
        if !headers.isEmpty { source["headers"] = Dictionary(try pairs()) { _, last in last } }
        let text = try JSONSerialization.data(
            withJSONObject: ["sources": ["try": source]], options: [.sortedKeys, .withoutEscapingSlashes])
        let bytes = JSONWriter.harmless(text)
        guard let problem = Configuration.load(bytes: bytes, file: "").problems.first else { return }
        let isOfHeader = problem.path.hasPrefix("sources.try.headers")
        let subject = isOfHeader ? "--header" : "“\(URLCredentials.removed(fromNoURL: target).shown)”"
        throw crier.failure("\(subject): \(problem.words.shown)", ExitStatus.usage)
    }

    private func fields() throws -> [SourceRequest.Field] {
        try pairs().map { name, value in SourceRequest.Field(name, .plain(value)) }
    }

    private func pairs() throws -> [(String, String)] {
        try headers.map { text in
            let parts = text.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2 else { throw ValidationError("--header takes “NAME: VALUE”") }
            return (parts[0], parts[1])
        }
    }

    private func show(_ report: FetchReport, _ verdicts: [ItemVerdict]) {
        guard let content = report.content else { return }
        let title = content.title.map { " “\($0.shown)”" } ?? ""
        Terminal.line(
            Terminal.bold(
                "\(content.format.rawValue)\(title), \(content.items.count) item\(content.items.count == 1 ? "" : "s")")
        )
        for verdict in verdicts {
            let date = verdict.item.date.map { RelativeTime.absolute($0) } ?? "no date"
            Terminal.line("\(verdict.notifies ? "●" : "○") \((verdict.item.title ?? "(no title)").shown)")
            Terminal.line("    \(date)  \((verdict.item.url ?? "no URL").shown)")
            Terminal.line(
                Terminal.faint(
                    "    \(verdict.notifies ? "would notify" : "would not notify: ")\(verdict.notifies ? " " : "")\(verdict.reason.shown)"
                ))
        }
    }
}

extension ContentMapping {
    /// What the mapping looks for and no item has: often a slip in the expression.
    func emptyFields(_ items: [ContentItem]) -> [String] {
        ContentField.allCases.compactMap { field in
            guard let expression = fields[field], !items.isEmpty, items.allSatisfy({ $0.lacks(field) })
            else { return nil }
            return "field \(field.rawValue): `\(expression)` gives nothing in any item"
        }
    }
}

extension ContentItem {
    fileprivate func lacks(_ field: ContentField) -> Bool {
        switch field {
        case .id: declaredIdentifier == nil
        case .title: title == nil
        case .url: url == nil
        case .published: published == nil
        case .updated: updated == nil
        case .summary: summary == nil
        case .author: authors.isEmpty
        case .attachment: attachments.isEmpty
        case .category: categories.isEmpty
        }
    }
}

/// One line of `try --format json`.
private struct TriedItem: Encodable {
    let type = "item"
    let item: ItemDocument
    let notifies: Bool
    let reason: String

    init(_ verdict: ItemVerdict) {
        item = ItemDocument(verdict.item)
        notifies = verdict.notifies
        reason = verdict.reason
    }

    private enum Keys: String, CodingKey {
        case type, notifies, reason
    }

    func encode(to encoder: any Encoder) throws {
        try item.encode(to: encoder)
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(type, forKey: .type)
        try container.encode(notifies, forKey: .notifies)
        try container.encode(reason, forKey: .reason)
    }
}
