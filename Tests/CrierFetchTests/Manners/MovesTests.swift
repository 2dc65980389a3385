import CrierContent
import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

private let old = "http://news.example/feed"
private let new = "http://fresh.example/atom"

@Suite("Moves") struct MovesTests {
    /// A source that was read at its own address before it moved.
    private func movedBench(_ status: Int = 301) async throws -> ProxiedBench {
        let bench = try await ProxiedBench()
        await bench.play(old, bench.feed("a"))
        try await bench.fetchDaily(1)
        await bench.play(old, bench.redirect(status, to: new))
        await bench.play(new, bench.feed("a"))
        return bench
    }

    private func adopted(_ bench: ProxiedBench) throws -> String? {
        try bench.base.state().adoptedURL(of: bench.source)
    }

    @Test(arguments: [301, 308]) func aPermanentRedirectIsAdoptedAfterThreeSightingsADayApart(status: Int) async throws
    {
        let bench = try await movedBench(status)
        for hours in [0, 1, 22, 2, 23] {
            bench.clock.advance(by: Double(hours) * 3600)
            try await bench.fetch()
        }
        // Seen five times, but only twice a day apart.
        #expect(try bench.base.state().move?.sightings == 2)
        #expect(try adopted(bench) == nil)
        bench.clock.advance(by: 3600)
        try await bench.fetch()
        #expect(try adopted(bench) == new)
        let before = await bench.takeTargets().count
        try await bench.fetch()
        #expect(await bench.takeTargets().dropFirst(before) == [new], "the old address is not asked any more")
        await bench.origin.stop()
    }

    /// It would stand in the state, in notices and in logs for ever.
    @Test func noAddressIsAdoptedThatIsLongerThanThoseThatAreKept() async throws {
        let bench = try await movedBench()
        let long = new + "?" + String(repeating: "x", count: ContentBounds.url)
        await bench.play(old, bench.redirect(301, to: long))
        await bench.play(long, bench.feed("a"))
        try await bench.fetchDaily(5)
        #expect(try adopted(bench) == nil && bench.notices().isEmpty)
        #expect(try bench.base.state().failures == 0, "it is followed")
        await bench.origin.stop()
    }

    /// A closed blog leads to that of its company.
    @Test(arguments: [301, 308, 302]) func whatAnotherFeedHadBeforeIsNoNews(status: Int) async throws {
        let bench = try await ProxiedBench()
        await bench.play(old, bench.feed("a"))
        try await bench.fetchDaily(1)
        await bench.play(old, bench.redirect(status, to: new))
        // The clock is a day after the visit before; the last is of an hour after that.
        let items: [(id: String, hoursAgo: Double)] = (1...8).map { ("corp\($0)", Double($0) * 100) } + [("since", -1)]
        await bench.play(new, ScriptedAnswer(body: bench.base.atom(items)))
        let told = try await bench.fetch().newItems.map(\.identifier)
        #expect(status == 302 ? told.count == 9 : told == ["urn:since"], "for the time being it is the same source")
        await bench.play(new, ScriptedAnswer(body: bench.base.atom(items + [("old", 1000)])))
        #expect(try await bench.fetch().newItems.map(\.identifier) == ["urn:old"], "it is that which is read by now")
        await bench.origin.stop()
    }

    /// It may have come when a cache still held the feed without it.
    @Test func whatAFeedThatHasMovedHasBesideWhatIsKnownIsNew() async throws {
        let bench = try await movedBench()
        await bench.play(new, bench.feed("b", "a"))
        #expect(try await bench.fetch().newItems.map(\.identifier) == ["urn:b"])
        await bench.origin.stop()
    }

    /// The address of the latest issue of many.
    @Test(arguments: [true, false]) func whatARedirectHasOfEachIssueIsNew(hasSecrets: Bool) async throws {
        var bench = try await ProxiedBench()
        if hasSecrets { bench.base.source.request.fields = [.init("X-Reader", .plain("a"))] }
        await bench.play(old, bench.redirect(301, to: new))
        await bench.play(new, bench.feed("a"))
        try await bench.fetchDaily(1)
        for issue in 1...3 {
            let url = "\(new)/\(issue)"
            await bench.play(old, bench.redirect(301, to: url))
            // Written before the last visit.
            await bench.play(url, ScriptedAnswer(body: bench.base.atom([("i\(issue)a", 30), ("i\(issue)b", 40)])))
            #expect(try await bench.fetch().newItems.count == 2)
        }
        await bench.origin.stop()
    }

