import CrierTesting
import Foundation
import Testing

@testable import CrierContent

struct DateFormsTests {
    private func seconds(_ text: String, zone: TimeZone = .gmt, local: Bool = false) -> Double? {
        DateParser.parse(text, timeZone: zone, datesAreLocal: local)?.timeIntervalSince1970
    }

    /// 2024-03-05 12:00:00 UTC.
    private let noon = 1_709_640_000.0

    /// Hours east of UTC of each name.
    @Test(arguments: [
        ("UT", 0), ("UTC", 0), ("GMT", 0), ("Z", 0), ("WET", 0), ("A", 0), ("M", 0), ("N", 0), ("Y", 0),
        ("EST", -5), ("EDT", -4), ("CST", -6), ("CDT", -5), ("MST", -7), ("MDT", -6), ("PST", -8), ("PDT", -7),
        ("ET", -5), ("CT", -6), ("MT", -7), ("PT", -8), ("AKST", -9), ("AKDT", -8), ("HST", -10), ("SST", -11),
        ("AST", -4), ("AT", -4), ("ADT", -3), ("NST", -3.5), ("NDT", -2.5), ("BRT", -3), ("ART", -3), ("CLT", -4),
        ("CLST", -3), ("BRST", -2), ("BST", 1), ("CET", 1), ("MEZ", 1), ("CEST", 2), ("MESZ", 2), ("EET", 2),
        ("SAST", 2), ("EEST", 3), ("MSK", 3), ("MSD", 4), ("GST", 4), ("PKT", 5), ("NPT", 5.75), ("BDT", 6),
        ("ICT", 7), ("WIB", 7), ("HKT", 8), ("SGT", 8), ("AWST", 8), ("PHT", 8), ("JST", 9), ("KST", 9),
        ("WIT", 9), ("ACST", 9.5), ("AEST", 10), ("ACDT", 10.5), ("AEDT", 11), ("NZST", 12), ("NZDT", 13),
        ("WAT", 1), ("EAT", 3), ("TRT", 3), ("COT", -5), ("PET", -5), ("VET", -4), ("HDT", -9), ("AET", 10),
        ("EST5EDT", -5), ("PST8PDT", -8),
    ])
    func knowsZonesByName(_ name: String, _ hours: Double) {
        #expect(seconds("Tue, 05 Mar 2024 12:00:00 \(name)") == noon - hours * 3600)
        #expect(seconds("Tue, 05 Mar 2024 12:00:00 \(name.lowercased())") == noon - hours * 3600)
        #expect(seconds("Tue Mar 5 12:00:00 \(name) 2024") == noon - hours * 3600)
    }

    @Test(arguments: [
        ("+0000", 0), ("-0000", 0), ("+0530", 5.5), ("+05:30", 5.5), ("-0330", -3.5), ("+1400", 14), ("-1200", -12),
        ("+08", 8), ("+8", 8), ("+08:45", 8.75), ("UTC+3", 3), ("GMT-5", -5), ("GMT+0545", 5.75), ("+00000", 0),
        ("\u{2212}0500", -5), ("\u{2013}0500", -5),
    ])
    func knowsZonesByOffset(_ name: String, _ hours: Double) {
        #expect(seconds("Tue, 05 Mar 2024 12:00:00 \(name)") == noon - hours * 3600)
    }

    @Test func readsATimeInAnUnknownZoneInTheSourcesZone() throws {
        let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
        #expect(seconds("Tue, 05 Mar 2024 12:00:00 XYZT", zone: tokyo) == noon - 9 * 3600)
    }

