import CrierContent
import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// What is old is not told because the document that would have said so came empty, or in part.
@Suite struct KnownUntilTests {
    private func play(_ documents: [String], at path: String, of bench: FetchBench) async {
        await bench.origin.script(path, documents.map { ScriptedAnswer(body: $0) })
    }

    /// Of a source whose address has been changed so long after its first visit.
    private func benchAtAnotherAddress(after interval: TimeInterval) async throws -> FetchBench {
        var bench = try await FetchBench()
        await bench.publish([("a", 5)])
        _ = try await bench.fetch()
        bench.clock.advance(by: interval)
        bench.source.address = .url(bench.origin.url("/other"))
        return bench
    }

    /// Up to the end of a title.
    private func cut(_ document: String, behind title: String) throws -> String {
        String(document.prefix(upTo: try #require(document.range(of: title)).upperBound))
    }

    @Test(arguments: [false, true])
    func anotherAddressWhoseFirstDocumentIsEmptyOrCutMakesNothingNew(isCut: Bool) async throws {
        let bench = try await benchAtAnotherAddress(after: 3600)
        let whole = bench.atom([("new", -0.5), ("x", 3), ("y", 40), ("z", 50)])
        let first = isCut ? try cut(bench.atom([("x", 3), ("y", 40), ("z", 50)]), behind: "Title y") : bench.atom([])
        await play([first, first, whole, bench.atom([("w", 60), ("new", -0.5)])], at: "/other", of: bench)
        for _ in 0..<2 { #expect(try await bench.fetch().newItems.isEmpty) }
        let report = try await bench.fetch()
        #expect(report.newItems.map(\.identifier) == ["urn:new"])
        #expect(report.remarks.contains { $0.contains("taken for known") })
        #expect(try bench.state().knownUntil == nil)
        #expect(try await bench.fetch().newItems.map(\.identifier) == ["urn:w"], "identifiers tell again what is new")
        await bench.origin.stop()
    }

    private struct Entry {
        var id: String
        var title: String
        /// Before the clock's start.
        var days: Double
    }

    /// - Parameter isLink: Whether items are called by their links.
    private func rss(_ host: String, _ items: [Entry], isLink: Bool = false) -> String {
        let entries = items.map { item in
            let date = Date(timeIntervalSince1970: 1_700_000_000 - item.days * 86_400).formatted(.iso8601)
            let link = "https://\(host).example/\(item.id)"
            return "<item><title>\(item.title)</title><guid isPermaLink='\(isLink)'>\(isLink ? link : item.id)</guid>"
                + "<link>\(link)</link><pubDate>\(date)</pubDate></item>"
        }
        return "<rss version='2.0'><channel>\(entries.joined())</channel></rss>"
    }

    /// By title and date; all with identifiers of that kind.
    private func rss(_ items: [(title: String, days: Double)], _ kind: String) -> String {
        rss(kind, items.map { Entry(id: kind + $0.title, title: $0.title, days: $0.days) })
    }

    /// A blog that has moved, whose old address goes on to say the same.
    @Test(arguments: [200, 304, 404])
    func whatCameElsewhereWhileTheFormerAddressStoodStillIsNew(status: Int) async throws {
        var bench = try await FetchBench()
        bench.source.first = .none
        let old = rss([("c", 1), ("b", 2), ("a", 3)], "old")
        let again = status == 200 ? ScriptedAnswer(body: old) : ScriptedAnswer(status: status)
        await bench.origin.script("/feed", [ScriptedAnswer(fields: ["ETag": "\"1\""], body: old), again])
        _ = try await bench.fetch()
        bench.clock.advance(by: 20 * 86_400)
        _ = try await bench.fetch()
        bench.source.address = .url(bench.origin.url("/other"))
        let items = [("e", -15.0), ("d", -7), ("b", 2), ("a", 3), ("before", 5)]
        await play([rss(items, "new"), rss([("f", -21)] + items, "new")], at: "/other", of: bench)
        #expect(try await bench.fetch().newItems.map(\.title) == ["d", "e"])
        #expect(try await bench.fetch().newItems.map(\.title) == ["f"])
        await bench.origin.stop()
    }

    /// Two of all say the same by chance, or many do and there is more at the other address, or the former one has news.
    @Test(arguments: [true, false])
    func whatIsDatedBeforeTheLastVisitIsKnownWhereTheFormerAddressDidNotStandStill(isMore: Bool) async throws {
        var bench = try await FetchBench()
        bench.source.first = .none
        await play([rss([("c", 1), ("b", 2), ("a", 3)], "old")], at: "/feed", of: bench)
        _ = try await bench.fetch()
        bench.clock.advance(by: isMore ? 20 * 86_400 : 86_400)
        _ = try await bench.fetch()
        bench.source.address = .url(bench.origin.url("/other"))
        let others = (1...9).map { (title: "x\($0)", days: 1 + Double($0) / 5) }
        let items = (isMore ? others : []) + [("b", 2), ("a", 3), ("y", isMore ? -15 : -0.5)]
        await play([rss(items, "new"), rss([("z", -21)] + items, "new")], at: "/other", of: bench)
        #expect(try await bench.fetch().newItems.isEmpty)
        #expect(try await bench.fetch().newItems.map(\.title) == ["z"])
        await bench.origin.stop()
    }

    /// Its number was another's at the former address.
    @Test func anotherSiteThatHasTwoItemsOfTheFormerOneStartsAnew() async throws {
        var bench = try await FetchBench()
        bench.source.first = .none
        func feed(_ items: [(id: Int, title: String, days: Double)], _ host: String) -> String {
            rss(host, items.map { Entry(id: "\($0.id)", title: $0.title, days: $0.days) })
        }
        await play(
            [feed([(52, "c", 1), (51, "b", 2), (50, "press 2", 3), (49, "press 1", 4)], "a")], at: "/feed",
            of: bench)
        _ = try await bench.fetch()
        bench.source.address = .url(bench.origin.url("/other"))
        let other = [(9, "x", 0.5), (8, "press 2", 3), (7, "press 1", 4)]
        await play(
            [feed(other, "b"), feed([(50, "new", -1)] + other, "b")], at: "/other", of: bench)
        #expect(try await bench.fetch().newItems.isEmpty)
        #expect(try await bench.fetch().newItems.map(\.title) == ["new"])
        await bench.origin.stop()
    }

    /// By another kind of date, or under another title.
    @Test func anItemOfTheSamePathIsKnownAtAnotherHost() async throws {
        var bench = try await FetchBench()
        bench.source.first = .none
        func feed(_ host: String, _ items: [(name: String, title: String, days: Double)]) -> String {
            rss(host, items.map { Entry(id: $0.name, title: $0.title, days: $0.days) }, isLink: true)
        }
        await play([feed("a", [("c", "C", 1), ("b", "B", 2), ("a", "A", 3)])], at: "/feed", of: bench)
        _ = try await bench.fetch()
        bench.clock.advance(by: 20 * 86_400)
        _ = try await bench.fetch()
        bench.source.address = .url(bench.origin.url("/other"))
        let moved = feed("b", [("d", "D", -9), ("c", "C", -8), ("b", "B", 2), ("a", "A, corrected", 3)])
        await play([moved], at: "/other", of: bench)
        #expect(try await bench.fetch().newItems.map(\.title) == ["D"])
        await bench.origin.stop()
    }

    /// Days are of any hour; hours ahead are those of another zone.
    @Test(arguments: [(0.0, ["new"]), (-0.3, [])])
    func identifiersThatAMappingGetsMakeNothingNewButWhatIs(days: Double, told: [String]) async throws {
        var bench = try await FetchBench()
        bench.source.first = .none
        func json(_ titles: [String], _ days: Double) -> String {
            let items = titles.map { title in
                let date = Date(timeIntervalSince1970: 1_700_000_000 - (days + (title == "a" ? 1 : 0)) * 86_400)
                let words = days == 0 ? String(date.formatted(.iso8601).prefix(10)) : date.formatted(.iso8601)
                return #"{"n": "\#(title)", "u": "https://e.example/\#(title)", "d": "\#(words)"}"#
            }
            return "[\(items.joined(separator: ","))]"
        }
        bench.source.mapping = ContentMapping(
            format: .json, items: ".[]", fields: [.title: ".n", .url: ".u", .published: ".d"])
        await play([json(["b", "a"], days), json(told + ["b", "a"], days)], at: "/feed", of: bench)
        _ = try await bench.fetch()
        bench.source.mapping.fields[.id] = ".n"
        #expect(try await bench.fetch().newItems.compactMap(\.title) == told)
        await bench.origin.stop()
    }

    @Test(arguments: [
        (BaselinePolicy.none, [], []), (.latest, ["Title d"], []),
        (.all, ["Title c", "Title d"], ["Title a", "Title b"]),
    ])
    func theRestOfAFirstDocumentThatWasCutIsAsOldAsItsBeginning(
        first: BaselinePolicy, told: [String], rest: [String]
    ) async throws {
        var bench = try await FetchBench()
        bench.source.first = first
        let whole = bench.atom([("d", 1), ("c", 2), ("b", 3), ("a", 4)])
        let cut = try cut(whole, behind: "Title b")
        await play([cut, whole, bench.atom([("e", -1), ("d", 1)])], at: "/feed", of: bench)
        #expect(try await bench.fetch().requests.map(\.content.title).sorted() == told)
        #expect(try await bench.fetch().requests.map(\.content.title).sorted() == rest)
        #expect(try await bench.fetch().requests.map(\.content.title) == ["Title e"])
        await bench.origin.stop()
    }

    @Test func whatWasCutOffStaysOldThoughTheNextDocumentIsEmpty() async throws {
        let bench = try await FetchBench()
        let whole = bench.atom([("a", 1), ("b", 2), ("c", 3)])
        await play([try cut(whole, behind: "Title b"), bench.atom([]), whole], at: "/feed", of: bench)
        for _ in 0..<2 {
            _ = try await bench.fetch()
            bench.clock.advance(by: 3600)
        }
        #expect(try await bench.fetch().newItems.isEmpty)
        await bench.origin.stop()
    }

    /// Broken off behind its items, as some servers do always.
    private func brokenOff(_ document: String) -> String {
        document.replacing("</feed>", with: "<rights>half of a sen")
    }

    /// In hours before the clock's start.
    private static let day = 80_000.0 / 3600

    @Test(arguments: ["GMT", "Asia/Shanghai"])
    func aFeedThatIsAlwaysBrokenOffLosesNothingOfTheDay(zone: String) async throws {
        var bench = try await FetchBench()
        bench.source.mapping.timeZone = try #require(TimeZone(identifier: zone))
        let documents = [
            bench.atom([("a", 1), ("b", 2)]),
            bench.atom([("today", Self.day), ("a", 1), ("b", 2)]),
            bench.atom([("today", Self.day), ("a", 1), ("b", 2), ("c", 3), ("before", Self.day + 24)]),
            bench.atom([("new", -0.5), ("late", 4), ("a", 1), ("c", 3)]),
        ]
        await play(documents.map(brokenOff), at: "/feed", of: bench)
        _ = try await bench.fetch()
        #expect(try await bench.fetch().newItems.map(\.identifier) == ["urn:today"], "of any hour of the day")
        let report = try await bench.fetch()
        #expect(report.newItems.isEmpty)
        #expect(
            report.remarks.contains { $0.contains("2 items are taken for known: the document before was empty or cut") }
        )
        bench.clock.advance(by: 3 * 86_400)
        #expect(try await bench.fetch().newItems.map(\.identifier).sorted() == ["urn:late", "urn:new"])
        await bench.origin.stop()
    }

    /// Nothing tells a feed that always lacks its end tags from one that is cut off between two items, twice at the same place, and whose
    /// validators are those of the whole: each time it is asked for all.
    @Test func aFeedThatIsCutOffTwiceAtTheSamePlaceLosesNothing() async throws {
        let bench = try await FetchBench()
        let cut = bench.atom([("a", 1), ("b", 2)]).replacing("</feed>", with: "")
        let documents = [cut, cut, bench.atom([("a", 1), ("b", 2), ("new", -1), ("old", 3)])]
        await bench.origin.script("/feed", documents.map { ScriptedAnswer(fields: ["ETag": "\"1\""], body: $0) })
        for _ in 0..<2 { _ = try await bench.fetch() }
        #expect(try await bench.fetch().newItems.map(\.title) == ["Title new"])
        #expect(await bench.origin.requests.allSatisfy { $0.fields["If-None-Match"] == nil })
        await bench.origin.stop()
    }

    @Test func aClockThatWasAheadMakesNothingKnown() async throws {
        let bench = try await FetchBench()
        await play([bench.atom([("a", 1)]), bench.atom([("n", -2), ("a", 1)])].map(brokenOff), at: "/feed", of: bench)
        bench.clock.advance(by: 365 * 86_400)
        _ = try await bench.fetch()
        bench.clock.advance(by: -364 * 86_400)
        #expect(try await bench.fetch().newItems.map(\.identifier) == ["urn:n"])
        await bench.origin.stop()
    }

    @Test func whatWasToldSinceTheBaselineIsNotToldByAnotherAddress() async throws {
        var bench = try await FetchBench()
        await play([bench.atom([("a", 1)]), bench.atom([("n", -1), ("a", 1)])].map(brokenOff), at: "/feed", of: bench)
        _ = try await bench.fetch()
        bench.clock.advance(by: 2 * 3600)
        #expect(try await bench.fetch().newItems.map(\.identifier) == ["urn:n"])
        bench.clock.advance(by: 3600)
        bench.source.address = .url(bench.origin.url("/other"))
        await play([bench.atom([("y", -2.5), ("x", -1)])], at: "/other", of: bench)
        #expect(try await bench.fetch().newItems.map(\.identifier) == ["urn:y"])
        await bench.origin.stop()
    }

    @Test func whatWasKnownOfAnAddressLongAgoSaysNothingOfTheNext() async throws {
        var bench = try await FetchBench()
        await play([bench.atom([("a", 1)])].map(brokenOff), at: "/feed", of: bench)
        _ = try await bench.fetch()
        bench.clock.advance(by: 30 * 86_400)
        _ = try await bench.fetch()
        bench.clock.advance(by: 3600)
        bench.source.address = .url(bench.origin.url("/other"))
        await play([bench.atom([]), bench.atom([("x", -480), ("y", -721.5)])], at: "/other", of: bench)
        _ = try await bench.fetch()
        bench.clock.advance(by: 3600)
        #expect(try await bench.fetch().newItems.map(\.identifier) == ["urn:y"])
        await bench.origin.stop()
    }

    @Test func anotherAddressThatIsEmptyForDaysIsEmpty() async throws {
        let bench = try await benchAtAnotherAddress(after: 3600)
        let empty = bench.atom([])
        let others = ["1", "2"].map { empty.replacing("</title>", with: " \($0)</title>") }
        await play(others + [bench.atom([("late", 40)])], at: "/other", of: bench)
        _ = try await bench.fetch()
        bench.clock.advance(by: 3 * 86_400)
        _ = try await bench.fetch()
        #expect(try await bench.fetch().newItems.map(\.identifier) == ["urn:late"])
        await bench.origin.stop()
    }

    @Test func ofAPageThatAlwaysEndsOddlyNothingIsTakenForKnown() async throws {
        var bench = try await FetchBench()
        bench.source.mapping = ContentMapping(
            format: .html, items: "//article", fields: [.id: "@id", .title: "h2", .published: "@data-date"])
        func page(_ items: [String]) -> String {
            "<!DOCTYPE html><html><body><div>"
                + items.map { "<article id=\($0) data-date=2023-11-14T10:00:00Z><h2>\($0)</h2></article>" }.joined()
        }
        let old = (1...9).map { "old-\($0)" }
        await play([page(old), page(["new"] + old)], at: "/feed", of: bench)
        _ = try await bench.fetch()
        #expect(try bench.state().knownUntil == bench.clock.now)
        #expect(try await bench.fetch().newItems.map(\.identifier) == ["new"])
        #expect(try bench.state().knownUntil == nil)
        await bench.origin.stop()
    }

    @Test func theRestOfAFirstDocumentIsKnownHoweverLateItComes() async throws {
        let bench = try await FetchBench()
        let whole = bench.atom([("c", -24), ("a", 2), ("b", 3)])
        await play([try cut(bench.atom([("a", 2), ("b", 3)]), behind: "Title b"), whole], at: "/feed", of: bench)
        _ = try await bench.fetch()
        bench.clock.advance(by: 5 * 86_400)
        #expect(try await bench.fetch().newItems.map(\.identifier) == ["urn:c"])
        await bench.origin.stop()
    }

    @Test func whatFailedForDaysBeforeItsAddressWasChangedIsKnownToo() async throws {
        let bench = try await benchAtAnotherAddress(after: 5 * 86_400)
        let first = bench.atom([("x", 3), ("y", 40), ("z", 50)])
        await play([try cut(first, behind: "Title y"), brokenOff(first)], at: "/other", of: bench)
        for _ in 0..<2 { #expect(try await bench.fetch().newItems.isEmpty) }
        await bench.origin.stop()
    }

    @Test func anotherAddressBeginsWithoutFailures() async throws {
        var bench = try await FetchBench()
        await bench.publish([("a", 5)])
        _ = try await bench.fetch()
        for path in ["/feed", "/other"] { await bench.origin.script(path, [ScriptedAnswer(status: 500)]) }
        for _ in 0..<3 { _ = try await bench.fetch() }
        #expect(try bench.state().failures == 3)
        bench.clock.advance(by: 3600)
        bench.source.address = .url(bench.origin.url("/other"))
        _ = try await bench.fetch()
        let state = try bench.state()
        #expect(state.failures == 1 && state.failingSince == bench.clock.now)
        await bench.origin.stop()
    }

    /// A site that calls its items by numbers.
    private func numbered(_ items: [(id: String, title: String)], of bench: FetchBench) -> String {
        items.reduce(bench.atom(items.map { ($0.id, -0.1) })) { feed, item in
            feed.replacing("Title \(item.id)", with: item.title).replacing("href=\"/", with: "href=\"/\(item.title)/")
        }
    }

    /// Once, or twice, with a failure behind each.
    @Test(arguments: [1, 2]) func anotherSitesNumbersAreItsOwnThoughItsFirstDocumentIsEmpty(count: Int) async throws {
        var bench = try await FetchBench()
        await bench.publish([("1", 5), ("2", 4)])
        _ = try await bench.fetch()
        bench.clock.advance(by: 600)
        bench.source.address = .url(bench.origin.url("/other"))
        let empty = [ScriptedAnswer(body: bench.atom([])), ScriptedAnswer(status: 500)]
        let site = ScriptedAnswer(body: numbered([("1", "Other"), ("2", "Others")], of: bench))
        await bench.origin.script("/other", [empty, empty].prefix(count).flatMap { $0 } + [site])
        for _ in 0..<2 * count { #expect(try await bench.fetch().newItems.isEmpty) }
        #expect(try bench.state().visited == bench.source.fingerprint)
        #expect(try await bench.fetch().newItems.compactMap(\.title).sorted() == ["Other", "Others"])
        #expect(try bench.state().fingerprint == bench.source.fingerprint)
        #expect(try await bench.fetch().newItems.isEmpty)
        await bench.origin.stop()
    }

    @Test(arguments: [true, false]) func whatAnotherSiteHadIsKnownUnderNumbersOfOthers(isDated: Bool) async throws {
        var bench = try await FetchBench()
        await bench.publish([("1", 5), ("2", 4)])
        _ = try await bench.fetch()
        bench.clock.advance(by: 3600)
        _ = try await bench.fetch()
        bench.source.address = .url(bench.origin.url("/other"))
        let site = numbered([("1", "Other"), ("2", "Others")], of: bench)
        await play([isDated ? site : site.replacing(/<updated>[^<]*<.updated>/, with: "")], at: "/other", of: bench)
        #expect(try await bench.fetch().newItems.isEmpty)
        await bench.origin.stop()
    }

    @Test func aSiteThatHasMovedIsKnownThoughItsFirstDocumentIsEmpty() async throws {
        let bench = try await benchAtAnotherAddress(after: 600)
        await play([bench.atom([]), bench.atom([("new", -0.1), ("a", 5)])], at: "/other", of: bench)
        _ = try await bench.fetch()
        #expect(try await bench.fetch().newItems.map(\.identifier) == ["urn:new"])
        #expect(try bench.store.states().count == 1, "it is the same")
        await bench.origin.stop()
    }

    @Test(arguments: [false, true]) func aDayOfAnotherSiteIsTold(isEmptyFirst: Bool) async throws {
        var bench = try await FetchBench(.daily)
        await bench.publish([("a", 1)])
        _ = try await bench.fetch()
        bench.clock.advance(by: 600)
        bench.source.address = .url(bench.origin.url("/other"))
        await play((isEmptyFirst ? [bench.atom([])] : []) + [bench.atom([("z", -0.1)])], at: "/other", of: bench)
        if isEmptyFirst { _ = try await bench.fetch() }
        _ = try await bench.fetch()
        #expect(try bench.outbox() == ["news/day-2023-11-14", "news/day-2023-11-14~2"])
        await bench.origin.stop()
    }
}
