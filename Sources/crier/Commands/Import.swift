import ArgumentParser
import CrierAgent
import CrierContent
import CrierFetch
import CrierHTTP

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Follow the feeds of an OPML file, as other readers export it.",
        discussion: """
            The feeds are written to the end of the configuration, named after their titles, and everything else in the file \
            stays as it is. Nothing is visited. Folders and categories become tags, a folder within a folder one tag: a/b. \
            What is followed already stays as it is; what cannot be read is told and left out.
            Exit status: 65 when the file is no OPML, 66 when it is not there or cannot be read.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The file; - is standard input.", completion: .file(extensions: ["opml", "xml"]))
    var file: String

    @Flag(help: "Tell what would be added, and change nothing.")
    var dryRun = false

    func run() async throws {
        let list = try self.list()
        if list.isRepaired { Terminal.note("the XML is broken; read as far as it makes sense") }
        for remark in list.remarks { Terminal.note(remark.shown) }
        let text = try ConfigurationText(options.configPath())
        var taken = try text.names()
        var entries: [SourceEntry] = []
        var lines: [String] = []
        var (followed, left) = (0, list.remarks.count)
        for feed in list.feeds {
            let address = Self.address(feed.url)
            let shown = URLCredentials.removed(from: address).shown
            if let name = text.name(ofSourceAt: address) {
                followed += 1
                lines.append("Followed already, as \(name.shown): \(shown)")
                continue
            }
            let name = SourceName.free(title: feed.title, address: address, taken: taken)
            let entry = Self.entry(name, address, feed.tags)
            if let complaint = entry.complaint {
                left += 1
                Terminal.note("“\(feed.title?.shown ?? shown)”: \(complaint)")
                continue
            }
            taken.insert(name)
            entries.append(entry)
            lines.append("\(dryRun ? "Would add" : "Added") \(name): \(shown)")
        }
        if !dryRun, !entries.isEmpty {
            try text.edit { editor throws(ConfigurationEditError) in try editor.adding(entries) }
        }
        for line in lines { Terminal.line(line) }
        let verb = dryRun ? "would be added" : "added"
        Terminal.line("\(entries.count) \(verb), \(followed) followed already, \(left) left out.")
    }

    private func list() throws -> SubscriptionList {
        do {
            return try SubscriptionList(opml: ContentDocument(body: Parse.read(file), url: ""))
        } catch {
            throw failure("\(file.shown): \("\(error)".shown)", Parse.status(of: error))
        }
    }

    private static func entry(_ name: String, _ address: String, _ tags: [String]) -> SourceEntry {
        var settings = [SourceSetting("url", .text(address))]
        if !tags.isEmpty { settings.append(SourceSetting("tags", .list(tags))) }
        return SourceEntry(name, settings)
    }

    /// Schemes that mean a feed over HTTP: `feed://host/…`, `feed:https://…`.
    private static func address(_ url: String) -> String {
        for scheme in ["feed:", "itpc:", "pcast:"] where url.lowercased().hasPrefix(scheme) {
            let rest = String(url.dropFirst(scheme.count))
            return rest.hasPrefix("//") ? "http:" + rest : rest
        }
        return url
    }
}