    @Test(arguments: [
        ("5. Januar 2024", 1), ("5. Februar 2024", 2), ("5. März 2024", 3), ("5. Mai 2024", 5), ("5. Juni 2024", 6),
        ("5. Juli 2024", 7), ("5. Oktober 2024", 10), ("5. Dezember 2024", 12), ("5 janvier 2024", 1),
        ("5 février 2024", 2), ("5 mars 2024", 3), ("5 avril 2024", 4), ("5 mai 2024", 5), ("5 juin 2024", 6),
        ("5 juillet 2024", 7), ("5 août 2024", 8), ("5 décembre 2024", 12), ("5 de enero de 2024", 1),
        ("5 de febrero de 2024", 2), ("5 de abril de 2024", 4), ("5 de agosto de 2024", 8),
        ("5 de septiembre de 2024", 9), ("5 de diciembre de 2024", 12), ("5 gennaio 2024", 1), ("5 giugno 2024", 6),
        ("5 luglio 2024", 7), ("5 ottobre 2024", 10), ("5 de janeiro de 2024", 1), ("5 de fevereiro de 2024", 2),
        ("5 de outubro de 2024", 10), ("5 maart 2024", 3), ("5 mei 2024", 5), ("5 augustus 2024", 8),
        ("5 stycznia 2024", 1), ("5 kwietnia 2024", 4), ("5 października 2024", 10), ("5 listopada 2024", 11),
        ("5. ledna 2024", 1), ("5. srpna 2024", 8), ("5. října 2024", 10), ("5. prosince 2024", 12),
        ("5 января 2024", 1), ("5 мая 2024", 5), ("5 августа 2024", 8), ("5 декабря 2024 г.", 12),
        ("5 січня 2024", 1), ("5 липня 2024", 7), ("5 грудня 2024", 12), ("5 януари 2024", 1), ("5 юли 2024", 7),
        ("5 Ιανουαρίου 2024", 1), ("5 Αυγούστου 2024", 8), ("5 Δεκεμβρίου 2024", 12), ("2024. január 5.", 1),
        ("2024. augusztus 5.", 8), ("5 Ocak 2024", 1), ("5 Şubat 2024", 2), ("5 Ağustos 2024", 8),
        ("5 Aralık 2024", 12), ("5 januari 2024", 1), ("5 augusti 2024", 8), ("5. marts 2024", 3),
        ("5. desember 2024", 12), ("5. tammikuuta 2024", 1), ("5. joulukuuta 2024", 12), ("5 ianuarie 2024", 1),
        ("5 iulie 2024", 7), ("5 gener 2024", 1), ("5 agost 2024", 8), ("5 Agustus 2024", 8), ("5 Maret 2024", 3),
        ("2024年1月5日", 1), ("2024년 12월 5일", 12), ("5 JANUARY 2024", 1), ("5 sept 2024", 9), ("Sept. 5, 2024", 9),
    ])
    func knowsMonthsInManyLanguages(_ text: String, _ month: Int) {
        let day = Double(CivilTime.daysSince1970(year: 2024, month: month, day: 5)) * 86_400
        // Dates in Korean are Korea's.
        #expect(seconds(text) == day - (text.contains("년") ? 9 * 3600 : 0))
    }

    @Test(arguments: [
        ("00", 2000), ("24", 2024), ("49", 2049), ("50", 1950), ("70", 1970), ("99", 1999), ("124", 2024),
        ("099", 1999), ("1000", 1000), ("2024", 2024),
    ])
    func completesShortYears(_ text: String, _ year: Int) {
        let day = Double(CivilTime.daysSince1970(year: year, month: 3, day: 5)) * 86_400
        #expect(seconds("5 Mar \(text) 00:00:00 GMT") == day)
    }

    @Test(arguments: [
        ("2020-W53-5", "2021-01-01"), ("2021-W01-1", "2021-01-04"), ("2015-W01", "2014-12-29"),
        ("2015W537", "2016-01-03"), ("2024-W09-4", "2024-02-29"), ("2024-366", "2024-12-31"),
        ("2023-365", "2023-12-31"), ("2023-060", "2023-03-01"), ("2000-060", "2000-02-29"), ("1900-060", "1900-03-01"),
        ("2024060", "2024-02-29"), ("24060", "2024-02-29"),
    ])
    func placesWeeksAndDaysOfTheYear(_ text: String, _ date: String) throws {
        let expected = try #require(seconds(date))
        #expect(seconds(text) == expected)
    }

    @Test(arguments: [
        "2023-02-29", "1900-02-29", "2100-02-29", "2024-04-31", "2024-00-10", "2024-01-00", "2024-000", "2024-367",
        "2024-W00-1", "2024-W10-8", "2024-W10-0", "2024-03-05T12:60:00Z", "2024-03-05T12:00:61Z", "2024-03-05T-1:00Z",
        "32 Jan 2024 00:00 GMT", "31 Apr 2024 00:00 GMT", "0 Jan 2024 00:00 GMT", "5 Mar 2024 24:01 GMT",
        "5 Mar 2024 12:00:00 +2500", "5 Mar 2024 12:00:00 +0160", "13/13/2024", "00/10/2024", "5 Foo 2024 12:00 GMT",
        "2024-3", "2024-03-05T", "Mar 2024 5 6 7", "12:00:00", "Tuesday", "+0100", "GMT",
        "2024-W1", "2024-03-05T12:00:00+24:00", "2024-03-05T12:00:00+01:60", "5 Mar 2024 12:00:00 +00530",
        "5 Mar 2024 12:00:00 +0000000", "5 Mar 2024 18:00–25:00", "5 Mar 2024 18:00–20:75", "1/2/20245", "2024/03/005",
        "11月5日 8", "9999-W52-7", "1/2/", "06-1-",
    ])
    func refusesImpossibleNumbers(_ text: String) {
        #expect(seconds(text) == nil, "\(text)")
    }

