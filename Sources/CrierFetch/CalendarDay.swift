import CrierContent
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
