import Foundation

/// When each source is due. A loop keeps it between its rounds, so that a wake-up reads nothing anew.
struct FetchAgenda {
    private struct Entry {
        let source: Source
        /// Long ago where it was never set, never where it is stopped.
        var date: Date
    }

    private var entries: [Entry] = []
    private var indices: [String: Int] = [:]

    mutating func add(_ source: Source, at date: Date) {
        indices[source.name] = entries.count
        entries.append(Entry(source: source, date: date))
    }

    /// Longest waiting first.
    func due(at now: Date) -> [Source] {
        entries.filter { $0.date <= now }.sorted { $0.date < $1.date }.map(\.source)
    }

    /// Those that are not stopped, in their order.
    var going: [Source] { entries.lazy.filter { $0.date < .distantFuture }.map(\.source) }

    /// The earliest date ahead.
    func next(after now: Date) -> Date? {
        entries.lazy.map(\.date).filter { $0 > now && $0 < .distantFuture }.min()
    }

    /// What a source can wait for at most, in seconds.
    private static let longestSlack: TimeInterval = 300

    /// When to look again. Each source can wait for a hundredth of its interval, so that those of about the same date share one
    /// wake-up of the machine.
    func wakeUp(after now: Date) -> Date? {
        entries.lazy.filter { $0.date > now && $0.date < .distantFuture }
            .map { $0.date.addingTimeInterval(min($0.source.every.timeInterval / 100, Self.longestSlack)) }.min()
    }

    /// Takes over the dates that fetches have set; without a network nothing was set, and what is due stays so.
    mutating func note(_ reports: [FetchReport]) {
        for report in reports where !report.networkIsDown {
            guard let index = indices[report.source] else { continue }
            entries[index].date = report.refusal?.until ?? report.nextFetch ?? .distantFuture
        }
    }
}