    /// A source whose redirect to the usual address of its site is of old, when that leads to the company's.
    @Test(arguments: [true, false]) func anotherFeedIsOneBehindASecondRedirect(hasSecrets: Bool) async throws {
        var bench = try await ProxiedBench()
        if hasSecrets { bench.base.source.request.fields = [.init("X-Reader", .plain("a"))] }
        let usual = "http://www.news.example/feed"
        await bench.play(old, bench.redirect(301, to: usual))
        await bench.play(usual, bench.feed("a"))
        try await bench.fetchDaily(1)
        await bench.play(old, bench.redirect(301, to: new))
        await bench.play(new, ScriptedAnswer(body: bench.base.atom([("corp1", 100), ("corp2", 200), ("since", -1)])))
        #expect(try await bench.fetch().newItems.map(\.identifier) == ["urn:since"])
        await bench.origin.stop()
    }

    /// As where https comes to a site of which all is new since the last visit.
    @Test func whatHasNoDateIsNewAtTheSameHost() async throws {
        func feed(_ name: String) -> ScriptedAnswer {
            ScriptedAnswer(
                body: "<rss><channel><item><guid>\(name)</guid><title>\(name)</title></item></channel></rss>")
        }
        for (address, name) in [("http://news.example/atom", "b"), (new, "c")] {
            let bench = try await ProxiedBench()
            await bench.play(old, feed("a"))
            try await bench.fetchDaily(1)
            await bench.play(old, bench.redirect(301, to: address))
            await bench.play(address, feed(name))
            #expect(try await bench.fetch().newItems.map(\.identifier) == (name == "b" ? ["b"] : []))
            await bench.origin.stop()
        }
    }

    @Test func anAdoptionIsToldOnce() async throws {
        let bench = try await movedBench()
        try await bench.fetchDaily(6)
        let notice = try #require(try bench.notices().first)
        #expect(try bench.notices().count == 1)
        #expect(notice.title == "news has moved")
        #expect(notice.body.contains("visited at \(new) from now on"))
        #expect(notice.body.contains("write it into the configuration as the url of news"))
        #expect(notice.url == new)
        let delivery = try bench.base.store.dueDeliveries(at: bench.clock.now).first { $0.request.content == notice }
        #expect(delivery?.sink == "stdout")
        #expect(delivery?.source == "news")
        await bench.origin.stop()
    }

    @Test func whatANewAddressAsksForIsToldToNoService() async throws {
        let bench = try await movedBench()
        await bench.play(old, bench.redirect(301, to: new + "?token=s3cret"))
        await bench.play(new + "?token=s3cret", bench.feed("a"))
        try await bench.fetchDaily(6)
        #expect(try adopted(bench) == new + "?token=s3cret")
        let notice = try #require(try bench.notices().first)
        #expect(notice.body.contains("visited at \(new)?… from now on"))
        #expect(notice.body.contains("`crier why news` tells the whole of it"))
        #expect(notice.url == nil)
        #expect(!"\(notice)".contains("s3cret"))
        await bench.origin.stop()
    }

    @Test(arguments: [302, 303, 307]) func aTemporaryRedirectIsFollowedAndNeverAdopted(status: Int) async throws {
        let bench = try await movedBench(status)
        try await bench.fetchDaily(5)
        #expect(try bench.base.state().failures == 0)
        #expect(try bench.base.state().lastURL == new)
        #expect(try adopted(bench) == nil)
        #expect(try bench.notices().isEmpty)
        #expect(await bench.takeTargets().filter { $0 == old }.count == 6)
        await bench.origin.stop()
    }

