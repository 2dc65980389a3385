import CrierContent
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// What the daily policy holds for its day, and documents that date it again.
@Suite struct HeldItemsTests {
    /// The clock starts on 2023-11-14 at 22:13 UTC.
    private let start = Date(timeIntervalSince1970: 1_700_000_000)
    /// To 2023-11-15 at 05:00, in hours.
    private let tomorrow = 6.8

    /// Of which what is old is known.
    private func bench(_ notify: NotifyPolicy = .daily) async throws -> FetchBench {
        var bench = try await FetchBench(notify)
        bench.source.first = .none
        bench.source.mapping.timeZone = .gmt
        await publish([], in: bench)
        _ = try await bench.fetch()
        return bench
    }

    /// Plays a feed of items that are dated so many hours after the clock's start, or not at all, and of what is old.
    private func publish(
        _ items: [(title: String, hoursAhead: Double?)], guids: String = "", in bench: FetchBench
    ) async {
        let entries = (items + [("old", -30), ("older", -40)]).map { title, hours in
            let date = hours.map { "<pubDate>\(start.addingTimeInterval($0 * 3600).formatted(.iso8601))</pubDate>" }
            return """
                <item><title>\(title)</title><guid>\(guids)\(title)</guid><link>https://e.example/\(title)</link>\(date ?? "")</item>
                """
        }
        let feed = "<rss version='2.0'><channel><title>F</title>\(entries.joined())</channel></rss>"
        await bench.origin.script("/feed", [ScriptedAnswer(body: feed)])
    }

    /// What is raised in two days and a half, and how many items each notification tells of.
    private func raisedLater(in bench: FetchBench) async throws -> [String] {
        var raised: [String] = []
        for _ in 0..<5 {
            bench.clock.advance(by: 11 * 3600)
            raised += try await bench.fetch().requests.map { "\($0.identifier): \($0.content.body)" }
        }
        return raised
    }

    /// Today, not at all, the day after tomorrow, and tomorrow but more than a day after its first sight.
    @Test(arguments: [0.5, nil, 40, 24.3]) func whatIsDatedOtherwiseIsToldAtOnce(_ hours: Double?) async throws {
        let bench = try await bench()
        await publish([("B", tomorrow)], in: bench)
        #expect(try await bench.fetch().requests.isEmpty)
        bench.clock.advance(by: 1800)
        await publish([("B", hours)], in: bench)
        #expect(try await bench.fetch().requests.map(\.identifier) == ["news/day-2023-11-14"])
        #expect(try await raisedLater(in: bench).isEmpty)
        await bench.origin.stop()
    }

    @Test func whatIsPutOffWithinADayWaitsOn() async throws {
        let bench = try await bench()
        await publish([("B", tomorrow)], in: bench)
        _ = try await bench.fetch()
        await publish([("B", tomorrow + 12)], in: bench)
        let report = try await bench.fetch()
        #expect(report.result == .noData)
        #expect(report.verdicts(for: bench.source).first?.reason == "it waits for its day")
        #expect(try await raisedLater(in: bench) == ["news/day-2023-11-15: • B"])
        await bench.origin.stop()
    }

