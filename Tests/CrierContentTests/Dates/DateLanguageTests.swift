import Foundation
import Testing

@testable import CrierContent

/// Months, calendars and zones as languages and systems write them, each odd in one way.
struct DateLanguageTests {
    /// As ISO 8601 has it; a date without a time is its day.
    private func read(_ text: String, zone: TimeZone = .gmt) -> String? {
        guard let date = DateParser.parse(text, timeZone: zone) else { return nil }
        let text = CivilTime(date).iso8601
        return text.hasSuffix("T00:00:00Z") ? String(text.prefix(10)) : text
    }

    @Test(arguments: [
        ("令和6年11月5日", "2024-11-05"), ("令和元年5月1日", "2019-05-01"), ("平成30年1月2日", "2018-01-02"),
        ("昭和63年1月2日", "1988-01-02"), ("大正12年9月1日", "1923-09-01"), ("明治45年7月30日", "1912-07-30"),
        ("民國113年11月5日", "2024-11-05"), ("民国113年11月5日", "2024-11-05"), ("113年11月5日", "2024-11-05"),
        ("西暦2024年11月5日", "2024-11-05"), ("公元2024年11月5日", "2024-11-05"), ("发布于2024年11月5日", "2024-11-05"),
        ("令和6年11月5日 10時30分", "2024-11-05T10:30:00Z"), ("24年11月5日", "2024-11-05"),
    ])
    func yearsOfErasAreCountedFromTheirFirst(text: String, date: String) {
        #expect(read(text) == date, "\(text)")
    }

    @Test(arguments: ["弘治3年11月5日", "檀紀57年1月2日", "平成30/01/02", "令和 05.11.24", "元年11月5日", "令和9999年1月1日"])
    func aYearOfAnUnknownCalendarIsNone(text: String) {
        #expect(read(text) == nil, "\(text)")
    }

    @Test(arguments: [
        ("5 พฤศจิกายน 2567", "2024-11-05"), ("5 พ.ย. 2567", "2024-11-05"),
        ("วันอังคารที่ 5 พฤศจิกายน พ.ศ. 2567", "2024-11-05"),
        ("29 กุมภาพันธ์ 2567", "2024-02-29"), ("5 พฤศจิกายน 2024", "2024-11-05"), ("5 พ.ย. 67", nil),
        ("วันที่ 5/11/2567", "2024-11-05"), ("วันที่ 5/11/2567 10:30 น.", "2024-11-05T10:30:00Z"),
        ("5/11/2567 10:30 น.", "2024-11-05T10:30:00Z"), ("11/25/2024 10:00 น.", "2024-11-25T10:00:00Z"),
        ("Tue 11/5/2024 10:00 น.", "2024-11-05T10:00:00Z"),
        ("วันที่ 5/11/67", nil),
        ("a.พ.ย. 2567", nil),
    ])
    func thaiCountsAsBuddhistsDo(text: String, date: String?) {
        #expect(read(text) == date, "\(text)")
    }

    @Test(arguments: [
        "0024-11-05", "0002-11-30T00:00:00Z", "Sat, 30 Nov 0002 00:00:00 +0000", "Tue, 05 Nov 0024 10:00:00 +0000",
        "113/11/05", "2023-W53-1", "2019-W53-1", "2024W531", "0000000000", "0000000000000", "0000000000.5",
        "0123456789",
        "/Date(0000000000)/",
    ])
    func whatNamesNoDayOfOursIsNone(text: String) {
        #expect(read(text) == nil, "\(text)")
    }

    @Test func longYearsHaveAWeek53() {
        for (text, date) in [("2020-W53-7", "2021-01-03"), ("2015-W53-1", "2015-12-28"), ("2032-W53-1", "2032-12-27")] {
            #expect(read(text) == date)
        }
    }

