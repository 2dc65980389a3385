import CrierContent
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// Documents that do not say well what is what.
@Suite struct StoredIdentitiesTests {
    private struct Entry {
        var title: String
        var guid: String?
        var link: String?
        var day: Int?
        var enclosure: String?
        var text: String?
        var category: String?
        var time = "10:00:00"

        var xml: String {
            let parts = [
                category.map { "<category>\($0)</category>" },
                text.map { "<description>\($0)</description>" },
                guid.map { "<guid>\($0)</guid>" }, link.map { "<link>http://e.example/\($0)</link>" },
                day.map { "<pubDate>\($0) Nov 2023 \(time) GMT</pubDate>" },
                enclosure.map { "<enclosure url='http://e.example/\($0)' length='1' type='audio/mpeg'/>" },
            ]
            return "<item><title>\(title)</title>\(parts.compactMap { $0 }.joined())</item>"
        }
    }

    private static func document(_ entries: [Entry]) -> ScriptedAnswer {
        ScriptedAnswer(
            body: "<rss version='2.0'><channel><title>F</title>\(entries.map(\.xml).joined())</channel></rss>")
    }

    /// The titles that each fetch finds new.
    private func new(_ documents: [[Entry]]) async throws -> [[String]] {
        let bench = try await FetchBench()
        await bench.origin.script("/feed", documents.map(Self.document))
        var titles: [[String]] = []
        for _ in documents {
            titles.append(try await bench.fetch().newItems.compactMap(\.title))
            bench.clock.advance(by: 3600)
        }
        await bench.origin.stop()
        return titles
    }

    /// As releases that share the address of their page, under a guid that says nothing.
    @Test func whatFollowsAnotherUnderItsGuidAndLinkIsNew() async throws {
        func release(_ number: Int, _ day: Int?) -> Entry {
            Entry(title: "T\(number)", guid: "N/A", link: "download", day: day, text: "what is in \(number)")
        }
        for isDated in [true, false] {
            let pairs = (1...5).map { newest in
                [newest, newest - 1].map { release($0, isDated ? $0 + 1 : nil) }
            }
            let found = try await new(pairs)
            #expect(found.dropFirst() == [["T2"], ["T3"], ["T4"], ["T5"]], "dated: \(isDated)")
        }
    }

    @Test func theNextVersionsOfSeveralUnderOneGuidAreNewAndTheirNeighboursAreNot() async throws {
        func program(_ name: String, _ version: Int, _ day: Int) -> Entry {
            Entry(title: "\(name) \(version)", guid: "N/A", link: name, day: day, text: "\(name) is \(version) now")
        }
        let (word, excel, outlook) = (program("Word", 1, 3), program("Excel", 1, 2), program("Outlook", 1, 1))
        let excel2 = program("Excel", 2, 5)
        let word2 = program("Word", 2, 6)
        let found = try await new([
            [word, excel, outlook], [excel2, word, outlook], [word2, excel2, outlook],
            [program("Outlook", 2, 7), word2, excel2], [word2, excel2],
        ])
        #expect(found.dropFirst() == [["Excel 2"], ["Word 2"], ["Outlook 2"], []])
    }

    /// The title or the date stays.
    @Test func whatIsCorrectedAmongOthersOfItsGuidAndLinkIsNotNew() async throws {
        func entry(_ title: String, _ day: Int) -> Entry { Entry(title: title, guid: "x", link: "a", day: day) }
        let found = try await new([
            [entry("B", 3), entry("A", 2)], [entry("B!", 3), entry("A", 2)], [entry("B!", 4), entry("A!", 2)],
            [entry("C", 5), entry("B!", 4), entry("A!", 1)],
        ])
        #expect(found.dropFirst() == [[], [], ["C"]])
    }

