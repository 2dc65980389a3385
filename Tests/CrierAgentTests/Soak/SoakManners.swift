import Foundation

/// Notes each request that comes too early, beside another, or without what the origin gave before.
struct SoakManners {
    private struct Host {
        var inFlight = 0
        var lastStart: Date?
        var pausedUntil: Date?
    }

    private struct Memory {
        var earliest: Date?
        var lastEnd: Date?
        var failures = 0
        var etag: String?
    }

    private(set) var faults: [String] = []
    private(set) var requests = 0
    private(set) var conditional = 0
    private(set) var mostInFlight = 0
    private var inFlight = 0
    private var hosts: [String: Host] = [:]
    private var sources: [Int: Memory] = [:]

    private mutating func fault(_ text: String) {
        if faults.count < 100 { faults.append(text) }
    }

    mutating func begin(at name: String, now: Date) {
        requests += 1
        inFlight += 1
        mostInFlight = max(mostInFlight, inFlight)
        if inFlight > 32 { fault("\(inFlight) requests at once") }
        var host = hosts[name] ?? Host()
        if host.inFlight > 0 { fault("two at once on \(name)") }
        if let last = host.lastStart, now.timeIntervalSince(last) < 1.998 {
            fault("\(now.timeIntervalSince(last)) s between two starts on \(name)")
        }
        if let until = host.pausedUntil, now < until {
            fault("\(name) wants to be left alone until \(until), not \(now)")
        }
        host.inFlight += 1
        host.lastStart = now
        hosts[name] = host
    }

    mutating func end(at name: String) {
        inFlight -= 1
        hosts[name]?.inFlight -= 1
    }

    mutating func visit(_ source: SoakSource, etag: String?, now: Date) {
        let memory = sources[source.number] ?? Memory()
        if let earliest = memory.earliest, now < earliest {
            fault("\(source.name) (\(source.kind)) comes \(earliest.timeIntervalSince(now)) s early")
        }
        if etag != nil { conditional += 1 }
        if let etag, etag != memory.etag { fault("\(source.name): another ETag than \(memory.etag ?? "none")") }
    }

    /// - Parameters:
    ///   - wait: What the answer asks for, in seconds.
    ///   - etag: Of a document that was sent.
    mutating func succeed(_ source: SoakSource, wait: Double = 0, etag: String?, now: Date) {
        var memory = sources[source.number] ?? Memory()
        memory.failures = 0
        memory.etag = etag
        memory.lastEnd = now
        memory.earliest = now.addingTimeInterval(max(source.interval, wait))
        sources[source.number] = memory
    }

    /// - Parameter least: The first wait after such a failure, in seconds.
    mutating func fail(_ source: SoakSource, wait: Double = 0, least: Double = 0, now: Date) {
        var memory = sources[source.number] ?? Memory()
        memory.failures += 1
        memory.lastEnd = now
        let doubled = min(max(source.interval, least) * pow(2, Double(memory.failures - 1)), 86_400)
        memory.earliest = now.addingTimeInterval(max(source.interval, doubled / 2, min(wait, 86_400)))
        sources[source.number] = memory
    }

    mutating func pause(_ host: String, until date: Date) { hosts[host]?.pausedUntil = date }

    /// What ended so late that it may not have been written down, the next process does not know.
    mutating func restart(at now: Date) {
        for number in Array(sources.keys) {
            guard let end = sources[number]?.lastEnd, now.timeIntervalSince(end) < 1 else { continue }
            sources[number]?.earliest = nil
        }
    }
}

extension SoakSource {
    /// Between two visits at least, in seconds.
    fileprivate var interval: Double { max(Double(every), 900) }
}
