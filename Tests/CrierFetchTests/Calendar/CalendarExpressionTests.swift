import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

struct CalendarExpressionTests {
    private static let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    private func next(_ text: String, after start: String, count: Int = 1, in zone: TimeZone = .gmt) throws -> [String]
    {
        let expression = try CalendarExpression(text)
        var moments: [Date] = []
        while moments.count < count, let moment = expression.next(after: try moments.last ?? date(start), in: zone) {
            moments.append(moment)
        }
        return moments.map { $0.formatted(.iso8601) }
    }

    @Test(arguments: [
        ("08:30", "2026-11-21T08:29:59Z", ["2026-11-21T08:30:00Z", "2026-11-22T08:30:00Z"]),
        ("08:30", "2026-11-21T08:30:00Z", ["2026-11-22T08:30:00Z"]),
        ("mon..fri 08:30", "2026-11-20T09:00:00Z", ["2026-11-23T08:30:00Z", "2026-11-24T08:30:00Z"]),
        ("Sat *-*-1..7 18:00", "2026-11-21T00:00:00Z", ["2026-12-05T18:00:00Z", "2027-01-02T18:00:00Z"]),
        (
            "sat,sun,mon 0:0", "2026-11-20T00:00:00Z",
            ["2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z", "2026-11-23T00:00:00Z"]
        ),
        (
            "sat..mon 8:00", "2026-11-24T08:00:00Z",
            ["2026-11-28T08:00:00Z", "2026-11-29T08:00:00Z", "2026-11-30T08:00:00Z", "2026-12-05T08:00:00Z"]
        ),
        ("Wednesday,fri 7:00:30", "2026-11-21T00:00:00Z", ["2026-11-25T07:00:30Z", "2026-11-27T07:00:30Z"]),
        ("*-*~1 20:00", "2028-02-01T00:00:00Z", ["2028-02-29T20:00:00Z", "2028-03-31T20:00:00Z"]),
        ("*-02-29", "2026-01-01T00:00:00Z", ["2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z"]),
        ("*-*-31 12:00", "2026-01-31T12:00:00Z", ["2026-03-31T12:00:00Z"]),
        ("*:0/15", "2026-11-21T23:44:00Z", ["2026-11-21T23:45:00Z", "2026-11-22T00:00:00Z"]),
        ("*:0/20:10", "2026-11-21T23:44:00Z", ["2026-11-22T00:00:10Z"]),
        (
            "22,9:45,0/20,40..41", "2026-11-21T09:20:00Z",
            [
                "2026-11-21T09:40:00Z", "2026-11-21T09:41:00Z", "2026-11-21T09:45:00Z", "2026-11-21T22:00:00Z",
                "2026-11-21T22:20:00Z",
            ]
        ),
        ("*:00,30:00", "2026-11-21T08:00:00Z", ["2026-11-21T08:30:00Z", "2026-11-21T09:00:00Z"]),
        ("8:00,30:00", "2026-11-21T08:00:00Z", ["2026-11-21T08:30:00Z", "2026-11-22T08:00:00Z"]),
        ("1/9223372036854775807:00", "2026-11-21T00:00:00Z", ["2026-11-21T01:00:00Z", "2026-11-22T01:00:00Z"]),
        ("8..10/2:00", "2026-11-21T08:00:00Z", ["2026-11-21T10:00:00Z"]),
        ("weekly", "2026-11-21T00:00:00Z", ["2026-11-23T00:00:00Z"]),
        ("quarterly", "2026-11-21T00:00:00Z", ["2027-01-01T00:00:00Z"]),
        ("26-12-24 17:00", "2026-11-21T00:00:00Z", ["2026-12-24T17:00:00Z"]),
        ("08:30 Asia/Shanghai", "2026-11-21T00:00:00Z", ["2026-11-21T00:30:00Z"]),
        ("8:30 UTC", "2026-11-21T00:00:00Z", ["2026-11-21T08:30:00Z"]),
    ])
    func isDueAtTheMomentsThatItSays(_ text: String, _ start: String, _ expected: [String]) throws {
        #expect(try next(text, after: start, count: expected.count) == expected)
    }

