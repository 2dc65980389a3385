import Foundation
import Testing

@testable import CrierContent

/// What is a zone in a date, and what only looks like one.
struct DateZonesTests {
    /// As ISO 8601 has it, in UTC.
    private func read(_ text: String, in zone: String = "Europe/Warsaw") throws -> String? {
        let zone = try #require(TimeZone(identifier: zone))
        return DateParser.parse(text, timeZone: zone).map { CivilTime($0).iso8601 }
    }

    @Test(arguments: [
        ("pt., 05.01.2024 10:14", "2024-01-05T09:14:00Z"), ("pt, 05 sty 2024 10:14:55 GMT", "2024-01-05T10:14:55Z"),
        ("05.01.2024, pt. 10:14", "2024-01-05T09:14:00Z"), ("pet, 05 sij 2024 10:14:55 GMT", "2024-01-05T10:14:55Z"),
        ("pet, 05 jan 2024 10:14:55 +0100", "2024-01-05T09:14:55Z"), ("5.1.2024 pet 10:14", "2024-01-05T09:14:00Z"),
        ("ut 2. januára 2024 10:14", "2024-01-02T09:14:00Z"), ("ut, 02 jan 2024 10:14:55 EST", "2024-01-02T15:14:55Z"),
        ("2024-01-05 at 10:14", "2024-01-05T09:14:00Z"),
    ])
    func aDayOfTheWeekIsNoZone(text: String, date: String) throws {
        #expect(try read(text) == date, "\(text)")
    }

    @Test(arguments: [
        ("2 Jan 2006 MST", "2006-01-02T07:00:00Z"), ("26 Sep 2022 GMT", "2022-09-26T00:00:00Z"),
        ("Fri Jan 5 10:14:55 PT 2024", "2024-01-05T18:14:55Z"), ("5 January 2024 10:14 PET", "2024-01-05T15:14:00Z"),
        ("Fri, 05 Jul 2024 10:14:55 ET", "2024-07-05T14:14:55Z"), ("5 January 2024 10:14 ET", "2024-01-05T15:14:00Z"),
        ("July 5, 2024 10:14 AM PT", "2024-07-05T17:14:00Z"), ("5 July 2024 10:14 UT", "2024-07-05T10:14:00Z"),
        ("5 January 2024, EST 10:14", "2024-01-05T15:14:00Z"), ("UTC 5 January 2024 10:14", "2024-01-05T10:14:00Z"),
        ("10:14 UT, 5 January 2024", "2024-01-05T10:14:00Z"),
        ("10:14 hrs, 5 January 2024 local time", "2024-01-05T09:14:00Z"),
        ("5 January 2024 10:14 time", "2024-01-05T09:14:00Z"),
        ("5 January 2024 10:14 EST Pacific", "2024-01-05T15:14:00Z"),
    ])
    func aNameBehindTheTimeOrTheDateIsAZone(text: String, date: String) throws {
        #expect(try read(text) == date, "\(text)")
    }

    @Test(arguments: [
        ("화, 2 1월 2024 06:04:05 GMT", "2024-01-02T06:04:05Z"), ("화, 2 1월 2024 06:04:05 EST", "2024-01-02T11:04:05Z"),
        ("2024년 1월 2일 오전 6:04:05 UTC", "2024-01-02T06:04:05Z"), ("화, 2 1월 2024 06:04:05", "2024-01-01T21:04:05Z"),
        ("화, 2 1월 2024 06:04:05 +0100", "2024-01-02T05:04:05Z"), ("2024년 1월 2일 06:04", "2024-01-01T21:04:00Z"),
    ])
    func koreanIsKoreasTimeWhereItNamesNoZone(text: String, date: String) throws {
        #expect(try read(text) == date, "\(text)")
    }

    @Test(arguments: [
        ("IST", "Asia/Kolkata", 5.5), ("IST", "Europe/Dublin", 1), ("IST", "Asia/Jerusalem", 2), ("IST", "GMT", 2),
        ("IST", "Europe/Berlin", 2), ("CST", "Asia/Shanghai", 8), ("CST", "Asia/Taipei", 8),
        ("CST", "America/Chicago", -6), ("CST", "America/Havana", -5), ("CDT", "America/Havana", -4),
        ("CST", "Europe/Berlin", -6), ("BST", "Asia/Dhaka", 6), ("BST", "Europe/London", 1),
        ("PST", "Asia/Manila", 8), ("PST", "Asia/Kolkata", -8), ("EST", "Asia/Shanghai", -5),
    ])
    func aNameMeansWhatItMeansInTheSourcesZone(name: String, zone: String, hours: Double) throws {
        let zone = try #require(TimeZone(identifier: zone))
        for text in ["Tue, 05 Mar 2024 12:00:00 \(name)", "Tue Mar 5 12:00:00 \(name) 2024"] {
            let seconds = DateParser.parse(text, timeZone: zone)?.timeIntervalSince1970
            #expect(seconds == 1_709_640_000 - hours * 3600, "\(text) in \(zone)")
        }
    }