    @Test(arguments: ["2024-02-29", "2000-02-29", "1600-02-29", "29 Feb 2024 00:00 GMT", "Thu, 29-Feb-24 00:00:00 GMT"])
    func takesLeapDays(_ text: String) {
        #expect(seconds(text) != nil)
    }

    @Test(arguments: [
        "  Tue,  05   Mar 2024\t12:00:00   GMT ", "\nTue, 05 Mar 2024\n12:00:00 GMT\n", "Tue,05 Mar 2024 12:00:00 GMT",
        "Tue 05 Mar 2024 12:00:00 GMT", "Tue., 05 Mar. 2024 12:00:00 GMT", "TUE, 05 MAR 2024 12:00:00 GMT",
        "Mon, 05 Mar 2024 12:00:00 GMT", "Tues, 05 March 2024 12:00 GMT", "Tue, 05 Mar, 2024 12:00:00 GMT",
        "05-Mar-2024 12:00:00", "05/Mar/2024 12:00:00", "Mar 05 2024 12:00:00", "March 5 2024 12:00 PM",
        "5 Mar 2024 12:00:00 (UTC)", "[5 Mar 2024 12:00:00]", "5 Mar 2024, 12h00", "5 Mar 2024 | 12:00",
        " 2024-03-05T12:00:00Z\n", "2024-03-05  12:00:00", "2024-03-05T12:00Z", "2024-03-05T12Z", "20240305T12Z",
        "2024-03-05T12:00:00 UTC", "2024-03-05 12:00:00 GMT", "2024-03-05T12:00:00.000Z", "2024-03-05T13:00:00 +0100",
    ])
    func readsWhatPublishersMakeOfDates(_ text: String) {
        #expect(seconds(text) == noon, "\(text)")
    }

    @Test(arguments: [
        ("12:00 AM", 0), ("12:30 am", 0.5), ("1:00 AM", 1), ("11:59 AM", 11.0 + 59.0 / 60), ("12:00 PM", 12),
        ("1:00 p.m.", 13), ("11:00PM", 23), ("13:00 PM", 13), ("3pm", 15), ("3 pm", 15),
    ])
    func readsHalvesOfTheDay(_ clock: String, _ hours: Double?) {
        #expect(seconds("March 5, 2024 \(clock)") == hours.map { noon - 43_200 + $0 * 3600 })
    }

    @Test(arguments: [
        ("2024-03-05T12:00:00.1Z", 0.1), ("2024-03-05T12:00:00,75Z", 0.75),
        ("2024-03-05T12:00:00.123456789012Z", 0.123456789),
        ("5 Mar 2024 12:00:00.5 GMT", 0.5), ("2024-03-05 12:00:00.000001", 0.000001), ("1709640000500", 0.5),
        ("1709640000500.0", 0.5), ("1709640000123.456", 0.123456),
    ])
    func keepsFractionsInEveryForm(_ text: String, _ fraction: Double) throws {
        #expect(abs(try #require(seconds(text)) - noon - fraction) < 1e-6)
    }

    @Test func reachesFromTheYear100ToTheLast() {
        #expect(seconds("0100-01-01T00:00:00Z") == -59_011_459_200)
        #expect(seconds("0099-12-31T23:59:59Z") == nil)
        #expect(seconds("9999-12-31T23:59:59Z") == 253_402_300_799)
        #expect(seconds("9999-12-31T24:00:00Z") == 253_402_300_800)
        #expect(seconds("10000-01-01") == nil)
    }

    @Test func ignoresEveryKindOfZoneWhereDatesAreLocal() throws {
        let shanghai = try #require(TimeZone(identifier: "Asia/Shanghai"))
        for zone in ["Z", " UTC", " EST", " +0200", " -11:00", " America/New_York", ""] {
            #expect(seconds("2024-03-05 12:00:00" + zone, zone: shanghai, local: true) == noon - 8 * 3600, "\(zone)")
        }
        // An instant has no zone that could be wrong.
        #expect(seconds("1709640000", zone: shanghai, local: true) == noon)
    }

    /// Clocks that change by half an hour, at midnight, over a whole day.
    @Test(arguments: [
        ("Australia/Lord_Howe", "2024-10-06T02:15:00", -10.5), ("Australia/Lord_Howe", "2024-04-07T01:45:00", -11),
        ("America/Sao_Paulo", "2018-11-04T00:30:00", 3), ("America/New_York", "2024-03-10T02:30:00", 5),
        ("America/New_York", "2024-11-03T01:30:00", 4), ("Pacific/Apia", "2011-12-30T12:00:00", 10),
        ("Asia/Kathmandu", "2024-03-05T12:00:00", -5.75),
    ])
    func placesLocalTimesAroundEveryKindOfChange(_ zone: String, _ text: String, _ hours: Double) throws {
        let zone = try #require(TimeZone(identifier: zone))
        let utc = try #require(seconds(text + "Z"))
        #expect(seconds(text, zone: zone) == utc + hours * 3600)
    }

