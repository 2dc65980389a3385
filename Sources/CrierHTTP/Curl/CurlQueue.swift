/// Hops that wait for a place, first come first served.
///
/// They wait here and not in libcurl (CURLMOPT_MAX_TOTAL_CONNECTIONS), whose time limits do not reach what waits there.
struct CurlQueue {
    typealias Entry = (exchange: CurlExchange, reply: CurlMailbox.Reply)

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    mutating func append(_ entry: Entry) { entries.append(entry) }

    mutating func takeFirst() -> Entry? { entries.isEmpty ? nil : entries.removeFirst() }

    mutating func takeAll() -> [Entry] {
        defer { entries = [] }
        return entries
    }

    mutating func take(_ exchange: CurlExchange) -> Entry? {
        entries.firstIndex { $0.exchange === exchange }.map { entries.remove(at: $0) }
    }

    /// Those whose time is up.
    mutating func takeExpired() -> [Entry] {
        guard !entries.isEmpty else { return [] }
        let now = ContinuousClock.now
        let expired = entries.filter { $0.exchange.hop.deadline <= now }
        if !expired.isEmpty { entries.removeAll { $0.exchange.hop.deadline <= now } }
        return expired
    }

    /// Until the next deadline; without an entry, for ever.
    var milliseconds: Int32 {
        guard let next = entries.lazy.map(\.exchange.hop.deadline).min() else { return Int32.max }
        return Int32((next - .now).wholeMilliseconds)
    }
}