    /// Behind one guid, and one link or others.
    @Test(arguments: [true, false])
    func whatHasAnotherTextTitleOrLinkAmongOthersOfItsGuidIsNotNew(isOneLink: Bool) async throws {
        func feed(_ numbers: ClosedRange<Int>, text: String = "t", query: String = "", edited: Int = 0) -> [Entry] {
            numbers.reversed().map { number in
                Entry(
                    title: number == edited ? "Title \(number)" : "T\(number)", guid: "site",
                    link: (isOneLink ? "all" : "\(number)") + query, day: number, text: "\(text)\(number)")
            }
        }
        let found = try await new([
            feed(1...4), feed(1...4, text: "u"), feed(1...5, text: "u", query: "?a"),
            feed(2...5, text: "v", query: "?b"), feed(2...6, text: "v", query: "?b", edited: 3),
        ])
        #expect(found.dropFirst() == [[], ["T5"], [], ["T6"]])
        func release(_ number: Int, _ day: Int) -> Entry {
            Entry(title: "Release", guid: "site", link: "\(number)", day: day, time: "00:00:00")
        }
        let ofOneDay = try await new([[release(2, 5), release(1, 4)], [release(4, 6), release(3, 5)]])
        #expect(ofOneDay.last?.count == 2, "several may be of one day")
    }

    /// As where a blog is set up anew, or the one item of a feed has the address of its site for its identifier.
    @Test func anIdentifierThatIsUsedAgainForSomethingElseMakesItNew() async throws {
        func post(_ number: Int, _ day: Int, _ words: String, link: String? = nil) -> Entry {
            Entry(title: words, guid: "?p=\(number)", link: link ?? words, day: day, text: "About \(words)")
        }
        // By the clock, 14 November.
        let old = (1...5).reversed().map { post($0, $0, "Old \($0)") }
        let fresh = [4, 5].map { post($0, $0 + 11, "Fresh \($0)") }
        var corrected = fresh
        (corrected[1].text, corrected[1].title) = ("Better", "Better")
        let found = try await new([old, [fresh[0]], fresh.reversed(), corrected, [fresh[0]], old])
        #expect(found.dropFirst() == [["Fresh 4"], ["Fresh 5"], [], [], []])
        let strips = (15...18).map { [post(1, $0, "Strip \($0)")] }
        #expect(try await new(strips) == [["Strip 15"], ["Strip 16"], ["Strip 17"], ["Strip 18"]])
        // A page that says how things stand, and a post that is written anew.
        let states = (15...18).map { [post(1, $0, "State \($0)", link: "status")] }
        #expect(try await new(states).dropFirst() == [[], [], []])
        var rewritten = post(3, 3, "Rewritten")
        #expect(try await new([old, [rewritten]]).last == [])
        (rewritten.day, rewritten.text) = (16, "About Old 3")
        #expect(try await new([old, [rewritten]]).last == [])
    }

    @Test func whatIsLeftAloneByItsNeighboursIsKnownUnderTheNameThatItHadAmongThem() async throws {
        func shared(_ title: String, _ guid: String?, _ day: Int? = nil) -> Entry {
            Entry(title: title, guid: guid, link: guid == nil ? "log" : title, day: day)
        }
        let guids = try await new([
            [shared("T1", "a"), shared("T0", "a")], [shared("T2", "b"), shared("T1", "a")], [shared("T2", "b")],
            [shared("T1", "a")],
        ])
        #expect(guids.dropFirst() == [["T2"], [], []])
        let days = try await new([
            [shared("C2", nil, 1), shared("C1", nil, 1)], [shared("C3", nil, 2), shared("C2", nil, 1)],
            [shared("C4", nil, 2), shared("C3", nil, 2)], [shared("C4", nil, 2)],
        ])
        #expect(days.dropFirst() == [["C3"], ["C4"], []])
        let three = try await new([
            [shared("C3", nil, 1), shared("C2", nil, 1), shared("C1", nil, 1)],
            [shared("C4", nil, 2), shared("C3", nil, 1), shared("C2", nil, 1)],
            [shared("C5", nil, 2), shared("C4", nil, 2), shared("C3", nil, 1)],
            [shared("C6", nil, 2), shared("C5", nil, 2), shared("C4", nil, 2)], [shared("C6", nil, 2)],
        ])
        #expect(three.dropFirst() == [["C4"], ["C5"], ["C6"], []])
    }

    /// They differ in nothing but their dates, or their texts.
    @Test(arguments: [true, false]) func theNextOfOneTitleIsNewAndTheLastIsNot(isDated: Bool) async throws {
        func entry(_ number: Int) -> Entry {
            Entry(title: "T", guid: "g", link: "a", day: isDated ? number : 1, text: isDated ? "t" : "t\(number)")
        }
        let documents = [[1], [2, 1], [3, 2, 1], [4, 3, 2], [4, 3], [5, 4, 3], [6, 5, 4]].map { $0.map(entry) }
        #expect(try await new(documents).map(\.count) == [1, 1, 1, 1, 0, 1, 1])
    }

