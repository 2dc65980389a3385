import CrierAgent
import CrierFetch
import Foundation

/// A plan for people.
struct PlanText {
    let plan: SchedulePlan
    let timeZone: TimeZone
    /// How many hosts and sources are shown at most.
    let limit: Int

    /// More days than this have no columns of their own.
    private static let mostColumns = 9

    func print() {
        if let reason = plan.closedBecause {
            Terminal.note("As things are, \(reason). The plan tells what would follow.")
        }
        let sources = plan.sources.count == 1 ? "1 source" : "\(plan.sources.count) sources"
        Terminal.line("From \(moment(plan.interval.start))")
        Terminal.line("to   \(moment(plan.interval.end)):")
        Terminal.line("\(plan.total == 1 ? "1 request" : "\(plan.total) requests") for \(sources).")
        let tables: [(title: String, lines: [String])] = [
            ("Requests", requests), ("From publication to notification", delays),
            ("Quiet", quiet),
            ("Digests", plan.issues.map { "\(moment($0.date, in: $0.timeZone)): \($0.digest.shown)" }),
        ]
        for (title, lines) in tables where !lines.isEmpty {
            Terminal.line("")
            Terminal.line(Terminal.bold(title))
            for line in lines { Terminal.line(line) }
        }
    }

    private var requests: [String] {
        let shown = plan.hosts.prefix(limit)
        let rest = plan.hosts.dropFirst(limit)
        var rows = shown.map { (name: $0.name?.shown.fitted(to: 40) ?? "this machine", requests: $0.requests) }
        if !rest.isEmpty {
            let sums = plan.days.indices.map { day in rest.reduce(0) { $0 + $1.requests[day] } }
            rows.append(("\(rest.count) more", sums))
        }
        let hasColumns = plan.days.count <= Self.mostColumns
        let columns = hasColumns ? plan.days.map { String($0.description.suffix(5)) } : ["A DAY", "MOST A DAY"]
        var table = Table(["HOST"] + columns + ["TOTAL"])
        for (name, requests) in rows {
            let total = requests.reduce(0, +)
            let average = Double(total) / (plan.interval.duration / 86_400)
            let cells = hasColumns ? requests : [Int(average.rounded()), requests.max() ?? 0]
            table.add([name] + cells.map(String.init) + ["\(total)"])
        }
        return table.lines
    }

    private var quiet: [String] {
        guard !plan.quietTimes.isEmpty else { return [] }
        var table = Table(["FROM", "UNTIL", ""])
        for quiet in plan.quietTimes {
            table.add([moment(quiet.interval.start), moment(quiet.interval.end), quiet.isMuted ? "muted" : ""])
        }
        return table.lines
    }

    /// Those that take longest first.
    private var delays: [String] {
        let sorted = plan.sources.enumerated().sorted { one, other in
            (other.element.rank, one.offset) < (one.element.rank, other.offset)
        }.map(\.element)
        var table = Table(["SOURCE", "VISITS", "EXPECTED", "AT MOST", "BY ITS ITEMS", "AT MOST"])
        for source in sorted.prefix(limit) {
            table.add([
                source.source.shown, "\(source.count)", words(source.delay?.expected),
                words(source.delay?.longest), words(source.history?.expected), words(source.history?.longest),
            ])
        }
        let rest = sorted.dropFirst(limit)
        guard !rest.isEmpty else { return table.lines }
        let longest = rest.compactMap(\.delay?.longest).max()
        return table.lines + ["\(rest.count) more, at most \(words(longest)); --lines shows more"]
    }

    private func words(_ seconds: TimeInterval?) -> String { seconds.map { RelativeTime.span($0) } ?? "-" }

    /// With the day of the week, and the offset, which a change of the clocks changes.
    private func moment(_ date: Date, in zone: TimeZone? = nil) -> String {
        let zone = zone ?? timeZone
        let minutes = abs(zone.secondsFromGMT(for: date)) / 60
        let sign = zone.secondsFromGMT(for: date) < 0 ? "-" : "+"
        let time = date.formatted(
            Date.VerbatimFormatStyle(
                format: """
                    \(weekday: .abbreviated) \(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \
                    \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)
                    """, locale: Locale(identifier: "en_US_POSIX"), timeZone: zone,
                calendar: Calendar(identifier: .gregorian)))
        return time + sign + [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

extension SchedulePlan.Visits {
    fileprivate var rank: TimeInterval { delay?.expected ?? -1 }
}

/// `simulate plan --format json`.
enum PlanLines {
    static func write(_ plan: SchedulePlan) {
        JSONLine.write(Plan(plan))
        let days = plan.days.map(\.description)
        for host in plan.hosts {
            let requests = Dictionary(zip(days, host.requests)) { $0 + $1 }
            JSONLine.write(Host(host: Nullable(wrappedValue: host.name), requests: requests, total: host.total))
        }
        for source in plan.sources { JSONLine.write(Visits(source)) }
        for quiet in plan.quietTimes {
            JSONLine.write(Quiet(begin: quiet.interval.start, end: quiet.interval.end, muted: quiet.isMuted))
        }
        for issue in plan.issues { JSONLine.write(Issue(digest: issue.digest, date: issue.date)) }
    }

    private struct Plan: Encodable {
        let type = "plan"
        let begin: Date
        let end: Date
        let requests: Int
        @Nullable var closedBecause: String?

        init(_ plan: SchedulePlan) {
            begin = plan.interval.start
            end = plan.interval.end
            requests = plan.total
            closedBecause = plan.closedBecause
        }
    }

    private struct Host: Encodable {
        let type = "host"
        @Nullable var host: String?
        let requests: [String: Int]
        let total: Int
    }

    private struct Visits: Encodable {
        let type = "source"
        let source: String
        @Nullable var host: String?
        let visits: Int
        @Nullable var expectedDelay: Double?
        @Nullable var longestDelay: Double?
        @Nullable var expectedDelayOfItems: Double?
        @Nullable var longestDelayOfItems: Double?
        let items: Int

        init(_ visits: SchedulePlan.Visits) {
            source = visits.source
            host = visits.host
            self.visits = visits.count
            expectedDelay = visits.delay?.expected.rounded()
            longestDelay = visits.delay?.longest.rounded()
            expectedDelayOfItems = visits.history?.expected.rounded()
            longestDelayOfItems = visits.history?.longest.rounded()
            items = visits.historyCount
        }
    }

    private struct Quiet: Encodable {
        let type = "quiet"
        let begin: Date
        let end: Date
        let muted: Bool
    }

    private struct Issue: Encodable {
        let type = "digest"
        let digest: String
        let date: Date
    }
}
