import CrierContent
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// Feeds whose sites move to another host or folder, or get another engine, and call all their items otherwise.
@Suite struct MovedItemsTests {
    @Test(arguments: [true, false])
    func aMoveToHTTPSMakesNothingNew(isDated: Bool) async throws {
        func feed(_ scheme: String, _ numbers: ClosedRange<Int>) -> String {
            RSSEntry.feed(numbers) { RSSEntry(number: $0, scheme: scheme, isDated: isDated) }
        }
        func guids(_ scheme: String, _ numbers: ClosedRange<Int>) -> String {
            RSSEntry.feed(numbers) {
                RSSEntry(number: $0, guid: "\(scheme)://e.example/\($0)", scheme: scheme, isDated: isDated)
            }
        }
        #expect(
            try await newTitles(feed("http", 1...3), feed("https", 2...4), feed("https", 2...5), feed("http", 2...5))
                == [["T1", "T2", "T3"], ["T4"], ["T5"], []])
        #expect(try await newTitles(guids("http", 1...3), guids("https", 1...4)) == [["T1", "T2", "T3"], ["T4"]])
    }

    @Test func aMoveToAnotherHostMakesNothingNew() async throws {
        func feed(_ host: String, _ numbers: ClosedRange<Int>, isDated: Bool = true) -> String {
            RSSEntry.feed(numbers) { RSSEntry(number: $0, guid: "\(host)/\($0)", host: host, isDated: isDated) }
        }
        #expect(
            try await newTitles(feed("e.example", 1...3), feed("blog.f.example", 2...4)) == [
                ["T1", "T2", "T3"], ["T4"],
            ])
        let undated = ["e.example", "f.example"].map { feed($0, 1...2, isDated: false) }
        #expect(
            try await newTitles(undated[0], undated[1]).last == ["T1", "T2"], "there may be others of that name there")
    }

    /// As from the address of the latest issue.
    @Test func whatARedirectLeadsBackToIsKnown() async throws {
        let bench = try await FetchBench()
        let answers = ["/1", "/2", "/1"].map { ScriptedAnswer(status: 302, fields: ["Location": $0]) }
        await bench.origin.script("/feed", answers)
        for id in ["1", "2"] { await bench.origin.script("/\(id)", [ScriptedAnswer(body: bench.atom([(id, 1)]))]) }
        for titles in [["Title 1"], ["Title 2"], []] {
            #expect(try await bench.fetch().newItems.compactMap(\.title) == titles)
        }
        await bench.origin.stop()
    }

    /// By titles and paths, of items that are called by their addresses. Two may be others of that name, and so may those that have
    /// identifiers.
    @Test(arguments: [(3, false, ["T9"]), (2, false, ["T1", "T2", "T9"]), (3, true, ["T1", "T2", "T3", "T9"])])
    func aMoveOfAFeedWithoutDatesMakesNothingNew(count: Int, hasGUIDs: Bool, told: [String]) async throws {
        func feed(_ host: String, _ numbers: [Int]) -> String {
            RSSEntry.feed(
                numbers.map { RSSEntry(number: $0, guid: hasGUIDs ? "\(host)\($0)" : nil, host: host, isDated: false) })
        }
        let numbers = Array(1...count)
        let titles = try await newTitles(feed("e.example", numbers), feed("f.example", [9] + numbers))
        #expect(titles.last?.sorted() == told)
    }

    /// As those of a list of what others say, of which each is at its own host.
    @Test func whatIsAtSeveralOtherHostsIsNew() async throws {
        func feed(_ hosts: [String]) -> String {
            RSSEntry.feed(hosts.enumerated().map { RSSEntry(number: $0, host: $1, isDated: false) })
        }
        let (first, second) = (["a.example", "b.example", "c.example"], ["d.example", "e.example", "f.example"])
        #expect(try await newTitles(feed(first), feed(second)).last?.count == 3)
    }

    @Test func neitherDoesOneMoreMoveNorAThirdServer() async throws {
        func feed(_ host: String, _ numbers: ClosedRange<Int>) -> String {
            RSSEntry.feed(numbers) { RSSEntry(number: $0, guid: "\(host)/\($0)", host: host) }
        }
        let (e, f, g) = ("e.example", "f.example", "g.example")
        #expect(
            try await newTitles(feed(e, 1...3), feed(f, 1...5), feed(g, 2...6), feed(e, 3...6))
                == [["T1", "T2", "T3"], ["T4", "T5"], ["T6"], []])
    }

    /// As a site does that is built below another folder, or a host of podcasts.
    @Test func otherPathsMakeNothingNewWhereTitlesAndTimesAreStored() async throws {
        func feed(_ folder: String, _ numbers: ClosedRange<Int>, title: String? = nil, isOfOneDay: Bool = false)
            -> String
        {
            RSSEntry.feed(numbers) {
                RSSEntry(
                    number: $0, title: title, guid: "\(folder)/\($0)", host: "e.example\(folder)",
                    day: isOfOneDay ? 1 : nil)
            }
        }
        #expect(
            try await newTitles(feed("", 1...3), feed("/blog", 1...4), feed("/blog", 3...5))
                == [["T1", "T2", "T3"], ["T4"], ["T5"]])
        #expect(
            try await newTitles(feed("", 1...3, isOfOneDay: true), feed("/b", 1...3, isOfOneDay: true)).last?.count == 3
        )
        #expect(try await newTitles(feed("", 1...1), feed("/b", 1...1)).last == ["T1"], "it may be another")
        #expect(try await newTitles(feed("", 1...2), feed("/b", 1...2, title: "Another")).last?.count == 2)
        let half = RSSEntry.feed(
            (1...3).flatMap { day in
                [day, day + 10].map { RSSEntry(number: $0, guid: "b\($0)", host: "e.example/b", day: day) }
            })
        #expect(try await newTitles(feed("", 1...3), half).last?.count == 6, "they may be others that say the same")
    }

    /// As a site does that gets readable addresses.
    @Test func pathsInPlaceOfQueriesMakeNothingNew() async throws {
        func feed(_ numbers: ClosedRange<Int>, isByQuery: Bool, of all: String = "") -> String {
            RSSEntry.feed(numbers) {
                let query = isByQuery ? "?p=\($0)" : all
                return RSSEntry(
                    number: isByQuery ? 0 : $0, title: "T\($0)", guid: "\($0)\(query)", day: $0, query: query)
            }
        }
        for isByQuery in [true, false] {
            let (former, now) = (feed(1...3, isByQuery: isByQuery), feed(1...4, isByQuery: !isByQuery))
            #expect(try await newTitles(former, now).last == ["T4"])
        }
        let marked = feed(1...4, isByQuery: false, of: "?ref=rss")
        #expect(
            try await newTitles(feed(1...3, isByQuery: true), marked).last == ["T4"], "it tells no page from another")
    }

    /// Jobs of one moment, and prices that are quoted anew.
    @Test func otherPathsAndQueriesMayBeOtherPages() async throws {
        func feed(_ path: String, _ numbers: [Int], twin: Int? = nil, text: Int = 0) -> String {
            let entries = (numbers + [twin].compactMap { $0 }).map { number in
                let day = number == twin ? 1 : number
                return RSSEntry(
                    number: 0, title: "T\(day)", guid: "\(path)\(number)", host: "e.example/\(path)", day: day,
                    query: "?job=\(number + text)", text: "Price \(100 + text)")
            }
            return RSSEntry.feed(entries)
        }
        #expect(try await newTitles(feed("old", [3, 2, 1]), feed("new", [3, 2, 1], twin: 9)).last == ["T1"])
        #expect(try await newTitles(feed("27", [3, 2, 1]), feed("28", [3, 2, 1], text: 50)).last?.count == 3)
    }

    /// Alerts that are issued again under the date of their start, and stages of builds.
    @Test func anotherTextOrAFewOfManyAreNew() async throws {
        func alerts(_ folder: String, _ guid: String, _ text: String) -> String {
            RSSEntry.feed(1...2) {
                RSSEntry(
                    number: $0, title: "Storm", guid: "\(guid)\($0)", host: "e.example\(folder)", text: "\(text) \($0)")
            }
        }
        for folder in ["", "/n"] {
            #expect(try await newTitles(alerts("", "a", "Take care"), alerts(folder, "b", "Over")).last?.count == 2)
        }
        func builds(_ folder: String, _ numbers: [Int]) -> String {
            RSSEntry.feed(
                numbers.map {
                    RSSEntry(number: $0, title: "Passed", guid: "\(folder)\($0)", host: "e.example/\(folder)")
                })
        }
        #expect(try await newTitles(builds("a", [1, 2]), builds("b", [1, 2, 3, 4])).last?.count == 4)
        let twice = RSSEntry.feed(
            [1, 1, 2, 2].enumerated().map {
                RSSEntry(number: $1, title: "Passed", guid: "\($0)", host: "e.example/\($0)")
            }
        )
        #expect(try await newTitles(twice, builds("b", [1, 2])).last?.count == 2)
    }

    /// As where a blog gets another engine, whose excerpts are longer.
    @Test func otherTextsMakeNothingNewWhereTitlesAddressesAndTimesAreStored() async throws {
        func feed(_ guid: String, _ numbers: ClosedRange<Int>, _ texts: [String], title: String? = nil) -> String {
            RSSEntry.feed(numbers) {
                RSSEntry(number: $0, title: title, guid: "\(guid)\($0)", text: texts[$0 % texts.count])
            }
        }
        #expect(
            try await newTitles(
                feed("a", 1...5, ["In short"]), feed("b", 1...6, ["At length"]),
                feed("c", 1...6, ["At length", "More", "More"]))
                == [["T1", "T2", "T3", "T4", "T5"], ["T6"], []])
        #expect(try await newTitles(feed("a", 1...2, ["s"]), feed("b", 1...2, ["t"])).last == [])
        #expect(
            try await newTitles(feed("a", 1...3, ["s"], title: "Storm"), feed("b", 1...3, ["t"], title: "Storm")).last?
                .count
                == 3, "one title is too few")
        #expect(
            try await newTitles(feed("a", 1...5, ["s"]), feed("b", 1...5, ["s", "s", "s", "s", "t"])).last == [])
        #expect(
            try await newTitles(feed("a", 1...3, ["s"]), feed("b", 1...8, ["t"])).last == [
                "T4", "T5", "T6", "T7", "T8",
            ])
    }

    /// As of a board of departures, or a forecast.
    @Test func otherTextsOfWhatLiesAheadAreNew() async throws {
        func feed(_ guid: String, _ numbers: ClosedRange<Int>, changed: ClosedRange<Int>? = nil) -> String {
            RSSEntry.feed(numbers) {
                RSSEntry(number: $0, guid: "\(guid)\($0)", text: changed?.contains($0) == true ? "late" : "in time")
            }
        }
        #expect(try await newTitles(feed("a", 20...28), feed("b", 20...28, changed: 22...23)).last?.count == 2)
        #expect(try await newTitles(feed("a", 20...24), feed("b", 20...24, changed: 20...24)).last?.count == 5)
    }

    /// As of an engine whose identifiers are made of the texts.
    @Test(arguments: [(6, 1), (6, 3), (3, 3)])
    func aCorrectionUnderAnotherNameMakesNothingNew(count: Int, corrected: Int) async throws {
        func feed(_ corrected: Int, _ text: String) -> [RSSEntry] {
            (1...count).map { RSSEntry(number: $0, guid: "\($0)\($0 > corrected ? "" : text)", text: "s\(text)") }
        }
        #expect(try await newTitles([feed(0, "a"), feed(corrected, "b")], hours: 24).last == [])
    }

    /// The site is down for two weeks and comes back as another, with what came out meanwhile.
    @Test(arguments: [true, false])
    func whatCameOutWhileASiteWasAwayAndMovedIsNewAlone(isShort: Bool) async throws {
        func entry(_ number: Int, _ folder: String) -> RSSEntry {
            RSSEntry(number: number, guid: "\(folder)/\(number)", host: "e.example\(folder)", text: folder)
        }
        let numbers = isShort ? 7...10 : 1...10
        let former = (1...10).map { entry($0, "") }
        let moved = numbers.map { entry($0, "/blog") } + (15...21).map { entry($0, "/blog") }
        #expect(
            try await newTitles([former, moved], hours: 8 * 24).last == (15...21).map { "T\($0)" })
    }

    @Test func aListThatIsLongerAfterAMoveTellsNothingAgain() async throws {
        func feed(_ folder: String, _ numbers: ClosedRange<Int>) -> [RSSEntry] {
            numbers.map { RSSEntry(number: $0, guid: "\(folder)/\($0)", host: "e.example\(folder)", text: folder) }
        }
        let told = try await newTitles([feed("", 10...14), feed("/blog", 2...14)], hours: 24).last
        #expect(told == (2...9).map { "T\($0)" }.sorted(), "they were in no document before")
    }

    /// Without `id`, the link is what an item is called by.
    @Test(arguments: [("https://f.example/", ""), ("https://e.example/en/", ""), ("https://e.example/", "?v=7")])
    func aMoveOfWhatAMappingReadsMakesNothingNew(address: String, query: String) async throws {
        func page(_ numbers: ClosedRange<Int>, _ address: String, _ query: String = "") -> ScriptedAnswer {
            let posts = numbers.map {
                #"{"id":"\#(address)\#($0)","t":"T\#($0)","u":"\#(address)\#($0)\#(query)","d":"2023-11-0\#($0)T10:00:00Z"}"#
            }
            return ScriptedAnswer(body: "[\(posts.joined(separator: ","))]")
        }
        for fields in [[:], [.id: ".id"]] as [[ContentField: String]] {
            var bench = try await FetchBench()
            bench.source.mapping = ContentMapping(
                format: .json, items: ".[]",
                fields: fields.merging([.title: ".t", .url: ".u", .published: ".d"]) { $1 })
            await bench.origin.script("/feed", [page(1...4, "https://e.example/"), page(1...5, address, query)])
            _ = try await bench.fetch()
            let told = try await bench.fetch().newItems.count
            #expect(told == (fields.isEmpty || !query.isEmpty ? 1 : 5), "the user has chosen what they are called")
            await bench.origin.stop()
        }
    }

    @Test func aSecondMoveToAnotherPathMakesNothingNew() async throws {
        func feed(_ folder: String, _ numbers: ClosedRange<Int>) -> String {
            RSSEntry.feed(numbers) { RSSEntry(number: $0, guid: "\(folder)/\($0)", host: "e.example\(folder)") }
        }
        #expect(
            try await newTitles(feed("", 1...3), feed("/blog", 1...4), feed("/news", 2...5)) == [
                ["T1", "T2", "T3"], ["T4"], ["T5"],
            ])
    }

    @Test func whatComesFromSeveralHostsToOneIsOtherThings() async throws {
        func feed(_ hosts: [String]) -> String {
            RSSEntry.feed(hosts.indices.map { RSSEntry(number: $0 + 1, guid: "\(hosts[$0])\($0)", host: hosts[$0]) })
        }
        #expect(
            try await newTitles(feed(["us.example", "eu.example"]), feed(["f.example", "f.example"])).last?.count == 2)
    }

    @Test func aCountInTheTextMakesNothingNewWhereAllHasMoved() async throws {
        func feed(_ host: String, _ numbers: ClosedRange<Int>, _ comments: Int) -> String {
            RSSEntry.feed(numbers) {
                RSSEntry(number: $0, guid: "\(host)/\($0)", host: host, text: "Of \($0). \(comments) comments")
            }
        }
        #expect(try await newTitles(feed("e.example", 1...3, 4), feed("f.example", 1...4, 5)).last == ["T4"])
    }

    @Test func whatHasMovedToSeveralHostsIsOtherThings() async throws {
        func feed(_ hosts: [String]) -> String {
            RSSEntry.feed(hosts.indices.map { RSSEntry(number: $0 + 1, guid: hosts[$0], host: hosts[$0]) })
        }
        let first = feed(["a.example", "b.example"])
        #expect(try await newTitles(first, feed(["c.example", "d.example"])).last == ["T1", "T2"])
    }
}
