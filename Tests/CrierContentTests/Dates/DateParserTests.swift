import CrierTesting
import Testing

import struct Foundation.Date
import struct Foundation.TimeZone

@testable import CrierContent

struct DateParserTests {
    /// Seconds since 1970, nil for no date.
    private func seconds(_ text: String, zone: TimeZone = .gmt, local: Bool = false) -> Double? {
        DateParser.parse(text, timeZone: zone, datesAreLocal: local)?.timeIntervalSince1970
    }

    private func utc(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0
    ) -> Double {
        var time = CivilTime(year: year, month: month, day: day)
        time.hour = hour
        time.minute = minute
        time.second = second
        return Double(time.secondsAsUTC)
    }

    @Test(arguments: [
        "Tue, 05 Mar 2024 18:30:15 GMT", "Tue, 5 Mar 2024 18:30:15 GMT", "5 Mar 2024 18:30:15 UT",
        "5 Mar 24 18:30:15 Z",
        "Tue, 05 Mar 2024 19:30:15 +0100", "Tue, 05 Mar 2024 19:30:15 +01:00", "Tue, 05 Mar 2024 13:30:15 EST",
        "Tuesday, 05-Mar-24 18:30:15 GMT", "Tue Mar  5 18:30:15 2024", "Tue Mar 05 13:30:15 EST 2024",
        "Tue, 05 Mar 2024 10:30:15 PST (Pacific (Standard) Time)", "Tue, 5 March 2024 10:30:15 PT",
        "Tue, 05 Mar 2024 18:30:15 Etc/GMT", "Tue, 05 Mar 2024 20:30:15 GMT+02:00", "tue,5 mar 2024 12:30:15 CST",
        "Tue, 5th March 2024 at 6:30:15 PM", "March 5, 2024 6:30:15 p.m.", "Mar. 5, 2024, 06:30:15PM",
        "Tue, 05 Mar 2024 17:30:15 --0100", "Tue, 05 Mar 2024 17:30:15 -100", "Tue, 05 Mar 2024 17:30:15 -01",
    ])
    func readsMailDates(_ text: String) {
        #expect(seconds(text) == utc(2024, 3, 5, 18, 30, 15))
    }

    @Test(arguments: [
        "2024-03-05T18:30:15Z", "2024-03-05t18:30:15z", "2024-03-05 18:30:15", "2024-03-05T19:30:15+01:00",
        "2024-03-05T19:30:15+0100", "2024-03-05 19:30:15 +01", "20240305T183015Z", "20240305183015",
        "20240305183015Z", "20240305193015 +0100", "20240305193015+01:00", "20240305133015-0500",
        "2024-065T18:30:15Z", "2024-W10-2T18:30:15Z", "2024W102T183015Z", "2024/03/05 18:30:15", "5.3.2024 18:30:15",
        "05-03-2024 18:30:15", "3/5/2024 6:30:15 PM", "24-3-5 18:30:15", "2024-03-05T18:30:15:+0000", "1709663415",
        "1709663415000", "2024-03-05T19:30:15+01:00Z", "2024-03-05 00:00:00.0 18:30:15.0 +0000",
    ])
    func readsNumericDates(_ text: String) {
        #expect(seconds(text) == utc(2024, 3, 5, 18, 30, 15))
    }

    @Test(arguments: [
        ("202403051830Z", 0.0), ("20240305183000.5Z", 0.5), ("202403051930 +0100", 0), ("20240305183000,25", 0.25),
    ])
    func readsTimesWithoutMarks(_ text: String, _ fraction: Double) {
        #expect(seconds(text) == utc(2024, 3, 5, 18, 30, 0) + fraction)
    }

    /// No zone is so far away.
    @Test(arguments: ["20240305183015 +9900", "20240305183015+2500", "20240305183015 x", "20240305183015 Z1"])
    func noZoneIsNoDate(_ text: String) {
        #expect(seconds(text) == nil)
    }