    @Test func aChainIsAdoptedUpToItsFirstTemporaryRedirect() async throws {
        let bench = try await movedBench()
        let middle = "http://news.example/middle"
        await bench.play(old, bench.redirect(308, to: middle))
        await bench.play(middle, bench.redirect(302, to: "http://news.example/today"))
        await bench.play("http://news.example/today", bench.redirect(301, to: new))
        try await bench.fetchDaily(3)
        #expect(try adopted(bench) == middle)
        await bench.play(middle, bench.redirect(301, to: new))
        try await bench.fetchDaily(3)
        #expect(try adopted(bench) == new, "an address that was adopted can move on")
        await bench.origin.stop()
    }

    @Test func aDocumentOfAnotherKindIsNoMove() async throws {
        let bench = try await movedBench()
        let portal =
            #"{"version":"https://jsonfeed.org/version/1.1","title":"Welcome","items":[{"id":"1","title":"Hi"}]}"#
        await bench.play(new, ScriptedAnswer(body: portal))
        try await bench.fetchDaily(5)
        #expect(try adopted(bench) == nil)
        await bench.play(new, ScriptedAnswer(body: "<html><title>Log in</title><p>Room number?"))
        try await bench.fetchDaily(5)
        #expect(try adopted(bench) == nil)
        await bench.origin.stop()
    }

    @Test func aRedirectThatEndsOrLeadsElsewhereIsCountedAnew() async throws {
        let bench = try await movedBench()
        try await bench.fetchDaily(2)
        await bench.play(old, bench.feed("a"))
        try await bench.fetchDaily(1)
        #expect(try bench.base.state().move == nil)
        await bench.play(old, bench.redirect(301, to: new))
        try await bench.fetchDaily(2)
        let other = "http://other.example/"
        await bench.play(old, bench.redirect(301, to: other))
        await bench.play(other, bench.feed("a"))
        try await bench.fetchDaily(2)
        #expect(try adopted(bench) == nil)
        #expect(try bench.base.state().move?.sightings == 2)
        await bench.origin.stop()
    }

