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
            end of the configuration, and everything else in the file stays as it is. A JSON, HTML or XML address needs to \
            be told what its items are:
              crier add https://api.example.org/posts --items '.posts[]' --field title=.name --field url=.link
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var mapping: MappingOptions

    @Argument(help: "An http, https or file URL.")
    var url: String

    @Option(help: "The name of the source; made from its title where not given.")
    var name: String?

    @Option(help: ArgumentHelp("How often to visit, such as 30m, 1h or 1d.", valueName: "duration"))
    var every: String?

    @Option(help: "each, daily or none.")
    var notify: String?

    @Option(help: "What the first visit raises: latest, none or all.")
    var first: String?

    @Option(help: "The title of its notifications.")
    var title: String?

    @Option(help: ArgumentHelp("The sinks it goes to; may be repeated.", valueName: "sink"))
    var to: [String] = []

    @Flag(help: "Write it down without visiting it; needs --name.")
    var noVisit = false

    func validate() throws {
        if noVisit, name == nil { throw ValidationError("--no-visit needs --name") }
        if let name, !SourceName.isName(name) {
            throw ValidationError("a name has letters, digits, - and _ only, not “\(name.shown)”")
        }
    }

    func run() async throws {
        let file = try ConfigurationText(options.configPath())
        if let name, file.names.contains(name) {
            throw failure("there is already a source \(name.shown)", ExitCode(64))
        }
        let address = try self.address()
        let discovery = noVisit ? nil : try await discover(address)
        if name == nil, let followed = file.name(ofSourceAt: discovery?.url ?? address) {
            throw failure(
                "\(URLCredentials.removed(from: discovery?.url ?? address).shown) is followed already, as \(followed.shown); "
                    + "give a --name to follow it twice", ExitCode(64))
        }
        let name = self.name ?? SourceName.free(title: discovery?.content.title, address: address, taken: file.names)
        let settings = try settings(url: discovery?.url ?? address)
        try file.edit { editor throws(ConfigurationEditError) in try editor.adding(source: name, settings: settings) }
        Terminal.line("Added \(name): \(URLCredentials.removed(from: discovery?.url ?? address).shown)")
        for other in discovery?.others ?? [] {
            Terminal.note(
                "The page names another feed: \(other.url.shown)\(other.title.map { " “\($0.shown)”" } ?? "")")
        }
        if let newest = discovery?.content.items.max(by: { ($0.date ?? .distantPast) < ($1.date ?? .distantPast) }) {
            Terminal.line("Its newest item: \((newest.title ?? newest.url ?? newest.identifier).shown)")
        }
        Terminal.line("`crier fetch` visits it; `crier try \(name)` shows what it would raise.")
    }

    /// The URL that was meant: https where no scheme is given.
    private func address() throws -> String {
        if url.contains("://") { return url }
        if url.hasPrefix("/") || url.hasPrefix(".") || url.hasPrefix("~") {
            throw failure("to follow a file give its URL: file:///…, not \(url.shown)", ExitCode(64))
        }
        Terminal.note("Taken as https://\(url.shown)")
        return "https://" + url
    }

    private func discover(_ address: String) async throws -> FeedDiscovery.Discovery {
        let surroundings = Surroundings()
        let discovery = FeedDiscovery(
            transport: surroundings.transport, clock: surroundings.clock, userAgent: CrierVersion.userAgent)
        let mapping = try mapping.mapping()
        do {
            return try await interruptible { try await discovery.discover(address, mapping: mapping) }
        } catch let error as DiscoveryFailure {
            let hint = error.isNoFeed ? "; of an API or a page say what its items are: --items, --field" : ""
            throw failure(
                "\(URLCredentials.removed(from: address).shown): \(error.description.shown)\(hint)",
                ExitStatus.unavailable)
        }
    }

    private func settings(url: String) throws -> [SourceSetting] {
        var settings = [SourceSetting("url", .text(url))]
        if let format = try mapping.format() { settings.append(SourceSetting("format", .text(format.rawValue))) }
        if let items = mapping.items { settings.append(SourceSetting("items", .text(items))) }
        let fields = try mapping.fieldPairs().map { SourceSetting.SourceField($0.field.rawValue, $0.expression) }
        if !fields.isEmpty { settings.append(SourceSetting("fields", .mapping(fields))) }
        let texts = [
            ("time-zone", mapping.timeZone), ("every", every), ("notify", notify), ("first", first), ("title", title),
        ]
        for case (let key, let value?) in texts { settings.append(SourceSetting(key, .text(value))) }
        if !to.isEmpty { settings.append(SourceSetting("to", .list(to))) }
        return settings
    }
}