    @Test func whatIsAloneForAVisitTakesNoNameFromOneThatReturns() async throws {
        func entry(_ number: Int) -> Entry { Entry(title: "T\(number)", guid: "g", link: "a", day: number, text: "t") }
        let documents = [[1], [3, 1], [3], [3, 1], [4, 3, 1]].map { $0.map(entry) }
        #expect(try await new(documents) == [["T1"], ["T3"], [], [], ["T4"]])
    }

    /// As an earlier version called them.
    @Test func copiesThatAreStoredApartAreKnown() async throws {
        let bench = try await FetchBench()
        func entry(_ title: String, _ category: String) -> Entry {
            Entry(title: title, guid: title, link: "a", day: 2, text: "t", category: category)
        }
        let copies = [entry("T", "a"), entry("T", "b")]
        await bench.origin.script("/feed", [Self.document(copies), Self.document([entry("N", "a")] + copies)])
        let report = try await bench.fetch()
        let item = try #require(report.newItems.first)
        #expect(item.categories == ["a", "b"])
        var stored = [item, item]
        for (place, category) in ["a", "b"].enumerated() {
            stored[place].categories = [category]
            stored[place].identifier = ItemIdentity.identifiers(of: stored[place], item.identifier)[3]
        }
        var other = bench.source
        other.name = "other"
        var state = try bench.state()
        state.name = other.name
        state.bodyHash = nil
        try bench.store.commit(FetchCommit(state: state, items: stored, date: bench.clock.now))
        bench.clock.advance(by: 3600)
        #expect(try await bench.fetcher.fetch(other).newItems.map(\.title) == ["N"])
        await bench.origin.stop()
    }

    /// The first of them stands for all, at each visit.
    @Test func copiesAreStoredOnce() async throws {
        let bench = try await FetchBench()
        func copies(_ others: Int) -> [Entry] {
            ["a", "b"].map { Entry(title: "T", guid: "x", link: "a", day: 2, text: "t", category: $0) }
                + (0..<others).map { Entry(title: "O\($0)") }
        }
        await bench.origin.script("/feed", (0..<3).map { Self.document(copies($0)) })
        for _ in 0..<3 {
            _ = try await bench.fetch()
            let stored = try bench.store.items(of: ["news"], seenSince: .distantPast).map(\.item)
            #expect(stored.first { $0.identifier == "x" }?.categories == ["a", "b"])
            bench.clock.advance(by: 3600)
        }
        await bench.origin.stop()
    }

    @Test func whatStandsInADocumentOnceForEachOfItsCategoriesIsOne() async throws {
        func entry(_ category: String?, _ day: Int = 2) -> Entry {
            Entry(title: "T\(day)", guid: "x\(day)", link: "a\(day)", day: day, text: "t", category: category)
        }
        let found = try await new([
            [entry("a"), entry("b")], [entry("b")], [entry("c"), entry("a")],
            [entry("a", 3), entry("b", 3), entry("c", 3), entry("a")],
        ])
        #expect(found == [["T2"], [], [], ["T3"]])
    }

