import CrierContent
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// Feeds that call all their items otherwise from one visit to the next.
@Suite struct RenamedItemsTests {
    /// As the one before the last ten, when one of these is taken out.
    @Test func oneThatComesBackUnderAnotherNameIsNotNewIfItSaysTheSame() async throws {
        func feed(_ guid: String, _ numbers: [Int], text: String = "s") -> String {
            RSSEntry.feed(numbers.map { RSSEntry(number: $0, guid: "\(guid)\($0)", text: text) })
        }
        let before = [feed("a", [1, 2, 3]), feed("b", [4, 3, 2]), feed("b", [6, 5, 4])]
        func last(_ document: String) async throws -> [String]? {
            try await newTitles(before[0], before[1], before[2], document).last
        }
        #expect(try await last(feed("b", [6, 5, 4, 1])) == [])
        func entries(_ guid: String, _ numbers: [Int], text: String = "s") -> [RSSEntry] {
            numbers.map { RSSEntry(number: $0, guid: "\(guid)\($0)", text: $0 == 1 ? text : "s") }
        }
        let visits = [
            entries("a", [1, 2, 3]), entries("b", [4, 3, 2]), entries("b", [6, 5, 4]),
            entries("b", [6, 5, 4, 1], text: "t"),
        ]
        #expect(try await newTitles(visits, hours: 24).last == ["T1"])
    }

    @Test func anIdentifierThatIsTheAddressInAnotherSpellingIsNotNew() async throws {
        func feed(_ letter: String, _ numbers: ClosedRange<Int>) -> String {
            RSSEntry.feed(numbers) {
                RSSEntry(number: $0, guid: "https://e.example/\(letter)/\($0)", host: "e.example/é", isDated: false)
            }
        }
        let spellings = ["%C3%A9", "é", "%c3%a9"]
        for (one, other) in [(0, 1), (1, 2), (2, 0)] {
            #expect(try await newTitles(feed(spellings[one], 1...3), feed(spellings[other], 1...4)).last == ["T4"])
        }
    }

