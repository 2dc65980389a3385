import CrierTesting

/// An item of RSS, numbered.
struct RSSEntry {
    var number: Int
    var title: String?
    var guid: String?
    var scheme = "https"
    var host = "e.example"
    var isDated = true
    var day: Int?
    var time = "10:00:00"
    var query = ""
    var text: String?
    var hasLink = true
    var enclosure: String?

    var address: String { "\(scheme)://\(host)/\(number)\(query)" }

    var xml: String {
        let parts = [
            "<title>\(title ?? "T\(number)")</title>", hasLink ? "<link>\(address)</link>" : nil,
            guid.map { "<guid>\($0)</guid>" },
            isDated ? "<pubDate>\(day ?? number) Nov 2023 \(time) GMT</pubDate>" : nil,
            text.map { "<description>\($0)</description>" },
            enclosure.map { "<enclosure url='\($0)' type='image/png' length='1'/>" },
        ]
        return "<item>\(parts.compactMap { $0 }.joined())</item>"
    }

    static func feed(_ entries: [RSSEntry]) -> String {
        "<rss version='2.0'><channel><title>F</title>\(entries.map(\.xml).joined())</channel></rss>"
    }

    /// Items by number, newest first.
    static func feed(_ numbers: ClosedRange<Int>, _ entry: (Int) -> RSSEntry) -> String {
        feed(numbers.reversed().map(entry))
    }
}

/// The titles that each fetch finds new, of documents one after the other.
func newTitles(_ documents: String...) async throws -> [[String]] {
    let bench = try await FetchBench()
    await bench.origin.script("/feed", documents.map { ScriptedAnswer(body: $0) })
    var titles: [[String]] = []
    for _ in documents { titles.append(try await bench.fetch().newItems.compactMap(\.title)) }
    await bench.origin.stop()
    return titles
}

/// The same of visits that are so many hours apart.
func newTitles(_ visits: [[RSSEntry]], hours: Double) async throws -> [[String]] {
    let bench = try await FetchBench()
    await bench.origin.script("/feed", visits.map { ScriptedAnswer(body: RSSEntry.feed($0)) })
    var titles: [[String]] = []
    for _ in visits {
        titles.append(try await bench.fetch().newItems.compactMap(\.title).sorted())
        bench.clock.advance(by: hours * 3600)
    }
    await bench.origin.stop()
    return titles
}
