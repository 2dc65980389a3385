import CrierNotifications
import Foundation

/// The times of day at which ordinary notifications wait.
public struct QuietHours: Sendable, Hashable {
    /// From one time of day to another, which may lie on the next day.
    public struct Period: Sendable, Hashable {
        /// The days on which it begins: 1 is Monday, 7 is Sunday.
        public var days: Set<Int>
        /// Minutes since midnight: 0…1439.
        public var start: Int
        /// Minutes since midnight: 0…1440. Not later than ``start``: on the next day.
        public var end: Int
        /// Whose days and times these are.
        public var timeZone: TimeZone

        public init(days: Set<Int> = Set(1...7), start: Int, end: Int, timeZone: TimeZone) {
            self.days = days
            self.start = start
            self.end = end
            self.timeZone = timeZone
        }
    }

    /// They may overlap.
    public var periods: [Period]

    public init(_ periods: [Period] = []) {
        self.periods = periods
    }

    /// When the quiet time is over that a moment lies in; nil where it lies in none. Periods that follow one another are one.
    public func end(at date: Date) -> Date? {
        var end = date
        // Periods that cover a whole week would never end.
        let horizon = date.addingTimeInterval(7 * 86_400)
        while end < horizon, let next = periods.compactMap({ $0.end(at: end) }).max() { end = next }
        return end > date ? end : nil
    }

    /// The quiet times that begin or go on within an interval, in order; those that touch are one.
    public func intervals(in interval: DateInterval) -> [DateInterval] {
        var merged: [DateInterval] = []
        for quiet in periods.flatMap({ $0.intervals(in: interval) }).sorted() {
            if let last = merged.last, quiet.start <= last.end {
                merged[merged.count - 1] = DateInterval(start: last.start, end: max(last.end, quiet.end))
            } else {
                merged.append(quiet)
            }
        }
        return merged
    }
}

extension QuietHours.Period {
    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar
    }

    fileprivate func end(at date: Date) -> Date? {
        let calendar = calendar
        let today = calendar.startOfDay(for: date)
        for offset in [-1, 0] {
            guard let day = calendar.date(byAdding: .day, value: offset, to: today),
                let quiet = interval(beginningOn: day, calendar)
            else { continue }
            if quiet.start <= date, date < quiet.end { return quiet.end }
        }
        return nil
    }

    fileprivate func intervals(in interval: DateInterval) -> [DateInterval] {
        let calendar = calendar
        var intervals: [DateInterval] = []
        guard interval.start.timeIntervalSince1970.isFinite else { return [] }
        var day = calendar.date(byAdding: .day, value: -1, to: calendar.startOfDay(for: interval.start))
        while let current = day, current < interval.end {
            if let quiet = self.interval(beginningOn: current, calendar), quiet.end > interval.start,
                quiet.start < interval.end
            {
                intervals.append(quiet)
            }
            // Where no calendar has days any more, the next one is the same.
            day = calendar.date(byAdding: .day, value: 1, to: current).flatMap { $0 > current ? $0 : nil }
        }
        return intervals
    }

    /// Nil where none begins on that day, or the clocks leave it out.
    private func interval(beginningOn day: Date, _ calendar: Calendar) -> DateInterval? {
        guard days.contains((calendar.component(.weekday, from: day) + 5) % 7 + 1),
            let last = calendar.date(byAdding: .day, value: end > start ? 0 : 1, to: day)
        else { return nil }
        let (begin, over) = (moment(start, of: day), moment(end, of: last))
        return begin < over ? DateInterval(start: begin, end: over) : nil
    }

    /// By the clock on the wall: a day that is an hour longer or shorter is no exception.
    private func moment(_ minutes: Int, of day: Date) -> Date {
        // A day may begin at 01:00.
        let local = day.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: day))
        return timeZone.moment(showing: (local / 86_400).rounded(.down) * 86_400 + Double(minutes) * 60)
    }
}