    @Test func whatComesOnADayThatIsToldWaitsForTheNext() async throws {
        let bench = try await bench()
        await publish([("A", -1), ("B", tomorrow)], in: bench)
        #expect(try await bench.fetch().requests.map(\.identifier) == ["news/day-2023-11-14"])
        await publish([("A", -1), ("B", 0.5)], in: bench)
        for _ in 1...2 { #expect(try await bench.fetch().result == .noData) }
        #expect(try await raisedLater(in: bench) == ["news/day-2023-11-15: • B"])
        await bench.origin.stop()
    }

    /// Also on a day that is told already.
    @Test(arguments: [false, true]) func whatIsHeldIsToldUnderAnotherPolicyToo(isDayTold: Bool) async throws {
        var bench = try await bench()
        let told: [(title: String, hoursAhead: Double?)] = isDayTold ? [("A", -1)] : []
        await publish(told + [("B", tomorrow)], in: bench)
        _ = try await bench.fetch()
        bench.source.notify = .each
        if !isDayTold { #expect(try await bench.fetch().requests.isEmpty) }
        await publish(told + [("B", 0.5)], in: bench)
        #expect(try await bench.fetch().requests.map(\.identifier) == ["news/B"])
        #expect(try await raisedLater(in: bench).isEmpty)
        await bench.origin.stop()
    }

    /// Whether its document says something else by then, too.
    @Test(arguments: [false, true]) func whatIsUnwantedByTheTimeItsDayComesIsNotTold(isChanged: Bool) async throws {
        var bench = try await bench()
        await publish([("B", tomorrow), ("C", tomorrow + 1)], in: bench)
        _ = try await bench.fetch()
        bench.source.only = #".title != "B""#
        if isChanged { await publish([("B", tomorrow), ("C", tomorrow + 1), ("A", -40)], in: bench) }
        #expect(try await raisedLater(in: bench) == ["news/day-2023-11-15: • C"])
        await bench.origin.stop()
    }

    /// Dated tomorrow before or after it is told.
    @Test(arguments: [6.8, -1]) func whatEachToldIsNotToldByTheDay(_ hours: Double) async throws {
        var bench = try await bench(.each)
        await publish([("B", hours)], in: bench)
        #expect(try await bench.fetch().requests.map(\.identifier) == ["news/B"])
        await publish([("B", tomorrow)], in: bench)
        _ = try await bench.fetch()
        bench.source.notify = .daily
        _ = try await bench.fetch()
        #expect(try await raisedLater(in: bench).isEmpty)
        await bench.origin.stop()
    }

    /// Without a date, or with one that is not believed.
    @Test(arguments: [nil, 30]) func whatADayToldIsNotToldByTheNext(_ hours: Double?) async throws {
        let bench = try await bench()
        await publish([("B", hours)], in: bench)
        #expect(try await bench.fetch().requests.map(\.identifier) == ["news/day-2023-11-14"])
        await publish([("B", tomorrow)], in: bench)
        _ = try await bench.fetch()
        #expect(try await raisedLater(in: bench).isEmpty)
        await bench.origin.stop()
    }

    @Test func whatIsCalledOtherwiseWhileItIsHeldIsToldOnce() async throws {
        let bench = try await bench()
        await publish([("B", tomorrow)], guids: "a", in: bench)
        _ = try await bench.fetch()
        await publish([("B", tomorrow)], guids: "b", in: bench)
        _ = try await bench.fetch()
        #expect(try await raisedLater(in: bench) == ["news/day-2023-11-15: • B"])
        await bench.origin.stop()
    }

    /// By another identifier, with another title or another address, also where all have one address.
    @Test(
        arguments: [(ContentField.url, "title"), (.title, "concat('* ', title)"), (.url, "concat(link, '?x')")],
        ["link", "'https://e.example/calendar'", "'https://e.example/'"])
    func whatIsHeldWhileItsMappingIsChangedIsListedOnce(_ edit: (ContentField, String), link: String) async throws {
        let (field, expression) = edit
        var bench = try await bench()
        bench.source.mapping = ContentMapping(
            format: .xml, items: "//item",
            fields: [.id: "guid", .title: "title", .url: link, .published: "pubDate"])
        bench.source.mapping.timeZone = .gmt
        await publish([], in: bench)
        _ = try await bench.fetch()
        await publish([("B", tomorrow), ("C", tomorrow + 1)], in: bench)
        #expect(try await bench.fetch().requests.isEmpty)
        bench.source.mapping.fields[.id] = "concat('number ', guid)"
        bench.source.mapping.fields[field] = expression
        for _ in 0..<2 { #expect(try await bench.fetch().requests.isEmpty) }
        let raised = try await raisedLater(in: bench)
        #expect(raised == ["news/day-2023-11-15: • B\n• C"])
        await bench.origin.stop()
    }

    @Test func whatIsLikeSomethingThatIsStillHeldIsNewBehindAnEdit() async throws {
        var bench = try await bench()
        bench.source.mapping = ContentMapping(
            format: .xml, items: "//item",
            fields: [.id: "guid", .title: "title", .url: "'https://e.example/calendar'", .published: "pubDate"])
        bench.source.mapping.timeZone = .gmt
        await publish([("B", tomorrow)], in: bench)
        _ = try await bench.fetch()
        #expect(try await bench.fetch().requests.isEmpty)
        bench.source.mapping.fields[.summary] = "title"
        await publish([("B", tomorrow), ("C", tomorrow)], in: bench)
        #expect(try await bench.fetch().requests.isEmpty)
        #expect(try await raisedLater(in: bench) == ["news/day-2023-11-15: • B\n• C"])
        await bench.origin.stop()
    }

    /// The 15th of Shanghai is told when it is still the 14th in Los Angeles.
    @Test func whatComesInAZoneFurtherWestIsToldWithTheNextDay() async throws {
        var bench = try await bench()
        bench.source.mapping.timeZone = try #require(TimeZone(identifier: "Asia/Shanghai"))
        await publish([("A", -1)], in: bench)
        #expect(try await bench.fetch().requests.map(\.identifier) == ["news/day-2023-11-15"])
        bench.source.mapping.timeZone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        await publish([("B", 0), ("A", -1)], in: bench)
        #expect(try await bench.fetch().requests.isEmpty)
        bench.clock.advance(by: 11 * 3600)
        await publish([("C", nil), ("B", 0), ("late", -24), ("A", -1)], in: bench)
        #expect(try await bench.fetch().requests.isEmpty)
        #expect(try await raisedLater(in: bench) == ["news/day-2023-11-16: • C\n• B"])
        await publish([("D", 66), ("A", -1)], in: bench)
        #expect(try await bench.fetch().requests.map(\.identifier) == ["news/day-2023-11-17"])
        await bench.origin.stop()
    }
}
