import CrierDelivery
import CrierFetch
import CrierNotifications
import Foundation

/// How long items of one source wait for their notification, given when it is visited.
struct PlannedDelays {
    private let visits: [Date]
    /// When what a visit finds is raised, for each visit; nil where it is not.
    private let raised: [Date?]

    /// - Parameters:
    ///   - last: The visit before all of them.
    ///   - issues: Of the digests that its items wait for.
    init(visits: [Date], last: Date?, source: Source, quiet: PlannedQuiet, issues: [Date]) {
        self.visits = (last.map { last in last < visits.first ?? .distantPast ? [last] : [] } ?? []) + visits
        raised = self.visits.map { visit in
            // Told at once; or in a digest, and where in none either, not at all.
            if source.notify != .none { return quiet.end(of: source.level, at: visit) }
            return issues.first { $0 >= visit }.map { quiet.end(of: .active, at: $0) }
        }
    }

    /// Where items come at any time alike: those that come between two visits wait half of the time between them for the
    /// second, and then with all others for what it raises.
    var ofAnyTime: SchedulePlan.Delay? {
        var sum = 0.0
        var length = 0.0
        var longest = 0.0
        for index in visits.indices.dropFirst() {
            guard let raised = raised[index] else { continue }
            let gap = visits[index].timeIntervalSince(visits[index - 1])
            let wait = raised.timeIntervalSince(visits[index])
            sum += gap * (gap / 2 + wait)
            length += gap
            longest = max(longest, gap + wait)
        }
        return length > 0 ? SchedulePlan.Delay(expected: sum / length, longest: longest) : nil
    }

    /// Of items that come at these dates; those that no visit finds any more say nothing.
    func of(_ publications: [Date]) -> SchedulePlan.Delay? {
        let delays = publications.compactMap { date -> TimeInterval? in
            let index = visits.firstIndex(notBefore: date)
            guard index < visits.count, let raised = raised[index] else { return nil }
            return raised.timeIntervalSince(date)
        }
        guard let longest = delays.max() else { return nil }
        return SchedulePlan.Delay(expected: delays.reduce(0, +) / Double(delays.count), longest: longest)
    }
}

/// When notifications wait.
struct PlannedQuiet {
    let times: [SchedulePlan.QuietTime]
    private let ordinary: [DateInterval]
    private let mutedUntil: Date?

    init(_ hours: QuietHours, mutedUntil: Date?, in interval: DateInterval) {
        self.mutedUntil = mutedUntil
        // A week more, for what is found at the end of the days.
        let horizon = DateInterval(start: interval.start, end: interval.end.addingTimeInterval(7 * 86_400))
        ordinary = hours.intervals(in: horizon)
        let muted = mutedUntil.map { [DateInterval(start: interval.start, end: max($0, interval.start))] } ?? []
        times =
            muted.map { SchedulePlan.QuietTime(interval: $0, isMuted: true) }
            + ordinary.filter { $0.start < interval.end }.map { SchedulePlan.QuietTime(interval: $0, isMuted: false) }
    }

    /// When a notification is raised that comes at a moment: that moment itself where it need not wait.
    func end(of level: InterruptionLevel, at date: Date) -> Date {
        var end = level == .critical ? date : max(date, mutedUntil ?? date)
        guard level < .timeSensitive else { return end }
        // They do not touch each other: after one it is not quiet.
        let index = ordinary.firstIndex { $0.end > end }
        if let index, ordinary[index].start <= end { end = ordinary[index].end }
        return end
    }
}

/// When items of one source came out in the last weeks, and when such items would in others.
struct PublicationHistory {
    /// In seconds: eight weeks.
    static let length = 56 * 86_400.0
    private let publications: [Date]
    private let calendar: Calendar

    init(_ publications: [Date], in zone: TimeZone) {
        self.publications = publications
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// On the same day of the week, at the same time of its day, in the first week of an interval.
    func dates(in interval: DateInterval) -> [Date] {
        publications.compactMap { date in
            let weeks = (interval.start.timeIntervalSince(date) / (7 * 86_400)).rounded(.down)
            // The clocks may have been changed in between.
            return [0, 7].lazy.compactMap { calendar.date(byAdding: .day, value: Int(weeks) * 7 + $0, to: date) }
                .first { $0 >= interval.start }.flatMap { $0 < interval.end ? $0 : nil }
        }
    }
}

/// The days of an interval in one zone.
struct PlannedDays {
    let days: [CalendarDay]
    /// The beginning of each but the first.
    private let starts: [Date]

    init(_ interval: DateInterval, in zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        var starts: [Date] = []
        var day = calendar.startOfDay(for: interval.start)
        while let next = calendar.date(byAdding: .day, value: 1, to: day), next < interval.end {
            starts.append(next)
            day = next
        }
        self.starts = starts
        days = ([interval.start] + starts).map { CalendarDay($0, in: zone) }
    }

    var none: [Int] { [Int](repeating: 0, count: days.count) }

    func index(of date: Date) -> Int { starts.firstIndex(notBefore: date.addingTimeInterval(0.001)) }
}

extension [Date] {
    /// Of dates in order; their count where all are before.
    fileprivate func firstIndex(notBefore date: Date) -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if self[middle] < date {
                range = (middle + 1)..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }
}
