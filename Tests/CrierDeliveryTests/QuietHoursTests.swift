import Foundation
import Testing

@testable import CrierDelivery

@Suite struct QuietHoursTests {
    private let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    private func date(_ text: String) throws -> Date {
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: berlin)
        return try style.year().month().day().time(includingFractionalSeconds: false).parse(text)
    }

    /// The end by the clock on the wall, or "-".
    private func end(_ hours: QuietHours, at text: String) throws -> String {
        guard let end = hours.end(at: try date(text)) else { return "-" }
        return end.formatted(
            Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: berlin).year().month().day()
                .time(includingFractionalSeconds: false))
    }

    private func night(_ days: Set<Int> = Set(1...7)) -> QuietHours {
        QuietHours([QuietHours.Period(days: days, start: 22 * 60 + 30, end: 7 * 60 + 30, timeZone: berlin)])
    }

    @Test func aNightWrapsRoundMidnight() throws {
        #expect(try end(night(), at: "2023-11-14 22:29:59") == "-")
        #expect(try end(night(), at: "2023-11-14 22:30:00") == "2023-11-15 07:30:00")
        #expect(try end(night(), at: "2023-11-15 03:00:00") == "2023-11-15 07:30:00")
        #expect(try end(night(), at: "2023-11-15 07:30:00") == "-")
    }

    @Test func aDayIsTheOneOnWhichThePeriodBegins() throws {
        // The 17th is a Friday.
        let weekdays = night([1, 2, 3, 4, 5])
        #expect(try end(weekdays, at: "2023-11-18 03:00:00") == "2023-11-18 07:30:00")
        #expect(try end(weekdays, at: "2023-11-18 23:00:00") == "-")
        #expect(try end(weekdays, at: "2023-11-20 03:00:00") == "-")
    }

    @Test func periodsThatFollowOneAnotherAreOne() throws {
        let weekend = QuietHours([QuietHours.Period(days: [6, 7], start: 0, end: 1440, timeZone: berlin)])
        #expect(try end(weekend, at: "2023-11-18 12:00:00") == "2023-11-20 00:00:00")
        let always = QuietHours([QuietHours.Period(start: 0, end: 1440, timeZone: berlin)])
        #expect(try end(always, at: "2023-11-18 12:00:00") == "2023-11-26 00:00:00")
    }

    @Test func aPeriodThatEndsWhenItBeginsLastsADay() throws {
        let monday = QuietHours([QuietHours.Period(days: [1], start: 480, end: 480, timeZone: berlin)])
        #expect(try end(monday, at: "2023-11-13 07:59:59") == "-")
        #expect(try end(monday, at: "2023-11-13 08:00:00") == "2023-11-14 08:00:00")
    }

    @Test func noNightLiesBeyondAllDates() {
        let start = Date(timeIntervalSince1970: .infinity)
        #expect(night().intervals(in: DateInterval(start: start, duration: 86_400)).isEmpty)
    }

    @Test func anHourMoreOrLessIsNoException() throws {
        #expect(try end(night(), at: "2024-03-31 04:00:00") == "2024-03-31 07:30:00")
        #expect(try end(night(), at: "2024-10-27 01:30:00") == "2024-10-27 07:30:00")
    }

    /// In Egypt the 24th of April 2026 begins at 01:00.
    @Test func aNightEndsAtMidnightAlsoWhenTheDayBeganLater() throws {
        let egypt = TimeZone(identifier: "Africa/Cairo") ?? .gmt
        let hours = QuietHours([QuietHours.Period(start: 23 * 60, end: 1440, timeZone: egypt)])
        let end = hours.end(at: try Date("2026-04-24T20:30:00Z", strategy: .iso8601))
        #expect(end?.ISO8601Format() == "2026-04-24T21:00:00Z")
    }

    /// On Lord Howe the clocks are moved from 02:00 to 02:30.
    @Test(arguments: [(145, 240, "16:00", "17:00"), (1380, 145, "14:00", "15:30")])
    func aTimeThatIsLeftOutIsWhenTheClocksAreMoved(start: Int, end: Int, within: String, over: String) throws {
        let island = TimeZone(identifier: "Australia/Lord_Howe") ?? .gmt
        let hours = QuietHours([QuietHours.Period(start: start, end: end, timeZone: island)])
        let end = hours.end(at: try Date("2026-10-03T\(within):00Z", strategy: .iso8601))
        #expect(end?.ISO8601Format() == "2026-10-03T\(over):00Z")
    }

    /// On the Chatham Islands the clocks are moved from 02:45 to 03:45.
    @Test func theyEndWhenTheClocksAreMovedAlsoWhereThatIsWithinAnHour() throws {
        let islands = TimeZone(identifier: "Pacific/Chatham") ?? .gmt
        let hours = QuietHours([QuietHours.Period(start: 22 * 60, end: 3 * 60, timeZone: islands)])
        let end = hours.end(at: try Date("2026-09-26T13:00:00Z", strategy: .iso8601))
        #expect(end?.ISO8601Format() == "2026-09-26T14:00:00Z")
    }

    @Test func thePeriodIsInItsOwnZone() throws {
        let tokyo = TimeZone(identifier: "Asia/Tokyo") ?? .gmt
        let hours = QuietHours([QuietHours.Period(start: 60, end: 120, timeZone: tokyo)])
        #expect(try end(hours, at: "2023-11-14 17:30:00") == "2023-11-14 18:00:00")
    }
}