    @Test(arguments: [
        ("2024", 2024, 1, 1), ("2024-03", 2024, 3, 1), ("2024-03-05", 2024, 3, 5), ("20240305", 2024, 3, 5),
        ("2024-060", 2024, 2, 29), ("2024-W01", 2024, 1, 1), ("2020-W53-7", 2021, 1, 3), ("2025-W01-1", 2024, 12, 30),
        ("240305", 2024, 3, 5), ("-24-03", 2024, 3, 1), ("March 2024", 2024, 3, 1), ("5 March, 2024", 2024, 3, 5),
        ("2024 March 05", 2024, 3, 5), ("31/12/2024", 2024, 12, 31), ("12/31/24", 2024, 12, 31),
        ("Fri, 02/03/2024", 2024, 2, 3), ("Sat, 02/03/2024", 2024, 2, 3),
        ("24-03-05", 2024, 3, 5), ("24-03-5", 2024, 3, 5), ("14 November 23", 2023, 11, 14),
    ])
    func readsDatesWithoutTime(_ text: String, _ year: Int, _ month: Int, _ day: Int) {
        #expect(seconds(text) == utc(year, month, day))
    }

    @Test(arguments: [
        "Τρί, 05 Μαρ 2024 18:30:15 GMT", "2024-márc-05T18:30:15+00:00", "2024-03-06 오전 3:30:15",
        "2024년 03월 06일 03:30:15", "mar., 5 mars 2024 18:30:15 +0000", "Di, 5 Mär 2024 18:30:15 +0000",
        "Вт, 5 мар 2024 18:30:15 GMT", "5 de março de 2024 18:30:15", "2024年3月5日 18:30:15", "5 marzo 2024 18:30:15",
    ])
    func readsOtherLanguages(_ text: String) {
        #expect(seconds(text) == utc(2024, 3, 5, 18, 30, 15))
    }

    @Test(arguments: [
        "", " ", "yesterday", "2024-03-05T25:14:55Z", "2024-03-05T10:61:55Z", "2024-02-30", "2023-02-29", "2024-13-01",
        "2024-03-05-01", "2024-xx-05", "2024-03-05T09:xx:00Z", "013", "Tue, Mar x 2024 11:47:32 GMT", "2024-366x",
        "Tue, 05 Mar zz 11:47:32 GMT", "Tue, 05 Mar 2024 11:47:32 +00:zz", "2023-366", "12:30", "5 March", "0000-00-00",
        "2024-03-05T24:00:01Z", "2024-W54-1", "Tue, 05 Mar 2024 11:47:32 +99:00", "99999999999999999999999999", "١٢",
    ])
    func givesNoDateForWhatIsNone(_ text: String) {
        #expect(seconds(text) == nil)
    }

    @Test func keepsFractions() throws {
        for (text, fraction) in [("15.5", 0.5), ("15.25", 0.25), ("15,125", 0.125), ("15.500000001", 0.500000001)] {
            let value = try #require(seconds("2024-03-05T18:30:\(text)Z"))
            #expect(abs(value - utc(2024, 3, 5, 18, 30, 15) - fraction) < 1e-6)
        }
        #expect(seconds("2024-03-05T18:30:15.5Z") == utc(2024, 3, 5, 18, 30, 15) + 0.5)
    }

    @Test func takesLeapSecondsAndMidnightAtTheEnd() {
        #expect(seconds("2016-12-31T23:59:60Z") == utc(2017, 1, 1))
        #expect(seconds("2016-12-31T24:00:00Z") == utc(2017, 1, 1))
    }

    @Test func takesTwoDigitYearsAsMailDoes() {
        #expect(seconds("1 Jan 49 00:00 GMT") == utc(2049, 1, 1))
        #expect(seconds("1 Jan 50 00:00 GMT") == utc(1950, 1, 1))
    }

