import Foundation
import Testing

@testable import CrierContent

/// Dates as feeds in the wild write them, each odd in one way.
struct DateOdditiesTests {
    private func parse(_ text: String, zone: TimeZone = .gmt) -> Date? { DateParser.parse(text, timeZone: zone) }

    @Test(arguments: [
        "Mon, 06 Jan 2025 12:00:00 GTM", "Mon, 06 Jan 2025 12:00:00 UTC+0000", "Mon, 06 Jan 2025 12:00:00 Etc/GMT",
        "Mon, 06 Jan 2025 07:00:00 America/New_York", "Mon, 06 Jan 2025 07:00:00 Eastern Standard Time",
        "Mon, 06 Jan 2025 08:00:00 Eastern Daylight Time", "Mon, 06 Jan 2025 04:00:00 Pacific Standard Time",
        "Mon, 06 Jan 2025 12:00:00 +00:00:00", "Mon, 06 Jan 2025 12:00:00 \"GMT\"", "Mon, 06 Jan 2025 12:00:00 +0:00",
        "2025-01-06T07:00:00\u{2212}05:00", "2025-01-06 07:00:00 -05", "2025-01-06T12:00:00ZZ",
        "2025-01-06T12:00:00Z+00:00", "2025-01-06 12:00:00 +0000 UTC", "2025-01-06 20:00:00 Asia/Shanghai",
    ])
    func zonesInEverySpelling(text: String) {
        #expect(parse(text) == epiphany, "\(text)")
    }

    @Test(arguments: [
        "Mon, 06 Jan 2025 12.00.00", "06.01.2025 12.00", "6. tammikuuta 2025 klo 12.00", "den 6 januari 2025 kl. 12:00",
        "6 de enero de 2025 a las 12:00", "lundi 6 janvier 2025 à 12h00", "Montag, 6. Januar 2025 12:00 Uhr",
        "понедельник, 6 января 2025 г. 12:00", "2025年1月6日 星期一 12:00", "2025年01月06日(月) 12:00",
        "星期一, 06 一月 2025 12:00:00",
        "周一, 06 1月 2025 12:00:00", "2025年1月6日 下午12:00", "12:00, 6 January 2025", "Mon Jan 6 12:00:00 2025",
    ])
    func otherLanguagesAndOrders(text: String) {
        #expect(parse(text) == epiphany, "\(text)")
    }

    @Test(arguments: [
        "十二月 5, 2024", "5 十二月 2024", "5 十一月 2024", "5 十月 2024", "5 二月 2024", "5 一月 2024",
    ])
    func chineseMonthsAreToldApart(text: String) {
        let months = ["十二月": 12, "十一月": 11, "十月": 10, "二月": 2, "一月": 1]
        let name = text.split { $0 == " " || $0 == "," }.map(String.init).first { months[$0] != nil } ?? ""
        #expect(parse(text) == parse("2024-\((months[name] ?? 0) + 100)-05".replacing("-1", with: "-")))
    }

    @Test(arguments: [
        "1736164800", "1736164800.0", "1736164800000", "/Date(1736164800000)/", "20250106T120000Z", "202501061200",
        "/Date(1736164800000+0100)/", "/Date(1736164800000-0500)/",
        "1736164800000.0",
    ])
    func machinesWriteNumbers(text: String) {
        #expect(parse(text) == epiphany, "\(text)")
    }

    /// Never the present moment, never 1970.
    @Test(arguments: [
        "", "   ", "0", "1", "-1", "00000000", "null", "None", "N/A", "now", "today", "yesterday", "soon", "TBD",
        "12:00",
        "0000-00-00 00:00:00", "0000-00-00T00:00:00Z", "-0001-11-30T00:00:00+00:00", "0001-01-01T00:00:00Z",
        "01/01/0001 00:00:00", "Invalid Date", "NaN", "1e99", "2025-13-01", "2025-02-30",
        "Mon, 06 Foo 2025 12:00:00 GMT",
        "99999999999999999999", "/Date(x)/", "/Date(-0100)/", "/Date(1736164800000", "1736164800.", "1736164800.x",
        "America/New_York",
        "1736164800000.", "-2024-11-05",
    ])
    func whatIsNoDateIsAbsent(text: String) {
        #expect(parse(text) == nil, "\(text)")
    }

    @Test func aDateWithoutZoneIsInTheSources() throws {
        let shanghai = try #require(TimeZone(identifier: "Asia/Shanghai"))
        for text in [
            "2025-01-06 20:00:00", "2025-01-06T20:00", "6 Jan 2025 20:00", "2025年1月6日 20:00", "Mon Jan 6 20:00:00 2025",
        ] {
            #expect(parse(text, zone: shanghai) == epiphany, "\(text)")
        }
        #expect(parse("2025-01-07", zone: shanghai) == epiphany.addingTimeInterval(4 * 3600), "midnight there")
    }

    @Test(arguments: [(Double.nan, "0001-01-01T00:00:00Z"), (.infinity, "9999-12-31T23:59:59Z")])
    func aDateThatIsNoneIsWrittenAsTheNearest(seconds: Double, text: String) throws {
        var item = ContentItem(identifier: "1")
        item.published = Date(timeIntervalSince1970: seconds)
        #expect(ItemDocument.iso8601(Date(timeIntervalSince1970: seconds)) == text)
        #expect(try JQFilter(".published == \"\(text)\"").verdicts(on: [item]) == [.met])
    }
}