    @Test func aDateThatMovesMakesNothingNew() async throws {
        let days = [2, 3, nil, 4]
        #expect(try await new(days.map { [Entry(title: "T", link: "1", day: $0)] }) == [["T"], [], [], []])
        #expect(
            try await new([[Entry(title: "T", link: "1", day: 2)], [Entry(title: "U", link: "1", day: 3)]])
                == [["T"], ["U"]])
    }

    /// It is stored under what it was told by first.
    @Test(arguments: [("1", "1", 3), ("1/", "1", 2), ("~1", "%7E1", 2)])
    func aTitleThatIsCorrectedAfterAShiftMakesNothingNew(link: String, other: String, day: Int) async throws {
        func feed(_ title: String, _ link: String, _ day: Int) -> [Entry] {
            ["", "a/"].map { Entry(title: title + $0, link: $0 + link, day: day, text: "what \($0) says") }
        }
        let documents = [feed("T", link, 2), feed("T", other, day), feed("U", other, day), feed("V", link, day)]
        let found = try await new(documents)
        #expect(found.map(Set.init) == [["T", "Ta/"], [], [], []])
    }

    /// Its title is all that a page of one address says.
    @Test func anotherTitleUnderADateThatHasMovedIsNewWhereNoTextTellsThatItIsTheSame() async throws {
        func page(_ title: String, _ day: Int?) -> [Entry] { [Entry(title: title, link: "status", day: day)] }
        #expect(try await new([page("Fine", 1), page("Fine", 2), page("Outage", 2)]) == [["Fine"], [], ["Outage"]])
        let undated = [page("Fine", 1), page("Fine", nil), page("Outage", nil)]
        #expect(try await new(undated) == [["Fine"], [], ["Outage"]])
    }

    @Test func whatHasAnotherEnclosureOrComesBackIsNew() async throws {
        func bulletin(_ day: Int) -> Entry { Entry(title: "News", link: "news", day: day, enclosure: "\(day).mp3") }
        #expect(try await new([[bulletin(1)], [bulletin(2)], [bulletin(3)]]) == [["News"], ["News"], ["News"]])
        func outage(_ day: Int) -> Entry { Entry(title: "DB outage", link: "db", day: day) }
        let other = Entry(title: "API outage", link: "api", day: 2)
        #expect(try await new([[outage(1)], [other], [outage(3)]]) == [["DB outage"], ["API outage"], ["DB outage"]])
        #expect(try await new([[outage(1)], [], [outage(3)]]) == [["DB outage"], [], ["DB outage"]])
        #expect(
            try await new([[outage(1)], [other, outage(1)], [other, outage(3)]])
                == [["DB outage"], ["API outage"], []], "it was there all the time")
    }

    @Test func whatIsToldOnceWhereDatesMoveIsNotToldAtEachVisit() async throws {
        func feed(_ day: Int, enclosure: String? = nil) -> [Entry] {
            [
                Entry(title: "A", link: "1", day: day), Entry(title: "B", link: "2", day: day, enclosure: enclosure),
            ]
        }
        let edited = (5...8).map { feed($0, enclosure: "b.mp3") }
        #expect(
            try await new([feed(3), feed(4)] + edited).map { $0.sorted() } == [["A", "B"], [], ["B"], [], [], []])
        #expect(
            try await new([feed(3), [], feed(5), feed(6), feed(7)]).map { $0.sorted() }
                == [["A", "B"], [], ["A", "B"], [], []])
    }

    @Test func aDateThatMovesMakesNothingNewWhereAnItemStandsTwice() async throws {
        func feed(_ categories: [String], _ day: Int, _ titles: String...) -> [Entry] {
            titles.flatMap { title in
                categories.map { Entry(title: title, link: title, day: day, text: "t", category: $0) }
            }
        }
        let found = try await new([
            feed(["a", "b"], 2, "A"), feed(["a", "b"], 3, "A"), feed(["a", "b"], 4, "B", "A"),
            feed(["b", "a"], 4, "B", "A"),
        ])
        #expect(found == [["A"], [], ["B"], []])
    }

    @Test func anAddressThatIsWrittenOtherwiseMakesNothingNewAndIsStoredOnce() async throws {
        func feed(_ letter: String, _ days: [Int?]) -> [Entry] {
            let stable = Entry(title: "Stable", link: "stable")
            return [stable]
                + days.enumerated().map { number, day in
                    Entry(title: "T\(number)", link: "\(number)?utm_content=\(letter)", day: day)
                }
        }
        for days in [[1, 2, 3], [nil, nil]] as [[Int?]] {
            let bench = try await FetchBench()
            await bench.origin.script("/feed", ["a", "b", "c"].map { Self.document(feed($0, days)) })
            _ = try await bench.fetch()
            for _ in 1...2 { #expect(try await bench.fetch().newItems.isEmpty) }
            #expect(try bench.store.itemCount(of: "news") == days.count + 1)
            await bench.origin.stop()
        }
        #expect(
            try await new([[Entry(title: "A", link: "1?utm_source=a")], [Entry(title: "B", link: "1?utm_source=b")]])
                == [["A"], ["B"]])
    }

    @Test func whatSharesAnAddressIsToldByItsDate() async throws {
        func log(_ days: ClosedRange<Int>, link: String? = "log") -> [Entry] {
            days.reversed().map { Entry(title: "Door opened", link: link, day: $0) }
        }
        let one = ["Door opened"]
        #expect(
            try await new([log(1...3), log(2...4), log(3...5), log(5...7)]) == [one + one + one, one, one, one + one])
        #expect(try await new([log(1...1, link: nil), log(2...2, link: nil)]) == [one, one])
        #expect(
            try await new([log(1...2), log(2...3), log(3...3), log(4...4), log(5...5)]) == [
                one + one, one, [], one, one,
            ])
    }

    @Test func oneThatIsBackdatedBehindAnIdentifierThatAllShareIsNew() async throws {
        let a = Entry(title: "A", guid: "site", link: "1", day: 10)
        let b = Entry(title: "B", guid: "site", link: "2", day: 12)
        let z = Entry(title: "Z", guid: "site", link: "9", day: 5)
        #expect(try await new([[a], [b, a], [z, b, a], [z, b, a]]) == [["A"], ["B"], ["Z"], []])
    }

    @Test func othersBehindAnIdentifierThatAllShareAreNewAtOnce() async throws {
        let entries = ["A", "B", "C", "D"].enumerated().map { place, title in
            Entry(title: title, guid: "site", link: title, day: place + 1)
        }
        #expect(
            try await new([[entries[1], entries[0]], [entries[3], entries[2]]]) == [["A", "B"], ["C", "D"]])
        let undated = Entry(title: "U", guid: "site", link: "u")
        #expect(
            try await new([[entries[0], undated], [entries[2], undated]]).last == ["C"])
    }

    @Test func anotherSourceUnderTheNameTellsWhatIsNewInIt() async throws {
        var bench = try await FetchBench()
        let old = (5...9).reversed().map { Entry(title: "X\($0)", guid: "\($0)", link: "x\($0)") }
        func others(_ numbers: ClosedRange<Int>) -> ScriptedAnswer {
            Self.document(numbers.reversed().map { Entry(title: "Y\($0)", guid: "\($0)", link: "y\($0)") })
        }
        await bench.origin.script("/feed", [Self.document(old)])
        await bench.origin.script("/other", [others(4...5), others(4...6), others(4...7)])
        _ = try await bench.fetch()
        bench.source.address = .url(bench.origin.url("/other"))
        let first = try await bench.fetch()
        #expect(first.newItems.isEmpty)
        #expect(first.remarks.contains { $0.contains("2 items are taken for known") })
        #expect(try await bench.fetch().newItems.map(\.title) == ["Y6"])
        #expect(try await bench.fetch().newItems.map(\.title) == ["Y7"])
        #expect(try bench.outbox() == ["news/9", "news/6", "news/7"])
        await bench.origin.stop()
    }

    @Test func anotherSourceUnderTheNameIsKnownForOneAlsoWhereItFailsAtFirst() async throws {
        var bench = try await FetchBench()
        func document(_ names: String, day: Int) -> ScriptedAnswer {
            Self.document(names.enumerated().map { Entry(title: "\($1)", guid: "\($0)", link: "\($1)", day: day) })
        }
        await bench.origin.script("/feed", [document("ABC", day: 10)])
        await bench.origin.script(
            "/other",
            [ScriptedAnswer(status: 500), ScriptedAnswer(status: 404), document("XYZ", day: 16)])
        _ = try await bench.fetch()
        bench.clock.advance(by: 3 * 86_400)
        bench.source.address = .url(bench.origin.url("/other"))
        for _ in 1...2 { #expect(try await bench.fetch().result == .failed) }
        #expect(try bench.state().answeringURL(of: bench.source) == nil)
        let first = try await bench.fetch()
        #expect(first.newItems.map(\.title) == ["Z", "Y", "X"], "what they are called is another's")
        #expect(try bench.store.states().count == 2)
        #expect(try bench.state().answeringURL(of: bench.source) == bench.origin.url("/other"))
        await bench.origin.stop()
    }

    @Test func aSourceThatMovedIsTheSame() async throws {
        var bench = try await FetchBench()
        let entries = (1...3).map { Entry(title: "T\($0)", guid: "\($0)", link: "\($0)") }
        await bench.origin.script("/feed", [Self.document(Array(entries[0...1]))])
        await bench.origin.script("/moved", [Self.document(entries)])
        _ = try await bench.fetch()
        bench.source.address = .url(bench.origin.url("/moved"))
        let report = try await bench.fetch()
        #expect(report.newItems.map(\.title) == ["T3"] && report.remarks.isEmpty)
        #expect(try bench.store.states().keys.sorted() == ["news"])
        await bench.origin.stop()
    }
}
