import CrierContent
import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

@Suite struct RulesTests {
    private func bench(_ change: (inout Source) -> Void) async throws -> FetchBench {
        var bench = try await FetchBench()
        bench.source.first = .all
        change(&bench.source)
        return bench
    }

    /// Identifier, sink and level of every delivery, oldest first.
    private func told(_ bench: FetchBench) throws -> [String] {
        try bench.store.deliveries(in: Set(Delivery.State.allCases), limit: 1000).reversed().map {
            "\($0.request.identifier) \($0.sink) \($0.request.content.interruptionLevel.rawValue)"
        }
    }

    @Test func whatASourceSkipsIsKnownAndNeverTold() async throws {
        let bench = try await bench { $0.skip = #".title | test("b$")"# }
        await bench.publish([("b", 1), ("a", 2)])
        _ = try await bench.fetch()
        #expect(try bench.outbox() == ["news/urn:a"])
        #expect(try bench.store.itemCount(of: "news") == 2)
        await bench.origin.stop()
    }

    @Test func whatIsUrgentOfManyComesByItself() async throws {
        let bench = try await bench { $0.rules = [ItemRule(when: #".title | test("b[0-9]*$")"#, level: .critical)] }
        let others = (1...11).map { ("a\($0)", Double($0)) }
        await bench.publish([("b", 12)] + others)
        _ = try await bench.fetch()
        let first = try told(bench)
        #expect(first.count == 2 && first.first == "news/urn:b stdout critical", "\(first)")
        #expect(first.last?.hasSuffix("stdout active") == true, "\(first)")
        // Of itself it may be too much, too.
        await bench.publish((1...11).map { ("b\($0)", Double($0)) } + others)
        _ = try await bench.fetch()
        let second = try told(bench).dropFirst(2)
        #expect(second.count == 1 && second.first?.hasSuffix("stdout critical") == true, "\(second)")
        await bench.origin.stop()
    }

    @Test func whatIsUrgentOfADayStandsFirst() async throws {
        let bench = try await bench {
            $0.notify = .daily
            $0.rules = [ItemRule(when: #".title | test("b$")"#, level: .timeSensitive)]
        }
        await bench.publish((1...11).map { ("a\($0)", 1) } + [("b", 1)])
        _ = try await bench.fetch()
        let content = try #require(try bench.store.deliveries(in: [.pending]).first).request.content
        #expect(
            content.body.hasPrefix("• Title b\n• Title a1\n") && content.body.hasSuffix("and 2 more"), "\(content.body)"
        )
        await bench.origin.stop()
    }

    @Test func onlyAndSkipHoldTogether() async throws {
        let bench = try await bench {
            $0.only = #".title | test("[ab]$")"#
            $0.skip = #".title | test("[bc]$")"#
        }
        await bench.publish([("d", 0), ("c", 1), ("b", 2), ("a", 3)])
        let report = try await bench.fetch()
        #expect(try bench.outbox() == ["news/urn:a"])
        #expect(report.verdicts(for: bench.source).last { !$0.notifies }?.reason == "`only` or `skip` leaves it out")
        await bench.origin.stop()
    }

    @Test func everyRuleThatKeepsAnItemCountsAndTheFirstThatSaysAThingDecides() async throws {
        let bench = try await bench {
            $0.rules = [
                ItemRule(when: #".title | test("a")"#, level: .critical),
                ItemRule(when: #".title | test("[ab]$")"#, level: .passive, sinks: ["team"]),
                ItemRule(when: #".title | test("c$")"#, skip: true),
                ItemRule(sinks: ["stdout", "desktop"]),
            ]
        }
        await bench.publish([("d", 1), ("c", 2), ("b", 3), ("a", 4)])
        let report = try await bench.fetch()
        #expect(
            try told(bench).sorted() == [
                "news/urn:a team critical", "news/urn:b team passive", "news/urn:d desktop active",
                "news/urn:d stdout active",
            ])
        #expect(report.verdicts(for: bench.source).map(\.reason).contains("a rule skips it"))
        await bench.publish([("d", 1), ("c", 2), ("b", 3), ("a", 4)])
        #expect(try await bench.fetch().result == .noData, "what was skipped is known")
        await bench.origin.stop()
    }

    @Test func whatARuleWantsToldIsToldWhateverLaterOnesSkip() async throws {
        let bench = try await bench {
            $0.rules = [ItemRule(when: #".title | test("a$")"#, skip: false, level: .critical), ItemRule(skip: true)]
        }
        await bench.publish([("b", 1), ("a", 2)])
        _ = try await bench.fetch()
        #expect(try told(bench) == ["news/urn:a stdout critical"])
        await bench.origin.stop()
    }

    @Test func whatARuleMayWantToldIsToldWhereItsConditionFails() async throws {
        let bench = try await bench {
            $0.rules = [ItemRule(when: ".title | tonumber > 3", skip: false), ItemRule(skip: true)]
        }
        await bench.publish([("a", 1)])
        _ = try await bench.fetch()
        #expect(try told(bench) == ["news/urn:a stdout active"])
        await bench.origin.stop()
    }

    @Test func aFloodIsOneSummaryForEachPlaceItGoesTo() async throws {
        let bench = try await bench { source in
            source.rules = [ItemRule(when: #".title | test("1.$")"#, level: .passive, sinks: ["team"])]
        }
        await bench.publish((1...12).map { (id: "\($0)", hoursAgo: Double(20 - $0)) })
        _ = try await bench.fetch()
        let deliveries = try bench.store.deliveries(in: [.pending])
        let rows = deliveries.map {
            "\($0.request.content.title) \($0.sink) \($0.request.content.interruptionLevel.rawValue)"
        }
        #expect(rows.sorted() == ["3 new in The feed team passive", "9 new in The feed stdout active"])
        #expect(Set(deliveries.map(\.request.identifier)).count == 2)
        await bench.origin.stop()
    }

    @Test func aDayIsToldWhereItsItemsGo() async throws {
        var bench = try await FetchBench(.daily)
        bench.source.rules = [ItemRule(when: #".title | test("b$")"#, sinks: ["team"])]
        bench.source.mapping.timeZone = .gmt
        await bench.publish([("b", 1), ("a", 2)])
        _ = try await bench.fetch()
        #expect(
            try told(bench).sorted() == [
                "news/day-2023-11-14 stdout active", "news/day-2023-11-14-team team active",
            ])
        await bench.origin.stop()
    }

    /// Of each, how many items it tells of.
    private func counts(_ report: FetchReport) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: report.composition.parts.map { ($0.request.identifier, $0.items.count) })
    }

    @Test func aDayIsToldOnceWhereItsItemsGoToTheSameSinks() async throws {
        var bench = try await FetchBench(.daily)
        bench.source.sinks = ["stdout", "team"]
        bench.source.rules = [
            ItemRule(when: #".title | test("b$")"#, sinks: ["team", "stdout", "team"]),
            ItemRule(when: #".title | test("c$")"#, sinks: ["team"]),
        ]
        bench.source.mapping.timeZone = .gmt
        await bench.publish([("c", 1), ("b", 2), ("a", 3)])
        let report = try await bench.fetch()
        #expect(counts(report) == ["news/day-2023-11-14": 2, "news/day-2023-11-14-team": 1])
        #expect(
            try told(bench).sorted() == [
                "news/day-2023-11-14 stdout active", "news/day-2023-11-14 team active",
                "news/day-2023-11-14-team team active",
            ])
        await bench.origin.stop()
    }

    @Test(arguments: [["b", "c"], ["c", "b"]])
    func theOrderInWhichRulesNameSinksPartsNothing(_ order: [String]) async throws {
        var bench = try await FetchBench(.daily)
        bench.source.rules = [
            ItemRule(when: #".title | test("b$")"#, sinks: ["team", "desktop"]),
            ItemRule(when: #".title | test("c$")"#, sinks: ["desktop", "team"]),
        ]
        bench.source.mapping.timeZone = .gmt
        await bench.publish([(order[0], 1), (order[1], 2)])
        let report = try await bench.fetch()
        #expect(counts(report) == ["news/day-2023-11-14-team+desktop": 2])
        await bench.origin.stop()
    }

    @Test func anItemOnWhichAConditionFailsIsToldAndSaid() async throws {
        let bench = try await bench {
            $0.first = .all
            $0.only = #".title | test("a$")"#
            $0.rules = [ItemRule(when: #".summary | test("x")"#, skip: true)]
        }
        let untitled = "<entry><id>urn:u</id><updated>2023-11-14T10:00:00Z</updated></entry>"
        let titled = ["a", "b"].map { name in
            """
            <entry><id>urn:\(name)</id><title>\(name)</title><summary>y</summary>
            <updated>2023-11-14T10:00:00Z</updated></entry>
            """
        }
        let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title>\(titled.joined())\(untitled)</feed>"
        await bench.origin.script("/feed", [ScriptedAnswer(body: feed)])
        let report = try await bench.fetch()
        #expect(report.failure == nil)
        #expect(Set(report.newItems.map(\.identifier)) == ["urn:a", "urn:u"])
        #expect(report.requests.count == 2)
        #expect(report.remarks.count == 1)
        let remark = "a condition (`only`, `skip`, `rules`) fails on urn:u, and is left out of account there: "
        #expect(report.remarks.first?.hasPrefix(remark) == true)
        await bench.origin.stop()
    }

    @Test func aRuleThatCannotBeReadFailsTheFetchOnly() async throws {
        let bench = try await bench { $0.rules = [ItemRule(when: ".title |", skip: true)] }
        await bench.publish([("a", 1)])
        #expect(try await bench.fetch().failure?.stage == .decode)
        #expect(try bench.store.itemCount(of: "news") == 0)
        await bench.origin.stop()
    }
}

@Suite struct UpdatesTests {
    private func feed(_ titles: [(id: String, title: String)]) -> String {
        let entries = titles.map { id, title in
            """
            <entry><id>urn:\(id)</id><title>\(title)</title><updated>2023-11-14T12:00:00Z</updated>
            <link href="https://e.example/\(id)"/></entry>
            """
        }
        return """
            <?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>The feed</title><id>urn:f</id>
            <updated>2023-11-14T00:00:00Z</updated>\(entries.joined())</feed>
            """
    }

    private func bench(_ updates: UpdatePolicy, _ documents: [[(id: String, title: String)]]) async throws -> FetchBench
    {
        var bench = try await FetchBench()
        bench.source.updates = updates
        await bench.origin.script("/feed", documents.map { ScriptedAnswer(body: feed($0)) })
        return bench
    }

    /// Identifier, revision and title of what is in the outbox, oldest first.
    private func told(_ bench: FetchBench) throws -> [String] {
        try bench.store.deliveries(in: Set(Delivery.State.allCases), limit: 1000).reversed().map {
            "\($0.request.identifier.prefix(24)) \($0.requestRevision) \($0.request.content.title)"
        }
    }

    @Test func anUpdateIsIgnoredUnlessItIsAskedFor() async throws {
        let bench = try await bench(.ignore, [[("a", "One")], [("a", "Two")]])
        _ = try await bench.fetch()
        #expect(try await bench.fetch().result == .noData)
        #expect(try told(bench) == ["news/urn:a 1 One"])
        await bench.origin.stop()
    }

    @Test func anItemThatIsCalledAsAnUpdateOfAnotherIsToldBesidesIt() async throws {
        typealias Document = [(id: String, title: String)]
        let both: Document = [("a", "Two"), ("a/update-1", "New")]
        let orders: [[Document]] = [
            [[("a", "One")], [("a", "Two")], both], [[("a", "One"), ("a/update-1", "New")], both],
        ]
        for documents in orders {
            var bench = try await bench(.notify, documents)
            bench.source.first = .all
            for _ in documents { _ = try await bench.fetch() }
            #expect(
                try told(bench).sorted() == [
                    "news/urn:a 1 One", "news/urn:a/update-1 1 Two", "news/urn:a/update-1~ 1 New",
                ])
            await bench.origin.stop()
        }
    }

    @Test func aReplacementOfAnItemThatIsCalledAsAnUpdateTakesItsPlace() async throws {
        for name in ["a/update-1", "a~2"] {
            let bench = try await bench(.replace, [[(name, "One")], [(name, "Two")]])
            for _ in 1...2 { _ = try await bench.fetch() }
            #expect(try told(bench) == ["news/urn:\(name)~ 2 Two"])
            await bench.origin.stop()
        }
    }

    @Test func aReplacementHasTheIdentifierOfTheItemAndAHigherRevision() async throws {
        let bench = try await bench(.replace, [[("a", "One")], [("a", "Two")], [("a", "Two")], [("a", "Three")]])
        _ = try await bench.fetch()
        #expect(try await bench.fetch().result == .newData)
        #expect(try told(bench) == ["news/urn:a 2 Two"])
        _ = try await bench.fetch()
        #expect(try told(bench) == ["news/urn:a 2 Two"], "what has not changed is not raised again")
        _ = try await bench.fetch()
        #expect(try told(bench) == ["news/urn:a 3 Three"])
        await bench.origin.stop()
    }

    @Test func aNotifiedUpdateIsToldForEachChangeAlsoWhereTheItemIsAsItWasOnce() async throws {
        let titles = ["One", "Two", "One", "Two", "Three"]
        let bench = try await bench(.notify, titles.map { [("a", $0)] })
        for _ in titles { _ = try await bench.fetch() }
        #expect(
            try told(bench) == [
                "news/urn:a 1 One", "news/urn:a/update-1 1 Two", "news/urn:a/update-2 1 One",
                "news/urn:a/update-3 1 Two",
                "news/urn:a/update-4 1 Three",
            ])
        await bench.origin.stop()
    }

    @Test func anItemThatChangesForEverIsToldTwentyFourTimes() async throws {
        let bench = try await bench(.replace, (0...40).map { [("a", "Title \($0)")] })
        for _ in 0...40 { _ = try await bench.fetch() }
        #expect(try told(bench) == ["news/urn:a 25 Title 24"])
        await bench.origin.stop()
    }

    @Test func manyUpdatesAtOnceAreOneSummary() async throws {
        func all(_ title: String) -> [(id: String, title: String)] { (1...12).map { ("\($0)", "\(title) \($0)") } }
        let bench = try await bench(.replace, [all("Old"), all("New")])
        _ = try await bench.fetch()
        let report = try await bench.fetch()
        #expect(report.composition.requests.map(\.content.title) == ["12 updated in The feed"])
        await bench.origin.stop()
    }

    @Test func aChangeOfTheMappingIsNoUpdate() async throws {
        var bench = try await bench(.replace, [[("a", "One")], [("a", "Two")]])
        _ = try await bench.fetch()
        bench.source.mapping.datesAreLocal = true
        _ = try await bench.fetch()
        #expect(try told(bench) == ["news/urn:a 1 One"])
        await bench.origin.stop()
    }
}

@Suite struct UniqueAddressTests {
    @Test(arguments: [
        ("http://www.E.example:80/a/?utm_source=x#:~:text=b", "https://e.example/a"),
        ("https://e.example/a#xtor=RSS-1", "https://e.example/a"), ("https://e.example/a#", "https://e.example/a"),
        ("https://e.example/a#UTM_source=rss", "https://e.example/a"),
        ("https://e.example/log#v1.2", "https://e.example/log#v1.2"),
        ("https://e.example/a?id=1&fbclid=2", "https://e.example/a?id=1"),
        ("https://e.example/a;jsessionid=0A?id=1", "https://e.example/a?id=1"),
        ("https://e.example/a;JSESSIONID=0A.b/c;v=1", "https://e.example/a/c;v=1"),
        ("https://e.example/a?PHPSESSID=x7&id=1", "https://e.example/a?id=1"),
        (
            "https://e.example/a?sid=0123456789abcdef0123456789abcdef",
            "https://e.example/a?sid=0123456789abcdef0123456789abcdef"
        ),
        ("https://e.example/?a=1&amp;b=2&#038;c=3", "https://e.example?a=1&b=2&c=3"),
        ("https://e.example:8443/A", "https://e.example:8443/A"),
        ("https://e.example/%E4%BD%A0/", "https://e.example/%E4%BD%A0"),
        ("http://www.BÜCHER.example/", "https://xn--bcher-kva.example"),
        ("https://b%C3%BCcher.example", "https://xn--bcher-kva.example"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        ("urn:isbn:1", "urn:isbn:1"), ("", ""),
    ])
    func anAddressIsComparedWithoutWhatDoesNotChangeWhereItLeads(_ url: String, _ expected: String) {
        #expect(CanonicalURL.of(url) == expected)
    }

    @Test func escapesAreComparedInOneSpelling() {
        let url = "https://e.example/%7Eme/%c3%a9?q=%41%2f#%c3%A9"
        #expect(CanonicalURL.ofAllSpellings(url) == "https://e.example/~me/%C3%A9?q=A%2F#%C3%A9")
        #expect(CanonicalURL.of(url) == url, "what is kept stays as states of before have it")
        for odd in ["%", "https://e.example/%zz?%#%", "https://[::1]/%7", "urn:a%7E"] {
            #expect(CanonicalURL.ofAllSpellings(odd) == CanonicalURL.of(odd))
        }
    }

    @Test func whatAnotherSourceToldIsRecordedAndNotRaised() async throws {
        let bench = try await FetchBench()
        await bench.publish([("a", 1)])
        for name in ["one", "two"] {
            var source = bench.source
            source.name = name
            source.isUnique = true
            _ = try await bench.fetcher.fetch(source)
        }
        let due = try bench.store.dueDeliveries(at: bench.clock.now)
        #expect(due.map(\.request.identifier) == ["one/urn:a"])
        let other = try #require(try bench.store.deliveries(in: [.suppressed], source: "two").first)
        #expect(other.lastError == "told in one/urn:a")
        await bench.origin.stop()
    }

    /// The documents of programs and files may be of any two sites.
    @Test(arguments: [("/2", false), ("file:///2", false), ("magnet:?xt=2", true), ("https://e.example/2", true)])
    func anAddressThatIsNoneBeyondThisMachineIsNotShared(url: String, isShared: Bool) async throws {
        let bench = try await FetchBench()
        for name in ["one", "two"] {
            let item = "<item><guid>\(name)</guid><link>\(url)</link></item>"
            let feed = "<rss><channel><title>F</title>\(item)</channel></rss>"
            var source = Source(name: name, address: .command(["printf", "%s", feed]), sinks: ["stdout"])
            (source.first, source.isUnique) = (.all, true)
            #expect(try await bench.fetcher.fetch(source).newItems.count == 1)
        }
        let due = try bench.store.dueDeliveries(at: bench.clock.now).map(\.request.identifier)
        #expect(due == (isShared ? ["one/one"] : ["one/one", "two/two"]))
        await bench.origin.stop()
    }
}
