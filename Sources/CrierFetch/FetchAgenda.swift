import Foundation

/// When each source is due. A loop keeps it between its rounds, so that a wake-up reads nothing anew.
struct FetchAgenda {
    private let sources: [Source]
    /// Of each source: long ago where it was never set, never where it is stopped.
    private var dates: [Date]
    private let indices: [String: Int]

    init(_ sources: [Source], at dates: [Date]) {
        self.sources = sources
        self.dates = dates
        indices = Dictionary(zip(sources.lazy.map(\.name), sources.indices)) { _, last in last }
    }

    /// Longest waiting first.
    func due(at now: Date) -> [Source] {
        dates.indices.filter { dates[$0] <= now }.sorted { dates[$0] < dates[$1] }.map { sources[$0] }
    }

    /// Those that are not stopped, in their order.
    var going: [Source] { dates.indices.filter { dates[$0] < .distantFuture }.map { sources[$0] } }

    /// The earliest date ahead.
    func next(after now: Date) -> Date? { dates.lazy.filter { $0 > now && $0 < .distantFuture }.min() }

    /// What a source can wait for at most, in seconds.
    private static let longestSlack: TimeInterval = 300

    /// When to look again. Each source can wait for a hundredth of its interval, so that those of about the same date share one
    /// wake-up of the machine.
    func wakeUp(after now: Date) -> Date? {
        dates.indices.lazy.filter { dates[$0] > now && dates[$0] < .distantFuture }
            .map { dates[$0].addingTimeInterval(min(sources[$0].every.timeInterval / 100, Self.longestSlack)) }.min()
    }

    /// Takes over the dates that fetches have set; without a network nothing was set, and what is due stays so.
    mutating func note(_ reports: [FetchReport]) {
        for report in reports where !report.networkIsDown {
            guard let index = indices[report.source] else { continue }
            dates[index] = report.refusal?.until ?? report.nextFetch ?? .distantFuture
        }
    }
}