    @Test func anotherWayOfReadingKeepsTheAdoptionAndIsAKindOfItsOwn() async throws {
        var bench = try await movedBench()
        try await bench.fetchDaily(3)
        let next = "http://next.example/"
        await bench.play(new, bench.redirect(301, to: next))
        await bench.play(next, ScriptedAnswer(body: #"[{"t":"One"}]"#))
        bench.source.mapping = ContentMapping(format: .json, items: ".[]", fields: [.title: ".t"])
        try await bench.fetchDaily(2)
        #expect(try adopted(bench) == new)
        try await bench.fetchDaily(1)
        #expect(try adopted(bench) == next)
        await bench.origin.stop()
    }

    @Test func anAddressThatTheUserChangesEndsTheAdoption() async throws {
        var bench = try await movedBench()
        try await bench.fetchDaily(3)
        #expect(try adopted(bench) == new)
        let chosen = "http://chosen.example/feed"
        bench.source.address = .url(chosen)
        await bench.play(chosen, bench.feed("a"))
        try await bench.fetchDaily(1)
        #expect(await bench.takeTargets().last == chosen)
        #expect(try bench.base.state().move == nil)
        await bench.origin.stop()
    }

    @Test(arguments: [(404, 1), (410, 1), (502, 3)])
    func anAdoptedAddressThatFailsLeadsBackToTheConfiguredOne(status: Int, failures: Int) async throws {
        let bench = try await movedBench()
        await bench.play(new, ScriptedAnswer(fields: ["ETag": "\"new\""], body: bench.base.atom([("a", 1)])))
        try await bench.fetchDaily(3)
        await bench.play(new, ScriptedAnswer(status: status))
        await bench.play(old, bench.feed("b", "a"))
        try await bench.fetchDaily(failures)
        #expect(await bench.takeTargets().last == new)
        #expect(await bench.origin.requests.last?.fields["If-None-Match"] == "\"new\"")
        let report = try await bench.fetch()
        #expect(await bench.takeTargets().last == old)
        #expect(await bench.origin.requests.last?.fields["If-None-Match"] == nil)
        #expect(report.newItems.map(\.title) == ["Title b"])
        #expect(try bench.base.state().goneSince == nil)
        await bench.origin.stop()
    }

    @Test func anAdoptedAddressThatLeadsBackIsLeftWithoutAWord() async throws {
        let bench = try await movedBench()
        try await bench.fetchDaily(3)
        await bench.play(new, bench.redirect(301, to: old))
        await bench.play(old, bench.feed("a"))
        try await bench.fetchDaily(3)
        #expect(try bench.base.state().move == nil)
        #expect(try bench.notices().map(\.url) == [new])
        await bench.origin.stop()
    }

    @Test func anAdoptedAddressMayNotLeadIntoAPrivateNetwork() async throws {
        var bench = try await FetchBench()
        await bench.publish([("a", 1)])
        let home = bench.origin.url("/feed")
        var state = SourceState(name: "news")
        bench.source.address = .url(old)
        state.move = SourceMove(configured: old)
        state.move?.adopted = home
        try bench.store.commit(FetchCommit(state: state, date: bench.clock.now))
        let report = try await bench.fetch()
        #expect(report.failure?.cause.contains("is on a private network") == true)
        #expect(await bench.origin.requests.isEmpty)
        // What the user wrote leads there, and so may its own move on the same host.
        bench.source.address = .url(bench.origin.url("/old"))
        state.move = SourceMove(configured: bench.origin.url("/old"))
        state.move?.adopted = home
        try bench.store.commit(FetchCommit(state: state, date: bench.clock.now))
        #expect(try await bench.fetch().newItems.count == 1)
        await bench.origin.stop()
    }

    @Test func secretsStayWithTheirOriginAndAreNotAdoptedAway() async throws {
        var bench = try await ProxiedBench()
        bench.source.address = .url("http://me:secret@news.example/feed")
        await bench.play(old, bench.redirect(301, to: new))
        await bench.play(new, bench.feed("a"))
        try await bench.fetchDaily(4)
        for request in await bench.origin.requests {
            #expect((request.fields["Authorization"] != nil) == (request.target == old))
        }
        #expect(try bench.base.state().move == nil)
        #expect(try bench.base.state().lastURL == new)
        await bench.origin.stop()
    }

    @Test(arguments: [
        SourceRequest(authorization: .bearer(.environment("HOME"))), SourceRequest(fields: [.init("X-A", .plain("b"))]),
        SourceRequest(authorization: .basic(user: "me", password: .environment("HOME"))),
        SourceRequest(fields: [.init("X-Key", .secret(.environment("HOME")))]),
        SourceRequest(body: #"{"key": "secret"}"#),
    ])
    func aSourceWithHeadersOfItsOwnIsFollowedAndNotAdopted(request: SourceRequest) async throws {
        var bench = try await ProxiedBench()
        bench.source.request = request
        await bench.play(old, bench.redirect(301, to: new))
        await bench.play(new, bench.feed("a"))
        try await bench.fetchDaily(5)
        #expect(try bench.base.state().failures == 0)
        #expect(try bench.base.state().lastURL == new)
        #expect(try adopted(bench) == nil)
        #expect(try bench.notices().isEmpty)
        await bench.origin.stop()
    }

    @Test(arguments: [
        ("http://news.example/feed", "redirects in a circle"),
        ("ftp://news.example/feed", "redirects from http to ftp"),
        ("file:///etc/passwd", "redirects from http to file"), ("http://", "redirects to something that is not a URL"),
    ])
    func aRedirectThatIsRefusedHasItsStageAndCause(location: String, cause: String) async throws {
        let bench = try await ProxiedBench()
        await bench.play(old, bench.redirect(301, to: location))
        let report = try await bench.fetch()
        #expect(report.failure?.stage == .fetch)
        #expect(report.failure?.cause.contains(cause) == true, "\(report.failure?.cause ?? "")")
        #expect(await bench.takeTargets() == [old])
        await bench.origin.stop()
    }

    @Test func anOriginHasNoLongWordInACause() async throws {
        let bench = try await ProxiedBench()
        await bench.play(old, bench.redirect(301, to: "ftp://" + String(repeating: "a", count: 60_000)))
        let cause = try #require(try await bench.fetch().failure?.cause)
        #expect(cause.count == FetchFailure.limit && cause.hasSuffix("aaa…"))
        #expect(try bench.base.state().failure?.cause == cause)
        await bench.origin.stop()
    }
}
