import Foundation

/// When something is to happen again and again, written as systemd's timers are (systemd.time(7), "Calendar events").
///
/// `08:30`, `mon..fri 08:30`, `Sat *-*-1..7 18:00`, `*-*~1 20:00`, `*:0/15`, `weekly`, each with a time zone behind it if need
/// be. Seconds are whole.
public struct CalendarExpression: Sendable, Hashable {
    /// One part of a field: a value, a range, either with a step.
    struct Part: Sendable, Hashable {
        var first: Int
        /// Equal to ``first`` for a single value; nil without an end.
        var last: Int?
        var step: Int = 1

        func values(through most: Int) -> StrideThrough<Int> {
            stride(from: first, through: min(last ?? most, most), by: step)
        }
    }

    /// The text it was read from.
    public let text: String
    /// Monday is 0; every day where it is empty.
    let weekdays: Set<Int>
    let years: Field
    let months: Field
    let days: Field
    /// Days are counted from the end of the month: 1 is its last.
    let countsFromMonthEnd: Bool
    let hours: Field
    let minutes: Field
    let seconds: Field
    /// The zone that the expression itself names.
    public let timeZone: TimeZone?

    /// The values that one field admits.
    struct Field: Sendable, Hashable {
        /// Empty for every value.
        var parts: [Part] = []

        func admits(_ value: Int) -> Bool {
            parts.isEmpty
                || parts.contains { part in
                    guard value >= part.first, part.last.map({ value <= $0 }) ?? true else { return false }
                    return (value - part.first) % part.step == 0
                }
        }

        /// In order, where the least that there can be is 0.
        func values(through most: Int) -> [Int] {
            switch parts.count {
            case 0: Array(0...most)
            case 1: Array(parts[0].values(through: most))
            default: Set(parts.flatMap { $0.values(through: most) }).sorted()
            }
        }

        /// Those up to `most`, as short as they can be said: behind a `~` systemd takes no long lists, and counts steps down.
        func text(through most: Int, isFromEnd: Bool = false) -> String {
            if parts.isEmpty { return "*" }
            let values = values(through: most)
            let steps = Set(zip(values, values.dropFirst()).map { $1 - $0 })
            guard values.count > 2, steps.count == 1, let first = values.first, let last = values.last,
                let step = steps.first
            else { return values.map(String.init).joined(separator: ",") }
            if step == 1 { return "\(first)..\(last)" }
            if isFromEnd, first <= step { return "\(last)/\(step)" }
            return last + step > most ? "\(first)/\(step)" : "\(first)..\(last)/\(step)"
        }
    }

    /// As in systemd: no moment is looked for beyond it.
    static let lastYear = 2199

    /// The first moment after a date at which it is due; nil where there is none.
    ///
    /// A time that a zone's clocks leave out is due when they have been moved on; one that they show twice is due at the
    /// first of the two.
    ///
    /// - Parameter zone: Of the expression, unless it names one itself.
    public func next(after date: Date, in zone: TimeZone) -> Date? {
        guard date.timeIntervalSince1970.isFinite else { return nil }
        let zone = timeZone ?? zone
        // One day before, lest a move of the clocks at midnight hides one.
        var day = CalendarDay(date, in: zone).previous
        while true {
            let (year, month, _) = day.components
            guard year <= Self.lastYear else { return nil }
            guard years.admits(year), months.admits(month) else {
                day = day.lastOfMonth.next
                continue
            }
            if admits(day), let found = first(of: day, after: date, in: zone) { return found }
            day = day.next
        }
    }

    /// The same as every systemd reads it: 252 knows neither days over the end of a week nor steps that lead nowhere.
    ///
    /// - Parameter zone: Of the expression, unless it names one itself.
    public func systemdText(in zone: TimeZone) -> String {
        let names = weekdays.sorted().map { Self.weekdayNames[$0].prefix(3) }.joined(separator: ",")
        let month = "\(years.text(through: Self.lastYear))-\(months.text(through: 12))"
        let date = "\(month)\(countsFromMonthEnd ? "~" : "-")\(days.text(through: 31, isFromEnd: countsFromMonthEnd))"
        let time = "\(hours.text(through: 23)):\(minutes.text(through: 59)):\(seconds.text(through: 59))"
        let place = (timeZone ?? zone).identifier
        return "\(names.isEmpty ? "" : names + " ")\(date) \(time) \(place == "GMT" ? "UTC" : place)"
    }

    private func admits(_ day: CalendarDay) -> Bool {
        guard weekdays.isEmpty || weekdays.contains(day.weekday) else { return false }
        guard countsFromMonthEnd else { return days.admits(day.components.day) }
        return days.admits(day.lastOfMonth.number - day.number + 1)
    }

    private func first(of day: CalendarDay, after date: Date, in zone: TimeZone) -> Date? {
        // Moments of a day never go back, so an hour or a minute whose last one has gone by holds none.
        func isAhead(_ second: Int) -> Bool { day.moment(second, in: zone) > date }
        for hour in hours.values(through: 23).ascending(from: { isAhead($0 * 3600 + 3599) }) {
            for minute in minutes.values(through: 59).ascending(from: { isAhead(hour * 3600 + $0 * 60 + 59) }) {
                for second in seconds.values(through: 59) {
                    let moment = day.moment(hour * 3600 + minute * 60 + second, in: zone)
                    if moment > date { return moment }
                }
            }
        }
        return nil
    }
}

extension [Int] {
    /// From the first on of which something is true that is true of all behind it.
    fileprivate func ascending(from isTrue: (Int) -> Bool) -> ArraySlice<Int> {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isTrue(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return self[low...]
    }
}