    @Test(arguments: [
        ("Nov. 5, 2024, 10 a.m.", "2024-11-05T10:00:00Z"), ("Nov. 5, 2024, 3 p.m.", "2024-11-05T15:00:00Z"),
        ("5 Nov 2024 3 PM", "2024-11-05T15:00:00Z"), ("5 Nov 2024 12 AM", "2024-11-05"),
        ("3 PM, 5 Nov 2024", "2024-11-05T15:00:00Z"), ("11 am 5 Nov 2024", "2024-11-05T11:00:00Z"),
        ("Nov 5, 2024 3 p.m. EST", "2024-11-05T20:00:00Z"), ("5 nov 2024 3:30 p. m.", "2024-11-05T15:30:00Z"),
        ("11/5/2024, 3:30:00\u{202F}PM", "2024-11-05T15:30:00Z"), ("5\u{A0}Nov\u{A0}2024", "2024-11-05"),
        ("13 PM 5 Nov 2024", nil), ("5 Apr 2024", "2024-04-05"),
        ("5 mars 2024 à 10h", "2024-03-05T10:00:00Z"), ("mardi 5 mars 2024, 18h", "2024-03-05T18:00:00Z"),
        ("5 mars 2024, 18h – 20h", "2024-03-05T18:00:00Z"), ("5 mars 2024, 18h-20h", "2024-03-05T18:00:00Z"),
        ("18h, 5 mars 2024", "2024-03-05T18:00:00Z"), ("5 mars 2024 10hours", nil),
        ("5 Nov 2024 10 amp", nil),
        ("5 mars 2024 à 18 h 30", "2024-03-05T18:30:00Z"), ("5 mars 2024, 18 h", "2024-03-05T18:00:00Z"),
        ("5 mars 2024 8\u{A0}h\u{A0}05", "2024-03-05T08:05:00Z"), ("5 mars 2024 18\u{202F}h", "2024-03-05T18:00:00Z"),
        ("18 h 30, le 5 mars 2024", "2024-03-05T18:30:00Z"), ("18 h, 5 mars 2024", "2024-03-05T18:00:00Z"),
        ("5 mars 2024 18 h 30 – 20 h 15", "2024-03-05T18:30:00Z"), ("5 mars 2024 18 h – 20 h", "2024-03-05T18:00:00Z"),
        ("5 mars 2024 10 hours", nil), ("5 mars 2024 18 h 75", nil), ("5 mars 2024 25 h", nil),
    ])
    func hoursWithoutMinutes(text: String, date: String?) {
        #expect(read(text) == date, "\(text)")
    }

    @Test(arguments: [
        ("5 KASIM 2024", 11), ("5 HAZİRAN 2024", 6), ("5 ŞUBAT 2024", 2), ("5 ΝΟΕΜΒΡΙΟΥ 2024", 11),
        ("5 ΜΑΪΟΥ 2024", 5), ("5 ΑΥΓΟΥΣΤΟΣ 2024", 8), ("5 НОЯБРЯ 2024", 11), ("5 fevr. 2024", 2), ("5 FÉVR. 2024", 2),
        ("5 DECEMBRE 2024", 12), ("Di, 05 Jän 2024", 1), ("5 JÄNNER 2024", 1), ("вт, 5 ное 2024", 11),
        ("5 d'abril de 2024", 4), ("5 d\u{2019}octubre de 2024", 10), ("5 d'agost 2024", 8), ("5 fevereiro 2024", 2),
    ])
    func monthsInCapitalsAndWithoutAccents(text: String, month: Int) {
        #expect(read(text) == "2024-\(month < 10 ? "0" : "")\(month)-05", "\(text)")
    }

    @Test(arguments: [
        ("5. siječnja 2024", 1), ("5. veljače 2024", 2), ("5. lipnja 2024", 6), ("5. srpnja 2024", 7),
        ("5. studenoga 2024", 11),
        ("5. apríla 2024", 4), ("5. marec 2024", 3), ("5. októbra 2024", 10), ("5. avgust 2024", 8),
        ("5. junij 2024", 6),
        ("5. veebruar 2024", 2), ("5. novembril 2024", 11), ("5. detsember 2024", 12), ("2024. gada 5. novembris", 11),
        ("2024. gada 5. augustā", 8), ("2024 m. lapkričio 5 d.", 11), ("5 sausio 2024", 1), ("5. júní 2024", 6),
        ("5. nóvember 2024", 11), ("5. ágúst 2024", 8), ("5 tháng 11, 2024", 11), ("ngày 5 tháng 11 năm 2024", 11),
        ("5 thg 9 2024", 9), ("05 Tháng Mười Một 2024", 11), ("05 Tháng Mười 2024", 10), ("05 Tháng Năm năm 2024", 5),
        ("05 tháng mười năm 2024", 10), ("5 نوفمبر 2024", 11), ("5 نوفمبر، 2024", 11), ("الثلاثاء, 05 يوليو 2024", 7),
        ("5 בנובמבר 2024", 11), ("ג', 05 נוב׳ 2024", 11), ("5 नवंबर 2024", 11), ("5 फ़रवरी 2024", 2),
        ("5 azaroa 2024", 11),
        ("5 xaneiro 2024", 1), ("5 септембар 2024", 9), ("5 снежня 2024", 12), ("5. června 2024", 6), ("5 čvc 2024", 7),
        ("5 listopada 2024", 11), ("5. prosinca 2024", 12),
    ])
    func monthsOfMoreLanguages(text: String, month: Int) {
        #expect(read(text) == "2024-\(month < 10 ? "0" : "")\(month)-05", "\(text)")
    }

