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

    /// Up to the end of a title.
    private func cut(_ document: String, behind title: String) throws -> String {
        String(document.prefix(upTo: try #require(document.range(of: title)).upperBound))
    }

    @Test(arguments: [false, true])
    func anotherAddressWhoseFirstDocumentIsEmptyOrCutMakesNothingNew(isCut: Bool) async throws {
        var bench = try await FetchBench()
        await bench.publish([("a", 5)])
        _ = try await bench.fetch()
        bench.clock.advance(by: 3600)
        bench.source.address = .url(bench.origin.url("/other"))
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

    @Test func aDayOfAnotherSiteIsTold() async throws {
        var bench = try await FetchBench(.daily)
        await bench.publish([("a", 1)])
        _ = try await bench.fetch()
        bench.clock.advance(by: 600)
        bench.source.address = .url(bench.origin.url("/other"))
        await play([bench.atom([("z", -0.1)])], at: "/other", of: bench)
        _ = try await bench.fetch()
        #expect(try bench.outbox() == ["news/day-2023-11-14", "news/day-2023-11-14~2"])
        await bench.origin.stop()
    }
}
