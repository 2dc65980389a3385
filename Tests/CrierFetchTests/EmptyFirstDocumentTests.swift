import CrierContent
import CrierStore
import CrierTesting
import Testing

@testable import CrierFetch

/// A feed that is new, or whose origin has lost its items for the moment.
@Suite struct EmptyFirstDocumentTests {
    /// Its entries are called otherwise by now.
    @Test func aListInWhichNoFieldGivesAnythingIsNoEmptyOne() async throws {
        var bench = try await FetchBench()
        bench.source.mapping = ContentMapping(format: .json, items: ".[]", fields: [.title: ".title"])
        let bodies = [#"[{"title": "a"}]"#, #"[{"name": "a"}, {"name": "b"}]"#, "[]"]
        await bench.origin.script("/feed", bodies.map { ScriptedAnswer(body: $0) })
        #expect(try await bench.fetch().failure == nil)
        let cause =
            "2 items without a title; the first is an object with name; 2 items in which no field gives anything, left out"
        #expect(try await bench.fetch().failure == FetchFailure(.decode, cause))
        #expect(try await bench.fetch().failure == nil)
        await bench.origin.stop()
    }

    @Test(arguments: [
        (BaselinePolicy.none, ["draft", "new"]), (.latest, ["draft", "new"]), (.all, ["draft", "new", "old"]),
    ])
    func whatIsDatedWellBeforeItIsKnown(first: BaselinePolicy, told: [String]) async throws {
        var bench = try await FetchBench()
        bench.source.first = first
        let items = [(id: "draft", hoursAgo: 3.0), (id: "old", hoursAgo: 40)]
        let documents = [bench.atom([]), bench.atom([("new", -1)] + items), bench.atom([("next", 50)] + items)]
        await bench.origin.script("/feed", documents.map { ScriptedAnswer(body: $0) })
        _ = try await bench.fetch()
        bench.clock.advance(by: 86_400)
        let report = try await bench.fetch()
        #expect(report.newItems.compactMap(\.title).sorted() == told.map { "Title \($0)" })
        #expect(report.remarks.contains { $0.contains("1 item is taken for known") } == (first != .all))
        #expect(try await bench.fetch().newItems.compactMap(\.title) == ["Title next"])
        await bench.origin.stop()
    }

    /// For so long an empty feed may have lost its items for the moment.
    @Test(arguments: [(2.0, ["Title old"]), (1.9, [])])
    func whatComesDaysLaterIsNewWhateverItsDate(days: Double, told: [String]) async throws {
        let bench = try await FetchBench()
        await bench.origin.script(
            "/feed", [bench.atom([]), bench.atom([]), bench.atom([("old", 40)])].map { ScriptedAnswer(body: $0) })
        for _ in 0..<2 {
            _ = try await bench.fetch()
            bench.clock.advance(by: days * 86_400)
        }
        #expect(try await bench.fetch().newItems.compactMap(\.title) == told)
        await bench.origin.stop()
    }

    @Test func whatCameBeforeTheLastVisitIsKnownBehindTheEmptyDocumentOfAnotherAddress() async throws {
        var bench = try await FetchBench()
        await bench.publish([("a", 5)])
        for _ in 0..<2 {
            _ = try await bench.fetch()
            bench.clock.advance(by: 2 * 86_400)
        }
        bench.source.address = .url(bench.origin.url("/other"))
        let documents = [bench.atom([]), bench.atom([("new", -72), ("x", -36)])]
        await bench.origin.script("/other", documents.map { ScriptedAnswer(body: $0) })
        _ = try await bench.fetch()
        #expect(try await bench.fetch().newItems.compactMap(\.title) == ["Title new"])
        await bench.origin.stop()
    }

    @Test func whatComesBehindAnotherThatIsCutOffIsNew() async throws {
        let bench = try await FetchBench()
        func rss(_ titles: [String], end: String = "</channel></rss>") -> String {
            "<rss version='2.0'><channel>" + titles.map { "<item><title>\($0)</title></item>" }.joined() + end
        }
        let documents = [rss([]), rss(["a"], end: "<item><title>b"), rss(["a", "b", "c"])]
        await bench.origin.script("/feed", documents.map { ScriptedAnswer(body: $0) })
        var told: [[String]] = []
        for _ in documents { told.append(try await bench.fetch().newItems.compactMap(\.title).sorted()) }
        #expect(told == [[], ["a"], ["b", "c"]])
        await bench.origin.stop()
    }

    /// What a mapping reads is what the user has asked for: an alert may be dated by when it began.
    @Test func ofAListOfTheUsersOwnAllIsNew() async throws {
        var bench = try await FetchBench()
        bench.source.mapping = ContentMapping(
            format: .json, items: ".[]", fields: [.title: ".title", .published: ".at"])
        let documents = ["[]", #"[{"title": "old", "at": "2001-01-01T00:00:00Z"}]"#]
        await bench.origin.script("/feed", documents.map { ScriptedAnswer(body: $0) })
        _ = try await bench.fetch()
        #expect(try await bench.fetch().newItems.compactMap(\.title) == ["old"])
        await bench.origin.stop()
    }
}