    @Test(arguments: ["2020-01-01", "*-02-30", "Mon 2026-11-22"])
    func isNeverDueWhereNoDayIsLike(_ text: String) throws {
        #expect(try next(text, after: "2026-11-21T00:00:00Z").isEmpty)
    }

    @Test func aTimeThatTheClocksLeaveOutIsDueWhenTheyAreMovedOn() throws {
        // On 2026-03-29 the clocks of Berlin go from 2:00 to 3:00, which is 1:00 UTC.
        let moments = try next("02:30", after: "2026-03-28T12:00:00Z", count: 2, in: Self.berlin)
        #expect(moments == ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"])
    }

    @Test func aTimeThatTheClocksShowTwiceIsDueOnce() throws {
        // On 2026-10-25 they go from 3:00 back to 2:00.
        let moments = try next("02:30", after: "2026-10-24T12:00:00Z", count: 2, in: Self.berlin)
        #expect(moments == ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"])
        // A time after both is unaffected, also where the search begins between the two.
        #expect(try next("03:30", after: "2026-10-25T00:45:00Z", in: Self.berlin) == ["2026-10-25T02:30:00Z"])
        #expect(try next("02:30", after: "2026-10-25T00:45:00Z", in: Self.berlin) == ["2026-10-26T01:30:00Z"])
    }

    @Test func aMidnightThatIsLeftOutIsDueWhenTheDayBegins() throws {
        // In São Paulo the day of 2018-11-04 began at 1:00.
        let zone = try #require(TimeZone(identifier: "America/Sao_Paulo"))
        #expect(try next("daily", after: "2018-11-03T12:00:00Z", in: zone) == ["2018-11-04T03:00:00Z"])
    }

    @Test(arguments: [
        ("", "a calendar expression is empty"), ("UTC", "`UTC` says no time"),
        ("25:00", "`25` is no hour: a number from 0 to 23, a range such as `0..1`, a step such as `0/2`, or `*`"),
        ("mun 08:00", "`mun` is no day of the week, such as `mon`, or `mon..fri`"),
        ("8", "`8` is neither a date, such as `*-*-1`, nor a time, such as `08:30`"),
        ("8:30 9:30", "`9:30` is too much in `8:30 9:30`"),
        ("8:30 fri UTC", "`fri` is too much in `8:30 fri UTC`: days stand before the time, as in `fri 08:30`"),
        ("8:30 CET", "`CET` is too much in `8:30 CET`: a time zone is written as Europe/Berlin or UTC"),
        ("08:30:00:00", "`08:30:00:00` is no time, such as `08:30`"),
        ("*-13-1", "`13` is no month: a number from 1 to 12, a range such as `1..2`, a step such as `1/2`, or `*`"),
        ("*-*-5..1", "`5..1` is no day: a number from 1 to 31, a range such as `1..2`, a step such as `1/2`, or `*`"),
        ("*:0/0", "`0/0` is no minute: a number from 0 to 59, a range such as `0..1`, a step such as `0/2`, or `*`"),
    ])
    func saysWhatIsWrong(_ text: String, _ sentence: String) {
        #expect(throws: CalendarExpressionError(sentence)) { try CalendarExpression(text) }
    }

    /// To systemd the first would be 08:18 and 08:30.
    @Test(arguments: ["08:30,18:00", "08:30,12:00,18:00", "sat 8:30:00,9:30:00"])
    func severalTimesAreRefused(_ text: String) {
        let word = text.split(separator: " ").last ?? ""
        let sentence =
            "`\(word)` is more than one time: hours with the same minutes go together as `08,18:30`, others take a "
            + "digest each"
        #expect(throws: CalendarExpressionError(sentence)) { try CalendarExpression(text) }
    }

    /// The reference, where it is installed.
    private static let program = "/usr/bin/systemd-analyze"
    private static let isThere = FileManager.default.isExecutableFile(atPath: program)