    /// Warsaw is an hour ahead of UTC.
    @Test(arguments: [
        "5 January 2024, 18:00–20:00", "5 January 2024, 18:00-20:00", "5 January 2024, 18:00 – 20:00",
        "5 January 2024, 18:00 - 20:00", "5 January 2024, 18:00–19:30", "5 January 2024, 18:00–24:00",
        "5 January 2024, 18:00–02:00", "5 January 2024, 18:00\u{2009}–\u{2009}02:00", "18:00–20:00, 5 January 2024",
        "2024-01-05 18:00-20:00", "2024-01-05T18:00–20:00", "2024-01-05 18:00 - 20:00", "2024-01-05 18:00 20:00",
        "20240105T1800-2000",
        "05.01.2024 18.00–20.00", "5 janvier 2024, 18h00-20h00", "5. Januar 2024, 18:00–20 Uhr",
        "January 5, 2024, 6:00–8:00 pm", "January 5, 2024, 6:00-8:00 PM", "January 5, 2024, 6:00 PM - 1:00 AM",
        "January 5, 2024, 6 p.m. - 11 p.m.", "January 5, 2024, 6pm-8pm", "2024年1月5日 18時 - 20時30分",
        "5 January 2024, 18:00–20:00 CET", "5 January 2024, 12:00–14:00 -0500", "Fri, 05 Jan 2024 18:00 to 20:00",
        "5 January 2024 18:00:00 -20:00",
        "5 janvier 2024, 18h–20h", "5 janvier 2024, 18h-20h", "5 janvier 2024, 18:00-20h",
    ])
    func aRangeOfTimesBeginsWithTheFirst(text: String) throws {
        #expect(try read(text) == "2024-01-05T17:00:00Z", "\(text)")
    }

    @Test(arguments: [
        ("January 5, 2024, 11:30 - 1:00 pm", "2024-01-05T10:30:00Z"),
        ("January 5, 2024, 11:30–1:00 pm", "2024-01-05T10:30:00Z"),
        ("January 5, 2024, 12:00–1:30 pm", "2024-01-05T11:00:00Z"),
        ("January 5, 2024, 10 am - 2 pm", "2024-01-05T09:00:00Z"),
        ("January 5, 2024, 9:00-11:00 am", "2024-01-05T08:00:00Z"),
        ("January 5, 2024, 11:00 – 1:00 am", "2024-01-05T22:00:00Z"),
    ])
    func theHalfOfTheDayOfARangeIsTheFirstTimes(text: String, date: String) throws {
        #expect(try read(text) == date, "\(text)")
    }

    @Test(arguments: [
        ("2024-01-02 00:00:00.0 03:04:05.0 -0700", "2024-01-02T10:04:05Z"),
        ("5 January 2024 00:00 – 02:00", "2024-01-04T23:00:00Z"),
        ("5 January 2024, 00:00–02:00", "2024-01-04T23:00:00Z"),
    ])
    func onlyMidnightWithoutADashGivesWay(text: String, date: String) throws {
        #expect(try read(text) == date, "\(text)")
    }

    @Test(arguments: [
        ("5 January 2024 18:00 -1200", "2024-01-06T06:00:00Z"), ("5 January 2024 18:00 +1400", "2024-01-05T04:00:00Z"),
        ("5 January 2024 18:00-05:00", "2024-01-05T23:00:00Z"), ("5 January 2024 18:00 GMT–5", "2024-01-05T23:00:00Z"),
        ("5 January 2024 18:00:00–05:00", "2024-01-05T23:00:00Z"), ("2024-01-05T18:00-12:00", "2024-01-06T06:00:00Z"),
        ("5 Jan 2024 18:00 -1201", "2024-01-05T17:00:00Z"), ("5 Jan 2024 18:00 +1500", "2024-01-05T17:00:00Z"),
        ("5 January 2024 18:00:00 -13:00", "2024-01-05T17:00:00Z"),
        // Some program wrote this, and a range has no seconds.
        ("2024-01-05 18:00:00-13:00", "2024-01-06T07:00:00Z"),
        ("5 January 2024 18:00 GMT-5h", "2024-01-05T23:00:00Z"),
        ("Nov 5 2024 18:00 -05h", "2024-11-05T23:00:00Z"), ("Nov 5 2024 18:00 −05h", "2024-11-05T23:00:00Z"),
        ("5 January 2024 18:00:00 -5h", "2024-01-05T23:00:00Z"),
    ])
    func anOffsetIsOneThatAZoneHas(text: String, date: String) throws {
        #expect(try read(text) == date, "\(text)")
    }

    @Test(arguments: [
        ("2024-01-02T03:04:05 08:00", "2024-01-01T19:04:05Z"), ("2024-01-02T03:04:05.5 0800", "2024-01-01T19:04:05Z"),
        ("2024-01-02T03:04:05 15:00", "2024-01-02T02:04:05Z"), ("2024-01-02T03:04 08:00", "2024-01-02T02:04:00Z"),
        ("2024-01-02 03:04:05 08:00", "2024-01-02T02:04:05Z"), ("2024-01-02T03:04:05 08:20", "2024-01-02T02:04:05Z"),
        ("2024-01-02T00:00:00 10:30", "2024-01-02T09:30:00Z"),
        ("2024-01-02T03:04:05 08:00:00", "2024-01-02T02:04:05Z"),
    ])
    func aPlusThatBecameASpaceIsAPlus(text: String, date: String) throws {
        #expect(try read(text) == date, "\(text)")
    }

    @Test(arguments: [
        ("Sat Jan 2 EST 10:00:00 2016", "2016-01-02T15:00:00Z"), ("Sat, 02 Jan 2016 UT 10:00", "2016-01-02T10:00:00Z"),
        ("Sat, 02 Jan 2016 at 10:00", "2016-01-02T09:00:00Z"),
        ("Jan 5, 2024 12:00:00 AM 3:30 PM", "2024-01-05T14:30:00Z"),
    ])
    func whatStandsBeforeTheTimeIsRead(text: String, date: String) throws {
        #expect(try read(text) == date, "\(text)")
    }
}
