import CrierContent
import CrierNotifications
import Foundation

/// A day of the Gregorian calendar, without a zone. Its text is `yyyy-MM-dd`.
public struct CalendarDay: Sendable, Hashable, Comparable, LosslessStringConvertible {
    /// Days since 1970-01-01.
    let number: Int

    /// The day on which a moment falls in a zone; of the years 1 to 9999 the nearest.
    public init(_ date: Date, in zone: TimeZone) {
        let date = Date(timeIntervalSince1970: date.boundedSince1970)
        let local = date.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: date))
        number = Int((local / 86_400).rounded(.down))
    }

    /// Nil unless the text is `yyyy-MM-dd`, of a day that there is.
    public init?(_ text: String) {
        guard let date = try? Date(text, strategy: .iso8601.year().month().day()) else { return nil }
        self.init(date, in: .gmt)
        // The 30th of February would be the 2nd of March.
        guard description == text else { return nil }
    }

    public var description: String {
        Date(timeIntervalSince1970: Double(number) * 86_400).formatted(.iso8601.year().month().day())
    }

    var previous: CalendarDay { CalendarDay(number: number - 1) }

    init(number: Int) {
        self.number = number
    }

    public static func < (one: CalendarDay, other: CalendarDay) -> Bool { one.number < other.number }
}

extension CalendarDay {
    /// Of the proleptic Gregorian calendar; a month or day beyond its range counts on into the next.
    init(year: Int, month: Int, day: Int) {
        self.init(number: CivilTime.daysSince1970(year: year, month: month, day: day))
    }

    var components: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// Monday is 0.
    var weekday: Int { ((number + 3) % 7 + 7) % 7 }

    var next: CalendarDay { CalendarDay(number: number + 1) }

    var lastOfMonth: CalendarDay {
        let (year, month, _) = components
        return CalendarDay(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1).previous
    }

    /// The moment at which a zone's clocks show a time of this day; where they leave it out, that at which they are moved on.
    ///
    /// - Parameter seconds: Since midnight, as clocks count them.
    func moment(_ seconds: Int, in zone: TimeZone) -> Date {
        zone.moment(showing: Double(number) * 86_400 + Double(seconds))
    }
}
