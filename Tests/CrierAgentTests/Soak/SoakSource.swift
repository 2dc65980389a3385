import CrierTesting
import Foundation

/// One source of a simulated world: where it is, what is odd about it, and when its items come out.
struct SoakSource: Sendable {
    enum Kind: CaseIterable, Sendable {
        /// Says whether something has changed, and for how long its answer holds.
        case polite
        /// Sends the whole document each time.
        case mute
        /// Fails now and then in every way there is.
        case flaky
        /// On a host that has had too much now and then.
        case busy
        /// Behind a redirect to another host, for the time being.
        case redirected
        /// Moved for good.
        case moved
        /// Over a real socket.
        case real
    }

    let number: Int
    let kind: Kind
    /// In seconds.
    let every: Int
    let url: String
    /// Where its document is, behind the redirect.
    let target: String
    let host: String
    /// When each item comes out, in order; the first three are there from the beginning.
    let publications: [Date]

    private static let intervals: [Int] = [1800, 3600, 3600, 3600, 10_800, 21_600, 43_200, 86_400]
    /// Between two items, on average, in seconds.
    private static let pauses: [Double] = [10_800, 43_200, 129_600]
    /// How many items the document shows at most, the newest ones.
    static let window = 20

    /// - Parameters:
    ///   - slowness: How many times as long as usual the intervals are.
    ///   - origin: The port of the real one.
    init(_ number: Int, of count: Int, slowness: Int, origin: Int, span: DateInterval, random: inout SeededNumbers) {
        self.number = number
        // One in forty is asked over a socket.
        kind = number % 40 == 7 ? .real : Kind.allCases.dropLast()[number % (Kind.allCases.count - 1)]
        every = min(86_400, slowness * (Self.intervals.randomElement(using: &random) ?? 3600))
        let host =
            kind == .busy ? "busy\(number % max(1, count / 40)).example" : "h\(number % max(1, count / 5)).example"
        let path = "/\(number)"
        switch kind {
        case .real: (url, self.host) = ("http://127.0.0.1:\(origin)\(path)", "127.0.0.1:\(origin)")
        default: (url, self.host) = ("https://\(host)\(path)", host)
        }
        target =
            kind == .redirected || kind == .moved ? "https://cdn\(number % max(1, count / 20)).example\(path)" : url
        let mean = Self.pauses.randomElement(using: &random) ?? 3600
        var dates = [Date](repeating: span.start.addingTimeInterval(-86_400), count: 3)
        var date = span.start
        while true {
            date.addTimeInterval(-log(Double.random(in: 0.0001...1, using: &random)) * mean)
            if date >= span.end { break }
            dates.append(date)
        }
        publications = dates
    }

    var name: String { "s\(number)" }

    /// The numbers of the items that its document shows at a moment.
    func items(at now: Date) -> Range<Int> {
        let count = publications.firstIndex { $0 > now } ?? publications.count
        return max(0, count - Self.window)..<count
    }

    func document(_ items: Range<Int>) -> String {
        let entries = items.reversed().map { item in
            """
            <entry><id>urn:\(number):\(item)</id><title>Item \(item) of \(number)</title>\
            <link href="https://read.example/\(number)/\(item)"/>\
            <updated>\(publications[item].formatted(.iso8601))</updated></entry>
            """
        }
        return """
            <?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Source \(number)</title>\
            <id>urn:\(number)</id><updated>2026-01-01T00:00:00Z</updated>\(entries.joined())</feed>
            """
    }
}
