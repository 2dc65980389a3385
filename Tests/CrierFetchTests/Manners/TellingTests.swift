import CrierContent
import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

private let address = "http://news.example/feed"

@Suite("Telling") struct TellingTests {
    @Test func failuresAreToldOnceAfterFiveOfThemAndADay() async throws {
        let bench = try await ProxiedBench()
        await bench.play(address, bench.feed("a"))
        try await bench.fetchDaily(1)
        await bench.play(address, ScriptedAnswer(status: 500))
        let since = bench.clock.now
        for _ in 0..<9 { try await bench.fetch() }
        #expect(try bench.notices().isEmpty, "nine failures within a day")
        bench.clock.advance(to: since.addingTimeInterval(86_400))
        #expect(try await bench.fetch().requests.map(\.identifier) == ["news/failing-since-2023-11-15T22:13:20Z"])
        try await bench.fetchDaily(5)
        let notices = try bench.notices()
        #expect(notices.map(\.title) == ["news keeps failing"])
        #expect(notices.first?.body.hasPrefix("10 visits in a row since 2023-11-15: HTTP status 500") == true)
        #expect(notices.first?.threadIdentifier == "news")
        await bench.origin.stop()
    }

    @Test func fourFailuresAreNotToldHoweverLongTheyTake() async throws {
        let bench = try await ProxiedBench()
        await bench.play(address, ScriptedAnswer(status: 500))
        try await bench.fetchDaily(4)
        #expect(try bench.notices().isEmpty)
        try await bench.fetchDaily(1)
        #expect(try bench.notices().count == 1)
        await bench.origin.stop()
    }

    @Test func whatBeganWhileTheClockWasAheadIsToldInItsTime() async throws {
        let start = ManualClock().now
        for hasFailed in [true, false] {
            var bench = try await ProxiedBench()
            bench.source.expectEvery = .seconds(14 * 86_400)
            await bench.play(address, hasFailed ? ScriptedAnswer(status: 500) : bench.feed("a"))
            bench.clock.advance(to: start.addingTimeInterval(90 * 86_400))
            try await bench.fetch()
            bench.clock.advance(to: start)
            try await bench.fetchDaily(hasFailed ? 6 : 16)
            let notice = hasFailed ? "failing" : "silent"
            #expect(try bench.noticeIdentifiers() == ["news/\(notice)-since-2023-11-14T22:13:20Z"])
            await bench.origin.stop()
        }
    }

