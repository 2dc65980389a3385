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
            A title that is not the name is written as title. More than ten are written with `first: none`: they raise what comes \
            from now on, where a few raise their newest item each. What is listed twice is one source, with the tags of both places. What is followed already, in whatever spelling, stays as it \
            is; what cannot be read or is commented out is told and left out, and so are files of this machine (file:), which \
            no list from elsewhere has a reason to name.
            Exit status: 65 when the file is no OPML, 66 when it is not there or cannot be read.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: "The file; - is standard input.", completion: .file(extensions: ["opml", "xml"]),
        transform: FilePath.notEmpty)
    var file: String

    @Flag(help: "Tell what would be added, and change nothing.")
    var dryRun = false

    func run() async throws {
        let list = try self.list()
        if list.isRepaired { Terminal.note("the XML is broken; read as far as it makes sense") }
        for remark in list.remarks { Terminal.note(remark.shown) }
        let untold = list.leftOutCount - list.remarks.count
        if untold > 0 { Terminal.note("and \(untold) more that cannot be followed") }
        let text = try ConfigurationText(options.configPath())
        var taken = try text.names()
        var numbers: [String: Int] = [:]
        var entries: [SourceEntry] = []
        var addresses: [String] = []
        var lines: [String] = []
        var (followed, left) = (0, list.leftOutCount)
        for feed in Self.distinct(list.feeds) {
            let address = SubscriptionList.webAddress(feed.url)
            let places = feed.placeCount > 1 ? ", listed \(feed.placeCount) times" : ""
            let shown = URLCredentials.removed(from: address).shown + places
            if let name = text.name(ofSourceListedAt: address) {
                followed += 1
                lines.append("Followed already, as \(name.shown): \(shown)")
                continue
            }
            let name = SourceName.free(title: feed.title, address: address, taken: taken, after: &numbers)
            let entry = Self.entry(name, address, feed)
            if let complaint = Self.complaint(ofAddress: address) ?? entry.complaint {
                left += 1
                Terminal.note("“\(feed.title?.shown ?? shown)”: \(complaint)")
                continue
            }
            taken.insert(name)
            entries.append(entry)
            addresses.append(address)
            lines.append("\(dryRun ? "Would add" : "Added") \(name): \(shown)")
            if URLCredentials.havePassword(in: address) {
                Terminal.note("\(name), url: \(Configuration.passwordRemark)")
            }
        }
        let areMany = entries.count > NotificationComposer.floodLimit
        if areMany {
            for index in entries.indices { entries[index].settings.append(SourceSetting("first", .text("none"))) }
            Terminal.note("as they are many, they raise only what comes from now on (first: none)")
        }
        if !entries.isEmpty {
            if !dryRun { try options.startAfresh(addresses, beside: try text.names(), forgetting: areMany) }
            try text.edit(isDryRun: dryRun) { editor throws(ConfigurationEditError) in try editor.adding(entries) }
        }
        for line in lines { Terminal.line(line) }
        let verb = dryRun ? "would be added" : "added"
        Terminal.line("\(entries.count) \(verb), \(followed) followed already, \(left) left out.")
    }

    /// Those that are listed in several spellings are one, with the tags of all.
    private static func distinct(_ feeds: [SubscriptionList.Feed]) -> [SubscriptionList.Feed] {
        var (distinct, places): ([SubscriptionList.Feed], [String: Int]) = ([], [:])
        for feed in feeds {
            let key = ConfigurationText.key(of: SubscriptionList.webAddress(feed.url))
            guard let place = places[key] else {
                places[key] = distinct.count
                distinct.append(feed)
                continue
            }
            distinct[place].placeCount += feed.placeCount
            for tag in feed.tags where !distinct[place].tags.contains(tag) { distinct[place].tags.append(tag) }
        }
        return distinct
    }

    private func list() throws -> SubscriptionList {
        do {
            return try SubscriptionList(opml: ContentDocument(body: Parse.read(file), url: ""))
        } catch {
            throw failure("\(file.shown): \("\(error)".shown)", Parse.status(of: error))
        }
    }

    private static func entry(_ name: String, _ address: String, _ feed: SubscriptionList.Feed) -> SourceEntry {
        var settings = [SourceSetting("url", .text(address))]
        // The name is in Latin letters and digits; the title is what the user's other reader showed.
        if let title = feed.title, title != name { settings.append(SourceSetting("title", .text(title))) }
        if !feed.tags.isEmpty { settings.append(SourceSetting("tags", .list(feed.tags))) }
        return SourceEntry(name, settings)
    }

    /// A list is often another's, and a file of this machine is nothing that another can know.
    private static func complaint(ofAddress address: String) -> String? {
        SubscriptionList.sameness(of: address).hasPrefix("file:")
            ? "a file of this machine, which is not followed because a list says so; `crier add` follows it" : nil
    }
}
