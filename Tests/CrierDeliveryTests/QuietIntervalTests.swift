import Foundation
import Testing

@testable import CrierDelivery

@Suite struct QuietIntervalTests {
    /// On Lord Howe the clocks are moved from 02:00 to 02:30.
    @Test func whatLiesWithinATimeThatIsLeftOutDoesNotCome() throws {
        let island = TimeZone(identifier: "Australia/Lord_Howe") ?? .gmt
        let hours = QuietHours([QuietHours.Period(start: 130, end: 140, timeZone: island)])
        #expect(hours.end(at: try Date("2026-10-03T15:30:00Z", strategy: .iso8601)) == nil)
        let day = DateInterval(start: try Date("2026-10-03T12:00:00Z", strategy: .iso8601), duration: 86_400)
        #expect(hours.intervals(in: day).isEmpty)
    }

    @Test func periodsThatTouchAreOneAndThoseOfADayThatIsLeftOutAreNone() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let hours = QuietHours([
            QuietHours.Period(start: 22 * 60, end: 1440, timeZone: berlin),
            QuietHours.Period(start: 0, end: 6 * 60, timeZone: berlin),
            QuietHours.Period(days: [6], start: 13 * 60, end: 15 * 60, timeZone: berlin),
        ])
        let start = try Date("2026-11-20T12:00:00+01:00", strategy: .iso8601)
        let intervals = hours.intervals(in: DateInterval(start: start, duration: 2 * 86_400))
        #expect(
            intervals.map { $0.start.timeIntervalSince(start) / 3600 } == [10, 25, 34])
        #expect(intervals.map { $0.duration / 3600 } == [8, 2, 8])
        for interval in intervals { #expect(hours.end(at: interval.start) == interval.end) }
    }
}