    @Test func serversThatTakeTurnsAndCallItemsOtherwiseTellEachOnce() async throws {
        func feed(_ host: String, _ numbers: ClosedRange<Int>) -> String {
            RSSEntry.feed(numbers) { RSSEntry(number: $0, guid: "\(host)/\($0)", host: host) }
        }
        let (e, f) = ("e.example", "www.f.example")
        #expect(
            try await newTitles(feed(e, 1...3), feed(f, 2...4), feed(e, 2...4), feed(e, 2...5), feed(f, 3...5))
                == [["T1", "T2", "T3"], ["T4"], [], ["T5"], []])
    }

    /// Two nodes of one site, whose dates are days.
    @Test(arguments: [
        ("https://www.e.example/", "https://e.example/"), ("https://e.example/p/", "https://e.example/p"),
        ("http://www.e.example/p", "https://e.example/p/"),
    ])
    func serversThatSpellAnAddressOtherwiseTellEachItemOnce(one: String, other: String) async throws {
        func feed(_ address: String, _ numbers: ClosedRange<Int>) -> String {
            let items = numbers.reversed().map { number in
                let name = address.hasSuffix("/") ? "\(address.dropLast())\(number)/" : "\(address)\(number)"
                return "<item><title>T\(number)</title><guid>\(name)</guid><pubDate>\(number) Nov 2023</pubDate></item>"
            }
            return "<rss version='2.0'><channel>\(items.joined())</channel></rss>"
        }
        let told = try await newTitles(
            feed(one, 1...3), feed(other, 1...4), feed(one, 1...4), feed(other, 2...5), feed(one, 2...5))
        #expect(told.dropFirst() == [["T4"], [], ["T5"], []])
    }

    @Test func anotherTitleAtAnotherSpellingIsAnotherItem() async throws {
        func feed(_ address: String, _ title: String) -> String {
            "<rss version='2.0'><channel><item><title>\(title)</title><guid>\(address)</guid></item></channel></rss>"
        }
        let told = try await newTitles(
            feed("https://e.example/live", "One"), feed("https://www.e.example/live/", "Two"))
        #expect(told.last == ["Two"])
    }

    @Test func oneThatComesLateAndSaysTheSameAsOneThatHasGoneIsNew() async throws {
        let stable = (1...4).map { RSSEntry(number: $0, guid: "\($0)") }
        func alert(_ guid: String, _ host: String) -> String {
            RSSEntry.feed(stable + [RSSEntry(number: 7, title: "Disk full", guid: guid, host: host)])
        }
        for host in ["node7.example", "node6.example"] {
            #expect(
                try await newTitles(alert("a", "node6.example"), RSSEntry.feed(stable), alert("b", host)).last == [
                    "Disk full"
                ])
        }
    }

    @Test func anItemThatStaysAsItWasIsNoReasonToTellAllOthersAgain() async throws {
        func feed(_ numbers: ClosedRange<Int>, _ host: String, isDated: Bool = true) -> String {
            let items = numbers.reversed().map {
                RSSEntry(number: $0, guid: "\(host)/\($0)", host: host, isDated: isDated)
            }
            return RSSEntry.feed([RSSEntry(number: 9, title: "Pin", guid: "pin")] + items)
        }
        let all = ["Pin", "T1", "T2", "T3"]
        #expect(
            try await newTitles(feed(1...3, "e.example"), feed(2...4, "f.example")).map { $0.sorted() } == [
                all, ["T4"],
            ])
        #expect(
            try await newTitles(feed(1...3, "e.example", isDated: false), feed(1...3, "f.example", isDated: false))
                .last?
                .count
                == 3, "there may be others of that name there")
    }

    @Test func severalThatAreLikeOthersThatStayAreNew() async throws {
        func lines(_ guids: [String]) -> String {
            RSSEntry.feed(guids.map { RSSEntry(number: 1, title: "Door opened", guid: $0) })
        }
        #expect(try await newTitles(lines(["a", "b"]), lines(["a", "b", "c", "d", "e"])).last?.count == 3)
        #expect(try await newTitles(lines(["a", "b"]), lines(["b", "c", "d"])).last?.count == 2)
    }

    @Test func aSessionInMostLinksMakesNothingNew() async throws {
        func feed(_ letter: String) -> String {
            let session = "?sid=" + String(repeating: letter, count: 32)
            return RSSEntry.feed(
                [RSSEntry(number: 9, host: "other.example")] + (1...3).map { RSSEntry(number: $0, query: session) })
        }
        #expect(try await newTitles(feed("a"), feed("b"), feed("c")).map(\.count) == [4, 0, 0])
    }

    @Test(arguments: [false, true])
    func linksWithTheSessionOfEachVisitMakeNothingNew(isOneNamed: Bool) async throws {
        func feed(_ session: String, _ numbers: ClosedRange<Int>) -> String {
            RSSEntry.feed(numbers) {
                RSSEntry(number: $0, guid: isOneNamed && $0 == 3 ? "3" : nil, query: "?PHPSESSID=\(session)")
            }
        }
        let answers = [feed("a", 1...3), feed("b", 1...3), feed("c", 2...4), feed("d", 2...4)]
        #expect(
            try await newTitles(answers[0], answers[1], answers[2], answers[3]) == [
                ["T1", "T2", "T3"], [], ["T4"], [],
            ])
    }

    @Test func linksWithATokenOfEachVisitMakeNothingNew() async throws {
        func feed(_ token: Int, _ numbers: ClosedRange<Int>, isDated: Bool = true) -> String {
            RSSEntry.feed(numbers) {
                RSSEntry(number: 0, title: "T\($0)", isDated: isDated, query: "?p=\($0)&v=\(token)")
            }
            .replacing("<pubDate>0 ", with: "<pubDate>1 ")
        }
        #expect(
            try await newTitles(feed(97, 1...3), feed(194, 1...3), feed(291, 2...4), feed(388, 2...4))
                == [["T1", "T2", "T3"], [], ["T4"], []])
        #expect(
            try await newTitles(feed(97, 1...2, isDated: false), feed(98, 1...2, isDated: false)).last == ["T1", "T2"],
            "it may be the issue that they are of")
    }

    @Test func whatMayBeTheNextIssueIsNew() async throws {
        func build(_ number: Int, hasGuids: Bool, time: String) -> String {
            RSSEntry.feed(1...3) {
                RSSEntry(
                    number: 0, title: "File \($0)", guid: hasGuids ? "build-\(number)-\($0)" : nil,
                    query: "?build=\(number)&amp;file=\($0)")
            }.replacing("<pubDate>0 Nov 2023 10:00:00", with: "<pubDate>1 Nov 2023 \(time)")
        }
        for (hasGuids, time, count) in [(true, "10:00:00", 3), (false, "00:00:00", 3), (false, "10:00:00", 0)] {
            let builds = [4711, 4712].map { build($0, hasGuids: hasGuids, time: time) }
            #expect(try await newTitles(builds[0], builds[1]).last?.count == count, "\(hasGuids) \(time)")
        }
    }

    @Test func identifiersThatComeLaterMakeNothingNew() async throws {
        let bare = RSSEntry.feed(1...3) { RSSEntry(number: $0) }
        let named = RSSEntry.feed(1...4) { RSSEntry(number: $0, guid: "tag:e.example,\($0)") }
        let atom = (1...5).reversed().map {
            """
            <entry><id>urn:\($0)</id><title>T\($0)</title><link href='https://www.e.example/\($0)/'/>
            <updated>2023-11-0\($0)T11:00:00+01:00</updated></entry>
            """
        }
        let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><title>F</title>\(atom.joined())</feed>"
        #expect(try await newTitles(bare, named, feed) == [["T1", "T2", "T3"], ["T4"], ["T5"]])
    }

    @Test(arguments: ["?ref=rss", "?from=feed&amp;v=2"])
    func aMarkThatAllLinksHadMakesNothingNew(_ mark: String) async throws {
        func feed(_ query: String, _ numbers: ClosedRange<Int>) -> String {
            RSSEntry.feed(numbers) { RSSEntry(number: $0, query: query) }
        }
        #expect(
            try await newTitles(feed(mark, 1...3), feed("", 1...4), feed(mark, 2...5), feed("", 2...6))
                == [["T1", "T2", "T3"], ["T4"], ["T5"], ["T6"]])
    }

    @Test func aParameterThatTellsItemsApartIsNoMark() async throws {
        func rooms(_ courses: [Int]) -> String {
            RSSEntry.feed(
                courses.enumerated().map { day, course in
                    RSSEntry(number: 1, title: "Room", day: day + 1, query: "?day=\(day + 1)&amp;course=\(course)")
                })
        }
        #expect(try await newTitles(rooms([5, 5]), rooms([6, 7])).map(\.count) == [2, 2])
    }

    @Test func anotherEditionOfAPageIsNotNew() async throws {
        func feed(_ numbers: ClosedRange<Int>, _ edition: (Int) -> Int) -> String {
            RSSEntry.feed(numbers) {
                RSSEntry(number: $0, guid: "https://e.example/\($0)#\(edition($0))", query: "?at=RSS")
            }
        }
        #expect(
            try await newTitles(
                feed(1...8) { _ in 0 }, feed(2...9) { $0 == 5 ? 3 : 0 }, feed(2...9) { $0 == 5 ? 4 : 0 })
                == [(1...8).map { "T\($0)" }, ["T9"], []])
        // An edition is made for the sake of a text that is corrected.
        func corrected(_ text: String, _ edition: Int) -> String {
            RSSEntry.feed(1...8) {
                let isIt = $0 == 5
                return RSSEntry(
                    number: $0, guid: "https://e.example/\($0)#\(isIt ? edition : 0)", query: "?at=RSS",
                    text: isIt ? text : "As it was")
            }
        }
        #expect(
            try await newTitles(corrected("Teh", 0), corrected("The", 1), corrected("The end", 2)).map(\.count) == [
                8, 0, 0,
            ])
        // A page that says something new each day, under the same title.
        func weather(_ day: Int) -> String {
            RSSEntry.feed(1...3) {
                RSSEntry(number: $0, title: "T", guid: "https://e.example/\($0)#\(day)", day: day + $0)
            }
        }
        #expect(try await newTitles(weather(1), weather(5), weather(9)).map(\.count) == [3, 3, 3])
        // Parts of one page, whose number is all that tells them apart.
        func parts(_ numbers: ClosedRange<Int>) -> String {
            RSSEntry.feed(numbers) { RSSEntry(number: 1, title: "Note", guid: "https://e.example/1#\($0)") }
        }
        #expect(try await newTitles(parts(1...2), parts(2...3)).last == ["Note"])
    }

    @Test func itIsSaidHowManyWereTakenForKnown() async throws {
        let bench = try await FetchBench()
        let documents = ["a", "b"].map { name in RSSEntry.feed(1...3) { RSSEntry(number: $0, guid: "\(name)\($0)") } }
        await bench.origin.script("/feed", documents.map { ScriptedAnswer(body: $0) })
        #expect(try await bench.fetch().remarks.isEmpty)
        #expect(try await bench.fetch().remarks.contains { $0.contains("3 items are taken for known") })
        await bench.origin.stop()
    }

    @Test func aPageThatIsTheQueryOfItsSiteIsTold() async throws {
        func feed(_ numbers: ClosedRange<Int>, _ host: String = "e.example") -> String {
            let items = numbers.map { number in
                "<item><title>Storm</title><link>https://\(host)/?p=\(number)</link><pubDate>1 Nov 2023</pubDate></item>"
            }
            return "<rss version='2.0'><channel><title>F</title>\(items.joined())</channel></rss>"
        }
        #expect(try await newTitles(feed(1...2), feed(3...4)).last?.count == 2)
        #expect(try await newTitles(feed(1...2), feed(1...2, "f.example")).last?.isEmpty == true)
    }

    @Test func itemsOfOneAddressAreToldByTheirTexts() async throws {
        func feed(_ name: String, _ texts: [String]) -> String {
            let items = texts.map { text in
                """
                <item><title>\(text.prefix(1))</title><link>https://e.example/</link><guid>\(name)\(text)</guid>
                <description>\(text)</description><pubDate>1 Nov 2023</pubDate></item>
                """
            }
            return "<rss version='2.0'><channel><title>F</title>\(items.joined())</channel></rss>"
        }
        let first = feed("a", ["A region", "B region"])
        #expect(try await newTitles(first, feed("b", ["A other", "B other"])).last?.sorted() == ["A", "B"])
        #expect(try await newTitles(first, feed("b", ["A region", "B region"])).last == [])
    }

    @Test func oneOfTheOtherSchemeKeepsNoOthersFromBeingKnown() async throws {
        let before = RSSEntry.feed(1...3) { RSSEntry(number: $0, guid: $0 == 1 ? nil : "a\($0)", scheme: "http") }
        let after = RSSEntry.feed(1...4) { RSSEntry(number: $0, guid: $0 == 1 ? nil : "b\($0)") }
        #expect(try await newTitles(before, after).last == ["T4"])
    }

    /// Nothing but their identifiers tells these from those before.
    @Test func whatMayBeAnotherIsNew() async throws {
        func alerts(_ name: String, _ numbers: ClosedRange<Int>) -> String {
            RSSEntry.feed(numbers) { RSSEntry(number: $0, title: "Down", guid: "\(name)\($0)", isDated: false) }
        }
        #expect(try await newTitles(alerts("a", 1...2), alerts("b", 1...2)) == [["Down", "Down"], ["Down", "Down"]])
        func single(_ name: String) -> String { RSSEntry.feed(1...1) { RSSEntry(number: $0, guid: name) } }
        #expect(try await newTitles(single("a"), single("b")) == [["T1"], ["T1"]])
        // Two of each number, of which the scheme alone tells which is which, and an identifier that all have.
        let both = RSSEntry.feed([RSSEntry(number: 1), RSSEntry(number: 1, scheme: "http")])
        #expect(try await newTitles(RSSEntry.feed(1...1) { RSSEntry(number: $0) }, both) == [["T1"], ["T1"]])
        func shared(_ scheme: String, _ numbers: ClosedRange<Int>) -> String {
            RSSEntry.feed(numbers) { RSSEntry(number: $0, guid: "\(scheme)://e.example/") }
        }
        #expect(try await newTitles(shared("http", 1...2), shared("https", 3...4)).last == ["T3", "T4"])
        let later = RSSEntry.feed(1...2) { RSSEntry(number: $0, title: "Again \($0)", guid: "b\($0)") }
        #expect(
            try await newTitles(RSSEntry.feed(1...2) { RSSEntry(number: $0, guid: "a\($0)") }, later).last?.count == 2)
    }
}
