import ArgumentParser
import CrierAgent
import CrierContent
import CrierFetch
import CrierHTTP
import CrierNotifications
import Foundation

struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Follow a feed, a page that names one, or a content API.",
        discussion: """
            The address is visited once, to find the feed behind a page and to name the source; the source is written to the \
            end of the configuration, and everything else in the file stays as it is.

            A JSON, HTML or XML document needs to be told what its items are, in jq or XPath:
              crier add https://api.example.org/posts --items '.posts[]' \\
                --field title=.name --field url=.link --notify daily
              crier add https://example.org/news.html --items '//article' \\
                --field title=h2 --field url=h2/a/@href

            `crier try` takes the same mapping and shows what it yields. Secrets, headers and all else are written by hand: \
            `man 5 crier.yaml` and README tell every key.
            Exit status: 64 when an option is wrong, 66 when the configuration cannot be read, 69 when nothing to follow was \
            found, 74 when it cannot be written, 78 when it has to be edited by hand.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup(title: "How to read the document") var mapping: MappingOptions
    @OptionGroup(title: "What the source does") var settings: SettingOptions

    @Argument(help: "An http, https or file URL.")
    var url: String

    @Option(help: "The name of the source; made from its title where not given.")
    var name: String?

    @Flag(help: "Write it down without visiting it; needs --name.")
    var noVisit = false

    func validate() throws {
        if noVisit, name == nil { throw ValidationError("--no-visit needs --name") }
        if noVisit, mapping.isMapped, try mapping.format() == nil {
            throw ValidationError("--no-visit with --items or --field needs --read json, html or xml")
        }
        if let name, !OptionSections.isName(name) {
            throw ValidationError("a name has \(OptionSections.nameRule), not “\(name.shown)”")
        }
    }

    func run() async throws {
        let file = try ConfigurationText(options.configPath())
        let taken = try file.names()
        if let name, taken.contains(name) {
            throw failure("there is already a source \(name.shown)", ExitStatus.usage)
        }
        let address = try self.address()
        try checkSettings(at: address)
        // Before its origin is asked.
        try checkIsNew(address, leadingTo: [address], in: file)
        let discovery = noVisit ? nil : try await discover(address)
        let found = discovery?.url ?? address
        let shown = URLCredentials.removed(from: found).shown
        try checkIsNew(found, leadingTo: [found, discovery?.finalURL ?? found], in: file)
        if let discovery { try checkFindsItems(discovery) }
        var numbers: [String: Int] = [:]
        let title = discovery?.content.title
        let name = self.name ?? SourceName.free(title: title, address: address, taken: taken, after: &numbers)
        let format = try mapping.format() ?? (mapping.isMapped ? discovery?.content.format : nil)
        let entry = SourceEntry(name, try written(url: found, format: format))
        try options.startAfresh([found, discovery?.finalURL ?? found], beside: taken)
        try file.edit(isUsage: true) { editor throws(ConfigurationEditError) in try editor.adding([entry]) }
        Terminal.line("Added \(name): \(shown)")
        if URLCredentials.havePassword(in: found) { Terminal.note("url: \(Configuration.passwordRemark)") }
        if let discovery { try tell(discovery) }
        Terminal.line("`crier fetch` visits it; `crier try \(name)` shows what it would raise.")
    }

    private func checkIsNew(_ found: String, leadingTo addresses: [String], in file: ConfigurationText) throws {
        for other in addresses where name == nil {
            guard let followed = file.name(ofSourceAt: other) else { continue }
            let led = other == found ? "" : "leads to \(other.shown), which "
            throw failure(
                "\(URLCredentials.removed(from: found).shown) \(led)is followed already, as \(followed.shown): "
                    + "`crier remove \(followed.shown)` ends that; give a --name to follow it twice",
                ExitStatus.usage)
        }
    }

    /// The URL that was meant: where no scheme is given https, but http on this machine.
    private func address() throws -> String {
        let given = self.given
        if given.hasPrefix("/") || given.hasPrefix(".") || given.hasPrefix("~") {
            throw failure(
                "to follow a file give its URL: file:///…, not \(URLCredentials.removed(fromNoURL: url).shown)",
                ExitStatus.usage)
        }
        let address = given.contains("://") || hasOtherScheme ? given : usualScheme + given
        if let complaint = SourceEntry("source", [SourceSetting("url", .text(address))]).complaint {
            throw failure("“\(URLCredentials.removed(fromNoURL: url).shown)”: \(complaint.shown)", ExitStatus.usage)
        }
        if address != url { Terminal.note("Taken as \(URLCredentials.removed(from: address).shown)") }
        return address
    }

    /// What was given, without the blanks of a text around it, and with a scheme of the web where it has that of a feed reader.
    private var given: String { SubscriptionList.webAddress(url.trimmingCharacters(in: .whitespacesAndNewlines)) }

    /// Hardly any server on this machine has a certificate.
    private var usualScheme: String {
        let authority = given.prefix { !"/?#".contains($0) }
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let host = place.hasPrefix("[") ? place.prefix { $0 != "]" } + "]" : place.prefix { $0 != ":" }
        return NetworkAddress.isLoopback(host: host.lowercased()) ? "http://" : "https://"
    }

    /// Whether what stands before the first colon is a scheme such as `javascript`, and not a host with its port, or a user.
    private var hasOtherScheme: Bool {
        let start = given.prefix { !"/?#".contains($0) }
        guard let colon = start.firstIndex(of: ":"), !start.contains("@") else { return false }
        let isName = start[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-".contains($0)) }
        return isName && start[start.index(after: colon)...].first?.isNumber != true
    }

    /// What the options say is looked at before an origin is asked, by the rules of the configuration.
    private func checkSettings(at address: String) throws {
        let format = try mapping.format()
        // Only the document tells which language these are in.
        let unknown = mapping.isMapped && format == nil ? ["items", "fields", "when"] : []
        let known = try written(url: address, format: format).filter { !(unknown + ["to"]).contains($0.key) }
        let text: String
        do throws(ConfigurationEditError) {
            text = try ConfigurationEditor(text: "").adding([SourceEntry("source", known)])
        } catch {
            throw failure(error.description.shown, ExitStatus.usage)
        }
        let read = Configuration.load(text: text, file: "", validateExpression: Expressions.complaint)
        if let problem = read.problems.first { throw failure(Self.words(problem), ExitStatus.usage) }
        for remark in read.configuration?.slips ?? [] { Terminal.note(Self.words(remark)) }
        if !settings.to.isEmpty { try checkSinks() }
    }

    /// By the option that says it.
    private static func words(_ problem: ConfigurationProblem) -> String {
        let options = ["format": "read", "fields": "field", "tags": "tag"]
        let key = problem.path.split(separator: ".").dropFirst(2).first.map(String.init)
        return (key.map { "--\(options[$0] ?? $0): " } ?? "") + problem.words.shown
    }

    private func checkSinks() throws {
        let path = try options.configPath()
        let bytes = try ConfigurationText.bytes(path) ?? []
        let configuration = Configuration.load(bytes: bytes, file: path).configuration
        for sink in settings.to {
            do { _ = try configuration?.sink(named: sink) } catch {
                throw failure("--to: \(error.description)", ExitStatus.usage)
            }
        }
    }

    private func discover(_ address: String) async throws -> FeedDiscovery.Discovery {
        let mapping = try mapping.mapping()
        let (transport, refusals) = try options.considerateTransport(makesState: true)
        try refusals?.obey(for: Source(name: "", address: .url(address), mapping: mapping), called: address)
        let discovery = FeedDiscovery(
            transport: transport, clock: SystemClock(), userAgent: CrierVersion.userAgent)
        do {
            return try await interruptible { try await discovery.discover(address, mapping: mapping) }
        } catch let error as DiscoveryFailure {
            let hint = error.isNoFeed ? "; of an API or a page say what its items are: --items, --field" : ""
            throw failure(
                "\(URLCredentials.removed(from: address).shown): \(error.description.shown)\(hint)",
                ExitStatus.unavailable)
        }
    }

    /// Expressions that find nothing are hardly what was meant. Other lists than those of a page may be empty today.
    private func checkFindsItems(_ discovery: FeedDiscovery.Discovery) throws {
        let content = discovery.content
        guard mapping.isMapped, content.items.isEmpty, content.format == .html || !content.selectsNothing
        else { return }
        // The configuration takes none without.
        let unseen =
            mapping.fields.isEmpty ? "" : ", or add it unseen: --no-visit --name NAME --read \(content.format.rawValue)"
        throw failure(
            "nothing is added: \(content.remarks.map(\.shown).joined(separator: "; ")); see --items and --field\(unseen)",
            ExitStatus.unavailable)
    }

    /// What was found, and what may be wrong with it.
    private func tell(_ discovery: FeedDiscovery.Discovery) throws {
        let items = discovery.content.items
        for remark in try discovery.content.remarks + mapping.mapping().emptyFields(items) {
            Terminal.note(remark.shown)
        }
        for other in discovery.others {
            Terminal.note(
                "The page names another feed: \(other.url.shown)\(other.title.map { " “\($0.shown)”" } ?? "")")
        }
        if let newest = items.max(by: { ($0.date ?? .distantPast) < ($1.date ?? .distantPast) }) {
            Terminal.line("Its newest item: \((newest.title ?? newest.url ?? newest.identifier).shown)")
        }
    }

    private func written(url: String, format: ContentFormat?) throws -> [SourceSetting] {
        var written = [SourceSetting("url", .text(url))]
        if let format { written.append(SourceSetting("format", .text(format.rawValue))) }
        if let items = mapping.items { written.append(SourceSetting("items", .text(items))) }
        let fields = try mapping.fieldPairs().map { SourceSetting.SourceField($0.field.rawValue, $0.expression) }
        if !fields.isEmpty { written.append(SourceSetting("fields", .mapping(fields))) }
        let texts = [("when", mapping.when), ("time-zone", mapping.timeZone), ("dates", mapping.dates)]
        for case (let key, let value?) in texts { written.append(SourceSetting(key, .text(value))) }
        return written + settings.written
    }
}

/// What the source does with what is new, besides how it is read.
struct SettingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How often to visit, such as 30m, 1h or 1d.", valueName: "duration"))
    var every: String?

    @Option(
        help: ArgumentHelp("each, daily or none.", valueName: "policy"),
        completion: .list(NotifyPolicy.allCases.map(\.rawValue)))
    var notify: String?

    @Option(
        help: ArgumentHelp("What the first visit raises: latest, none or all.", valueName: "items"),
        completion: .list(BaselinePolicy.allCases.map(\.rawValue)))
    var first: String?

    @Option(
        help: ArgumentHelp(
            "Which items are worth a notification, such as '.title | test(\"release\")'.", valueName: "jq"))
    var only: String?

    @Option(help: ArgumentHelp("Which items are not.", valueName: "jq"))
    var skip: String?

    @Option(
        help: ArgumentHelp("passive, active, time-sensitive or critical.", valueName: "level"),
        completion: .list(InterruptionLevel.allCases.map(\.rawValue)))
    var level: String?

    @Option(help: ArgumentHelp("Tell once when nothing new has come for so long.", valueName: "duration"))
    var expectEvery: String?

    @Option(help: "The title of its notifications that are not about one item.")
    var title: String?

    @Option(name: .customLong("tag"), help: ArgumentHelp("What it belongs to; may be repeated.", valueName: "tag"))
    var tags: [String] = []

    @Option(
        help: ArgumentHelp("The sinks it goes to; may be repeated.", valueName: "sink"), completion: .sinks)
    var to: [String] = []

    /// As they stand in the configuration.
    var written: [SourceSetting] {
        let texts = [
            ("every", every), ("notify", notify), ("first", first), ("title", title), ("only", only), ("skip", skip),
            ("level", level), ("expect-every", expectEvery),
        ]
        let lists = [("tags", tags), ("to", to)].filter { !$0.1.isEmpty }
        return texts.compactMap { key, value in value.map { SourceSetting(key, .text($0)) } }
            + lists.map { SourceSetting($0.0, .list($0.1)) }
    }
}