    @Test func aRecoveryIsToldOnceIfTheFailureWas() async throws {
        let bench = try await ProxiedBench()
        await bench.play(address, ScriptedAnswer(status: 500))
        try await bench.fetchDaily(6)
        await bench.play(address, bench.feed("a"))
        try await bench.fetchDaily(3)
        await bench.play(address, ScriptedAnswer(status: 500))
        try await bench.fetchDaily(4)
        await bench.play(address, bench.feed("a"))
        try await bench.fetchDaily(1)
        #expect(
            try bench.noticeIdentifiers() == [
                "news/failing-since-2023-11-14T22:13:20Z", "news/recovered-since-2023-11-14T22:13:20Z",
            ])
        #expect(try bench.notices().last?.title == "news works again")
        #expect(try bench.notices().last?.body == "It had failed since 2023-11-14, 6 times in a row.")
        await bench.origin.stop()
    }

    @Test func whatHasWorkedMeanwhileFailsAnew() async throws {
        let bench = try await ProxiedBench()
        for (status, days) in [(500, 2), (200, 1), (500, 0)] {
            await bench.play(address, status == 200 ? bench.feed("a") : ScriptedAnswer(status: status))
            try await bench.fetchDaily(days)
        }
        for _ in 0..<5 { try await bench.fetch() }
        #expect(try bench.notices().isEmpty, "five failures within a day")
        await bench.origin.stop()
    }

    @Test func nothingIsToldWhileMostHostsFailTogether() async throws {
        let bench = try await ProxiedBench()
        let sources = (1...6).map { number in
            Source(name: "s\(number)", address: .url("http://s\(number).example/"), sinks: ["stdout"])
        }
        await bench.origin.handle { _ in ScriptedAnswer(status: 502) }
        func round() async throws {
            _ = try await bench.scheduler.fetch(sources) { _ in }
            bench.clock.advance(by: 86_400)
        }
        for _ in 0..<6 { try await round() }
        await bench.play("http://s6.example/", bench.feed("a"))
        let file = Source(name: "file", address: .url("file:///absent"), sinks: ["stdout"])
        for _ in 0..<6 {
            _ = try await bench.fetcher.fetch(file)
            bench.clock.advance(by: 86_400)
        }
        #expect(try bench.notices().map(\.threadIdentifier) == ["file"], "this machine's own failures are its own")
        try await round()
        try await round()
        #expect(try bench.notices().count == 1, "five of six hosts are more than 80 %")
        await bench.play("http://s5.example/", bench.feed("a"))
        try await round()
        try await round()
        #expect(Set(try bench.notices().map(\.threadIdentifier)) == ["file", "s1", "s2", "s3", "s4"])
        #expect(try bench.notices().count == 5)
        await bench.origin.stop()
    }

    @Test func whoHasFailedForLongKeepsNoOtherFailureFromBeingTold() async throws {
        let bench = try await ProxiedBench()
        let sources = ["a", "b"].map { name in
            Source(name: name, address: .url("http://\(name).example/"), sinks: ["stdout"])
        }
        await bench.play("http://a.example/", ScriptedAnswer(status: 404))
        await bench.play("http://b.example/", bench.feed("x"))
        func days(_ count: Int) async throws {
            for _ in 0..<count {
                _ = try await bench.scheduler.fetch(sources) { _ in }
                bench.clock.advance(by: 86_400)
            }
        }
        try await days(20)
        #expect(try bench.notices().map(\.title) == ["a keeps failing"])
        await bench.play("http://b.example/", ScriptedAnswer(status: 404))
        try await days(8)
        #expect(try bench.notices().map(\.title).sorted() == ["a keeps failing", "b keeps failing"])
        await bench.origin.stop()
    }

    /// One that is long dead says nothing of whether the others fail together.
    @Test func whoHasFailedForLongMakesNoOutageEachSourcesOwn() async throws {
        let bench = try await ProxiedBench()
        let names = ["dead", "s1", "s2", "s3", "s4"]
        let sources = names.map { Source(name: $0, address: .url("http://\($0).example/"), sinks: ["stdout"]) }
        for name in names.dropFirst() { await bench.play("http://\(name).example/", bench.feed("x")) }
        await bench.play("http://dead.example/", ScriptedAnswer(status: 404))
        func days(_ count: Int) async throws {
            for _ in 0..<count {
                _ = try await bench.scheduler.fetch(sources) { _ in }
                bench.clock.advance(by: 86_400)
            }
        }
        try await days(20)
        for name in names.dropFirst() { await bench.play("http://\(name).example/", ScriptedAnswer(status: 503)) }
        try await days(8)
        #expect(try bench.notices().map(\.title) == ["dead keeps failing"])
        await bench.origin.stop()
    }

    @Test func aSourceThatHasGoneSilentIsToldOnceAndAgainOnlyAfterItHasSpoken() async throws {
        var bench = try await ProxiedBench()
        bench.source.expectEvery = .seconds(14 * 86_400)
        bench.source.only = "false"
        await bench.play(address, bench.feed("a"))
        try await bench.fetchDaily(14)
        #expect(try bench.notices().isEmpty)
        try await bench.fetchDaily(5)
        #expect(try bench.noticeIdentifiers() == ["news/silent-since-2023-11-14T22:13:20Z"])
        #expect(try bench.notices().first?.title == "news has gone silent")
        #expect(try bench.notices().first?.body.contains("nothing new since 2023-11-14") == true)
        // What `only` leaves out is a word, too.
        await bench.play(address, bench.feed("b", "a"))
        try await bench.fetchDaily(14)
        #expect(try bench.notices().count == 1)
        try await bench.fetchDaily(5)
        #expect(try bench.noticeIdentifiers().count == 2)
        await bench.origin.stop()
    }

    @Test func aSourceOfWhichNothingIsExpectedMayBeSilent() async throws {
        let bench = try await ProxiedBench()
        await bench.play(address, bench.feed("a"))
        try await bench.fetchDaily(40)
        #expect(try bench.notices().isEmpty)
        await bench.origin.stop()
    }

    /// A page whose expressions find nothing any more is most likely written in another way now.
    @Test func aPageThatShowsNoItemsIsToldOnceEachTime() async throws {
        var bench = try await ProxiedBench()
        bench.source.mapping = ContentMapping(format: .html, items: "//article", fields: [.title: "h2"])
        func play(_ body: String) async {
            await bench.play(address, ScriptedAnswer(status: 200, fields: ["Content-Type": "text/html"], body: body))
        }
        await play("<article><h2>One</h2></article>")
        try await bench.fetchDaily(3)
        await play("<section><h2>One</h2></section>")
        try await bench.fetchDaily(1)
        let since = try #require(try bench.base.state().emptySince)
        #expect(try bench.notices().isEmpty)
        try await bench.fetchDaily(5)
        #expect(try bench.base.state().emptySince == since)
        #expect(try bench.noticeIdentifiers() == ["news/empty-since-\(since.formatted(.iso8601))"])
        #expect(try bench.notices().first?.title == "news shows no items")
        #expect(try bench.notices().first?.body.contains("nothing has been found in its page since 2023-11-17") == true)
        // The same items as before: nothing is new.
        await play("<article><h2>One</h2></article>")
        try await bench.fetchDaily(1)
        #expect(try bench.base.state().emptySince == nil)
        await play("<section><h2>Two</h2></section>")
        try await bench.fetchDaily(3)
        #expect(try bench.notices().count == 2)
        // Other expressions have to show first what they find.
        bench.source.mapping.items = "//section[@class]"
        let changed = bench.clock.now
        try await bench.fetchDaily(1)
        #expect(try bench.base.state().emptySince == changed)
        #expect(try bench.notices().count == 2)
        try await bench.fetchDaily(1)
        #expect(try bench.notices().count == 3)
        await bench.origin.stop()
    }

    @Test func aFeedMayHoldNothing() async throws {
        let bench = try await ProxiedBench()
        await bench.play(address, bench.feed())
        try await bench.fetchDaily(5)
        #expect(try bench.base.state().emptySince != nil)
        #expect(try bench.notices().isEmpty)
        await bench.play(address, bench.feed("a"))
        try await bench.fetchDaily(1)
        #expect(try bench.base.state().emptySince == nil)
        await bench.origin.stop()
    }

    @Test func aNoticeAndWhatIsRememberedOfItAreWrittenTogether() async throws {
        let bench = try await ProxiedBench()
        await bench.play(address, ScriptedAnswer(status: 500))
        try await bench.fetchDaily(4)
        // A run that ends before its transaction leaves neither; the next one tells the same.
        _ = try await bench.fetcher.fetch(bench.source, purpose: .dryRun)
        #expect(try bench.base.state().failureTold == nil)
        #expect(try bench.notices().isEmpty)
        let report = try await bench.fetch()
        #expect(report.requests.map(\.identifier) == ["news/failing-since-2023-11-14T22:13:20Z"])
        #expect(try bench.base.state().failureTold == bench.clock.now)
        #expect(try bench.noticeIdentifiers() == report.requests.map(\.identifier))
        await bench.origin.stop()
    }
}