    @Test(.enabled(if: isThere, "systemd-analyze is not installed"))
    func agreesWithSystemd() throws {
        var random = SeededNumbers(seed: 7)
        for _ in 0..<60 {
            let text = Self.expression(&random)
            let start = Date(
                timeIntervalSince1970: Double(Int.random(in: 1_600_000_000..<1_900_000_000, using: &random)))
            let own = try CalendarExpression(text).next(after: start, in: .gmt)
            let reference = try Self.reference(text, after: start)
            #expect(Self.written(own) == reference, "\(text) after \(start)")
        }
    }

    /// Around the days on which the clocks are moved. Where they leave a time out systemd skips the day, and Crier does not.
    @Test(.enabled(if: isThere, "systemd-analyze is not installed"))
    func agreesWithSystemdAlsoWhereClocksAreMoved() throws {
        var random = SeededNumbers(seed: 11)
        let zones = [
            "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Shanghai", "America/Sao_Paulo",
            "Africa/Casablanca", "Asia/Kathmandu",
        ]
        let times = [
            "02:30", "02:15", "01:30", "00:00", "03:00", "mon..sun 2:5", "*-*-* 00,12:00", "*-*~1 2:30", "Sun 1:59",
        ]
        var skips = 0
        for number in 0..<70 {
            let zone = try #require(TimeZone(identifier: zones[number % zones.count]))
            let text = "\(times.randomElement(using: &random) ?? "") \(zone.identifier)"
            let year = 1_500_000_000 + Double(Int.random(in: 0..<400_000_000, using: &random))
            let change = zone.nextDaylightSavingTimeTransition(after: Date(timeIntervalSince1970: year))
            let start = (change ?? Date(timeIntervalSince1970: year))
                .addingTimeInterval(Double(Int.random(in: -90_000..<9000, using: &random)))
            let expression = try CalendarExpression(text)
            var own = expression.next(after: start, in: .gmt)
            let reference = try Self.reference(text, after: start)
            if let moment = own, Self.written(moment) != reference,
                zone.nextDaylightSavingTimeTransition(after: moment.addingTimeInterval(-1)) == moment
            {
                skips += 1
                own = expression.next(after: moment, in: .gmt)
            }
            #expect(Self.written(own) == reference, "\(text) after \(start)")
        }
        #expect(skips > 0, "no time was left out: the clocks were not met")
    }

    /// When systemd says that it is due, in UTC.
    private static func reference(_ text: String, after start: Date) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.environment = ["TZ": "UTC", "LC_ALL": "C"]
        process.arguments = ["calendar", "--base-time=@\(Int(start.timeIntervalSince1970))", text]
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let line = output.split(separator: "\n").first { $0.contains("Next elapse: ") }
        return line?.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? "unread"
    }

    /// As systemd writes it.
    private static func written(_ date: Date?) -> String {
        let format = Date.VerbatimFormatStyle(
            format: """
                \(weekday: .abbreviated) \(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \
                \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
                \(second: .twoDigits) UTC
                """,
            locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
        return date.map { $0.formatted(format) } ?? "never"
    }

    private static func expression(_ random: inout SeededNumbers) -> String {
        let days = ["", "", "Mon ", "sat,sun ", "Mon..Fri ", "thu..sun "]
        let dates = [
            "", "*-*-* ", "*-*-1..7 ", "*-*-31 ", "*-02-29 ", "*-1,6-15 ", "*-*~1 ", "*-*~7/1 ", "*-05~7/2 ",
            "*-*~1..3 ", "*-*~5,2 ", "*-*-5/10 ",
            "2030-*-* ",
        ]
        let times = ["08:30", "0:0", "*:0/15", "8..18/3:05", "23:59:59", "*:*:00", "1,13:30", "*:5..50/9:0/30"]
        return (days.randomElement(using: &random) ?? "") + (dates.randomElement(using: &random) ?? "")
            + (times.randomElement(using: &random) ?? "")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity]) func noMomentFollowsOneThatIsNone(_ seconds: Double) throws {
        #expect(try CalendarExpression("08:30").next(after: Date(timeIntervalSince1970: seconds), in: .gmt) == nil)
    }
}
