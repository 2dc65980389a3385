import ArgumentParser
import CrierAgent
import CrierContent
import CrierFetch
import CrierHTTP
import CrierProcess
import Foundation

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the feeds that are followed as OPML, for other readers.",
        discussion: """
            The first tag of a source is its folder, the others are its categories. Passwords in addresses are left out, and \
            so are sources that no other reader understands: programs, files, and documents read by expressions.

            Exit status: 73 where the file is there already, unless you say --force, or is the configuration or the state; 78 where \
            the configuration is wrong, and sources with a mistake are left out.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: "The file; standard output where not given.", completion: .file(extensions: ["opml"]),
        transform: FilePath.notEmpty)
    var file: String?

    @Flag(help: "Replace a file that is there; a link stays one.")
    var force = false

    func run() async throws {
        let (configuration, problems) = try options.loadConfiguration()
        for source in configuration.disabledSources { Terminal.note("\(source.name.shown) is disabled: left out") }
        let list = SubscriptionList(title: "Crier", feeds: configuration.sources.compactMap(feed))
        try write(list)
        if !problems.isEmpty { throw ExitStatus.badConfiguration }
    }

    private func write(_ list: SubscriptionList) throws {
        guard let file, file != "-" else { return Terminal.write(list.opml, to: STDOUT_FILENO) }
        try checkIsNone(of: [("configuration", options.configPath()), ("state", options.statePath())], file)
        // Of a link itself, and of what is no file.
        if !force, (try? FileManager.default.attributesOfItem(atPath: file)) != nil {
            throw failure("\(file.shown) is there already; --force replaces it", ExitStatus.cannotCreate)
        }
        do {
            try ConfigurationFile(path: file).replace(with: list.opml)
        } catch {
            throw failure("\(error)", ExitStatus.ioError)
        }
        Terminal.line("\(file.shown): \(list.feeds.count == 1 ? "1 feed" : "\(list.feeds.count) feeds")")
    }

    private func checkIsNone(of own: [(what: String, path: String)], _ file: String) throws {
        let place = SymbolicLinks.resolved(file)
        guard let taken = own.first(where: { SymbolicLinks.resolved($0.path) == place }) else { return }
        throw failure("\(file.shown) is the \(taken.what), which no list replaces", ExitStatus.cannotCreate)
    }

    private func feed(_ source: Source) -> SubscriptionList.Feed? {
        guard case .url(let url) = source.address, !url.lowercased().hasPrefix("file:"), source.mapping.readsFeeds
        else {
            Terminal.note("\(source.name.shown) is no feed for other readers: left out")
            return nil
        }
        let address = URLCredentials.removed(from: url)
        if address != url { Terminal.note("\(source.name.shown): the password is left out") }
        return SubscriptionList.Feed(url: address, title: source.title ?? source.name, tags: source.tags)
    }
}

extension ContentMapping {
    fileprivate var readsFeeds: Bool { format?.isFeed ?? true }
}