    /// What Foundation writes of any instant is read back as that instant.
    @Test(arguments: [
        "yyyy-MM-dd'T'HH:mm:ssXXX", "yyyy-MM-dd'T'HH:mm:ssZ", "yyyyMMdd'T'HHmmssZ", "EEE, dd MMM yyyy HH:mm:ss Z",
        "EEEE, d MMMM yyyy HH:mm:ss xxx", "YYYY-'W'ww-e'T'HH:mm:ssXXX", "yyyy-DDD'T'HH:mm:ssXXX",
        "MMM d, yyyy h:mm:ss a Z", "EEE MMM dd HH:mm:ss Z yyyy", "yyyy/MM/dd HH:mm:ss Z", "d.M.yyyy HH:mm:ss Z",
    ])
    func readsBackWhatFoundationWrites(_ format: String) throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.calendar = Calendar(identifier: format.hasPrefix("YYYY") ? .iso8601 : .gregorian)
        formatter.dateFormat = format
        for name in ["GMT", "Asia/Shanghai", "America/St_Johns", "Asia/Kathmandu", "Pacific/Kiritimati"] {
            let zone = try #require(TimeZone(identifier: name))
            formatter.timeZone = zone
            var numbers = SeededNumbers(seed: 2)
            for _ in 0..<40 {
                let seconds = Int.random(in: 315_532_800...4_102_444_799, using: &numbers)
                let instant = Date(timeIntervalSince1970: Double(seconds))
                let text = formatter.string(from: instant)
                #expect(DateParser.parse(text, timeZone: .gmt) == instant, "\(text)")
            }
        }
    }

    /// Local times without a zone, but not where the clock changes.
    @Test(arguments: ["Europe/Berlin", "America/New_York", "Asia/Shanghai", "Australia/Sydney", "Africa/Lagos"])
    func readsBackLocalTimesInTheirZone(_ name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = zone
        for format in ["yyyy-MM-dd HH:mm:ss", "d MMM yyyy HH:mm:ss", "yyyyMMddHHmmss"] {
            formatter.dateFormat = format
            var numbers = SeededNumbers(seed: 3)
            for _ in 0..<40 {
                let seconds = Int.random(in: 946_684_800...1_893_456_000, using: &numbers)
                let instant = Date(timeIntervalSince1970: Double(seconds))
                let around = Set([-86_400.0, 0, 86_400].map { zone.secondsFromGMT(for: instant + $0) })
                guard around.count == 1 else { continue }
                let text = formatter.string(from: instant)
                #expect(DateParser.parse(text, timeZone: zone) == instant, "\(text) in \(name)")
            }
        }
    }

    /// What the short way reads is what the long way reads.
    @Test func datesOfMailAreReadAlikeBothWays() {
        func read(_ text: String, _ parse: (ByteCursor) -> CivilTime?) -> [Int?]? {
            withUTF8(of: text) { parse(ByteCursor($0)) }.flatMap { $0.isPossible ? [$0.secondsAsUTC, $0.offset] : nil }
        }
        var numbers = SeededNumbers(seed: 4)
        var count = 0
        for _ in 0..<12_000 {
            func any(_ texts: [String]) -> String { texts.randomElement(using: &numbers) ?? "" }
            func number(_ range: ClosedRange<Int>) -> String {
                let text = String(Int.random(in: range, using: &numbers))
                return text.count == 1 && Int.random(in: 0..<9, using: &numbers) > 0 ? "0" + text : text
            }
            let text =
                any(["Sun, ", "wed, ", "FRI, ", "Sat, ", "", "", "Mar, ", "Mon,"]) + number(0...32)
                + any([" ", " ", " ", "  ", "-"]) + any(["Jan", "feb", "MAR", "Jun", "Sep", "Dec", "Sept", "Mai"])
                + " " + any(["2025", "1999", "2024", "24", "0099"]) + any([" ", " ", ", "]) + number(0...25) + ":"
                + number(0...61) + any([":00", ":59", ":60", ":61", "", ":5", ":07.5"])
                + any([
                    " GMT", " GMT", " +0000", " -0730", " +2400", " +0160", " EST", " Z", "", " +01:00", "GMT", " gmt",
                    " GM",
                ])
            guard let short = read(text, MailDate.parse) else { continue }
            count += 1
            #expect(short == read(text) { WrittenDate.parse($0, namesIn: .gmt) }, "\(text)")
        }
        #expect(count > 200)
    }
}