    @Test(arguments: [
        ("٥ نوفمبر ٢٠٢٤", "2024-11-05"), ("٢٠٢٤-١١-٠٥", "2024-11-05"), ("۵ نوفمبر ۲۰۲۴", "2024-11-05"),
        ("५ नवंबर २०२४", "2024-11-05"), ("２０２４年１１月５日", "2024-11-05"), ("令和６年１１月５日", "2024-11-05"),
        ("２０２４－１１－０５Ｔ１０：３０：００Ｚ", "2024-11-05T10:30:00Z"), ("๕ พฤศจิกายน ๒๕๖๗", "2024-11-05"),
        ("۱۴۰۳/۰۸/۱۵", nil), ("๒๕๖๗-๑๑-๐๕", nil), ("٢٠٢٤", "2024-01-01"), ("²⁰²⁴-11-05", nil),
        ("٠٥/١١/٢٠٢٤", "2024-11-05"), ("٢٠٢٤/١١/٠٥ ١٠:٣٠ م", "2024-11-05T22:30:00Z"), ("۰۳/۰۸/۱۵", nil),
        ("الثلاثاء، ٥ نوفمبر ٢٠٢٤ ١٠:٣٠ صباحًا", "2024-11-05T10:30:00Z"), ("๕/๑๑/๖๗", nil), ("२०८१-०७-२०", nil),
    ])
    func digitsOfOtherScripts(text: String, date: String?) {
        #expect(read(text) == date, "\(text)")
    }

    /// What two languages mean by different months names none, however it is written.
    @Test func namesThatLanguagesDisagreeOnAreNoMonth() {
        #expect(MonthNames.month("srp") == nil)
        #expect(MonthNames.fromCLDR.count == 12)
        let earlier = Set(["listopad", "listopada", "lip", "lis"])
        var months: [Substring: Int] = [:]
        for (index, names) in MonthNames.fromCLDR.enumerated() {
            for name in names.split(whereSeparator: \.isWhitespace) {
                #expect(MonthNames.byName[String(name)] == index + 1, "\(name)")
                #expect(months.updateValue(index, forKey: name) == nil, "\(name) is there twice")
                #expect(!earlier.contains(String(name)))
            }
        }
    }

    @Test(arguments: [
        ("Febuary", 2), ("Feburary", 2), ("Januray", 1), ("Janaury", 1), ("Apirl", 4), ("Agust", 8), ("Setp", 9),
        ("Sepember", 9), ("Septmeber", 9), ("Ocotber", 10), ("Novmber", 11), ("Novemeber", 11), ("Decmber", 12),
        ("Spet", 9),
    ])
    func monthsWithASlipOfTheKeyboard(name: String, month: Int) {
        #expect(read("Tue, 05 \(name) 2024 00:00:00 GMT") == "2024-\(month < 10 ? "0" : "")\(month)-05")
    }

    @Test(arguments: [
        "Foo", "Match", "Tune", "Mayor", "Novel", "Decade", "Octopus", "Junk", "Xovember", "Embers", "Setup",
        "Tháng Foo",
    ])
    func otherWordsAreNoMonths(word: String) {
        #expect(read("Tue, 05 \(word) 2024 00:00:00 GMT") == nil)
    }

    /// Hours east of UTC; nil is the source's zone.
    @Test(arguments: [
        ("Central Europe Standard Time", 1), ("Central European Standard Time", 1), ("Central European Summer Time", 2),
        ("W. Europe Standard Time", 1), ("E. Europe Daylight Time", 3), ("Romance Standard Time", 1),
        ("GMT Standard Time", 0),
        ("Greenwich Mean Time", 0), ("Coordinated Universal Time", 0), ("British Summer Time", 1), ("Eastern Time", -5),
        ("Eastern Standard Time", -5), ("Central Daylight Time", -5), ("Pacific Standard Time", -8), ("Pacific", -8),
        ("US Mountain Standard Time", -7), ("India Standard Time", 5.5), ("China Standard Time", 8),
        ("AUS Eastern Daylight Time", 11),
        ("Central Asia Standard Time", nil), ("Central Pacific Standard Time", nil), ("Pacific SA Standard Time", nil),
        ("West Asia Standard Time", nil), ("E. Africa Standard Time", nil), ("N. Central Asia Standard Time", nil),
        ("GMT Daylight Time", 1),
    ])
    func zonesInWordsAreThatZoneOrNone(name: String, hours: Double?) throws {
        let source = try #require(TimeZone(secondsFromGMT: 13 * 3600))
        let seconds = DateParser.parse("Tue, 05 Mar 2024 12:00:00 \(name)", timeZone: source)?.timeIntervalSince1970
        #expect(seconds == 1_709_640_000 - (hours ?? 13) * 3600, "\(name)")
    }
}