    @Test func placesDatesWithoutZoneInTheSourcesZone() throws {
        let shanghai = try #require(TimeZone(identifier: "Asia/Shanghai"))
        #expect(seconds("2020-04-11 08:00:00", zone: shanghai) == utc(2020, 4, 11))
        #expect(seconds("2020-04-11", zone: shanghai) == utc(2020, 4, 10, 16))
        #expect(seconds("Sat, 11 Apr 2020 08:00:00", zone: shanghai) == utc(2020, 4, 11))
        #expect(seconds("2020-04-11T08:00:00Z", zone: shanghai) == utc(2020, 4, 11, 8))
    }

    @Test func ignoresAWrongZoneWhereDatesAreLocal() throws {
        let shanghai = try #require(TimeZone(identifier: "Asia/Shanghai"))
        #expect(seconds("2017-05-11T12:03:09Z", zone: shanghai, local: true) == utc(2017, 5, 11, 4, 3, 9))
        #expect(seconds("2017-05-11T12:03:09-07:00", zone: shanghai, local: true) == utc(2017, 5, 11, 4, 3, 9))
        #expect(seconds("Thu, 11 May 2017 12:03:09 EST", zone: .gmt, local: true) == utc(2017, 5, 11, 12, 3, 9))
    }

    @Test func takesSkippedAndRepeatedLocalTimesByTheOffsetBefore() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(seconds("2024-03-31 01:59:00", zone: berlin) == utc(2024, 3, 31, 0, 59))
        #expect(seconds("2024-03-31 02:30:00", zone: berlin) == utc(2024, 3, 31, 1, 30))
        #expect(seconds("2024-03-31 03:00:00", zone: berlin) == utc(2024, 3, 31, 1))
        #expect(seconds("2024-10-27 02:30:00", zone: berlin) == utc(2024, 10, 27, 0, 30))
        #expect(seconds("2024-10-27 03:30:00", zone: berlin) == utc(2024, 10, 27, 2, 30))
    }

    @Test func survivesHostileText() {
        for unit in ["1", "-", ":", "(", "a", "1 ", "ü", "1:", "+1", "年"] {
            #expect(seconds(String(repeating: unit, count: 100)) == nil)
            #expect(seconds(String(repeating: unit, count: 100_000)) == nil)
        }
        var bytes = SeededNumbers(seed: 5)
        let alphabet = Array("0123456789 :-+TZ/.,JanMonGMT(年é")
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 1...30, using: &bytes)).map { _ in alphabet.randomElement(using: &bytes) ?? " " })
            _ = seconds(text)
        }
    }
}

struct CivilTimeTests {
    @Test func countsDaysAsTheCalendarDoes() {
        #expect(CivilTime.daysSince1970(year: 1970, month: 1, day: 1) == 0)
        #expect(CivilTime.daysSince1970(year: 2000, month: 3, day: 1) == 11_017)
        #expect(CivilTime.daysSince1970(year: 1, month: 1, day: 1) == -719_162)
        #expect(CivilTime.daysSince1970(year: 9999, month: 12, day: 31) == 2_932_896)
    }

    @Test func writesWhatItReads() {
        var date = -59_011_459_200.0
        while date < 253_402_300_799 {
            let text = CivilTime(Date(timeIntervalSince1970: date)).iso8601
            #expect(DateParser.parse(text, timeZone: .gmt)?.timeIntervalSince1970 == date)
            date += 86_400 * 1_234 + 12_345
        }
    }

    @Test func knowsTheYearOfItsFirstAndLastSecond() {
        let wrong = (1...9999).filter { year in
            let first = CivilTime.daysSince1970(year: year, month: 1, day: 1) * 86_400
            let last = CivilTime.daysSince1970(year: year, month: 12, day: 31) * 86_400 + 86_399
            let times = [first, last].map { CivilTime(Date(timeIntervalSince1970: Double($0))) }
            return times.map(\.year) != [year, year] || times.map(\.month) != [1, 12] || times.map(\.day) != [1, 31]
        }
        #expect(wrong.isEmpty)
    }

    @Test func knowsTheDayOfTheWeek() {
        #expect(CivilTime(year: 2024, month: 3, day: 5).weekday == 2)
        #expect(CivilTime(year: 1900, month: 1, day: 1).weekday == 1)
    }
}
