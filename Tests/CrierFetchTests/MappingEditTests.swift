import CrierContent
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// What a source is read by is edited, or its API leaves something out for a while: nothing is told twice, and nothing is lost.
@Suite struct MappingEditTests {
    private struct Post: Encodable {
        var number: Int
        var id: String?
        var gid: String?
        /// Before the clock's start.
        var hours: Double?

        var title: String { "Post \(number)" }
        var link: String { "https://e.example/\(number)" }
        var date: String? {
            hours.map { Date(timeIntervalSince1970: 1_700_000_000 - $0 * 3600).formatted(.iso8601) }
        }

        private enum Key: CodingKey { case id, gid, t, u, d }

        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: Key.self)
            try object.encodeIfPresent(id, forKey: .id)
            try object.encodeIfPresent(gid, forKey: .gid)
            try object.encode(title, forKey: .t)
            try object.encode(link, forKey: .u)
            try object.encodeIfPresent(date, forKey: .d)
        }
    }

    private let mapping = ContentMapping(
        format: .json, items: ".[]", fields: [.id: ".id", .title: ".t", .url: ".u", .published: ".d"])

    private func bench(_ documents: [[Post]]) async throws -> FetchBench {
        var bench = try await FetchBench()
        bench.source.first = .none
        bench.source.mapping = mapping
        try await play(documents, at: "/feed", of: bench)
        _ = try await bench.fetch()
        return bench
    }

    private func play(_ documents: [[Post]], at path: String, of bench: FetchBench) async throws {
        let bodies = try documents.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        await bench.origin.script(path, bodies.map { ScriptedAnswer(body: $0) })
    }

    private func posts(_ numbers: some Sequence<Int>, id: String?, isDated: Bool = true) -> [Post] {
        numbers.map { number in
            Post(number: number, id: id.map { "\($0)\(number)" }, hours: isDated ? 20 - Double(number) : nil)
        }
    }

    private func told(_ bench: FetchBench) async throws -> [String] {
        try await bench.fetch().newItems.compactMap(\.title).sorted()
    }

    @Test func anItemWithoutItsIdentifierForAVisitIsToldOnce() async throws {
        let known = posts(1...3, id: "a")
        let bench = try await bench([
            known, known + posts([4], id: nil), known + posts([4, 5], id: "a"), known + posts([4, 5], id: nil),
        ])
        #expect(try await told(bench) == ["Post 4"])
        #expect(try await told(bench) == ["Post 5"])
        #expect(try await told(bench) == [])
        await bench.origin.stop()
    }

    /// Nothing but titles and addresses tells then what there was.
    @Test(arguments: [true, false])
    func whatComesBehindAnEmptyAnswerToAnEditIsKnown(isElsewhere: Bool) async throws {
        var bench = try await bench([posts(1...4, id: "a", isDated: false)])
        bench.clock.advance(by: 3600)
        bench.source.mapping.fields[.id] = ".u"
        if isElsewhere { bench.source.address = .url(bench.origin.url("/other")) }
        let known = posts(1...4, id: "a", isDated: false)
        try await play(
            [[], known, known + posts([5], id: "a", isDated: false)], at: isElsewhere ? "/other" : "/feed", of: bench)
        #expect(try await told(bench) == [])
        #expect(try await told(bench) == [])
        #expect(try await told(bench) == ["Post 5"])
        await bench.origin.stop()
    }

    /// It came when nothing could be read, though an item of before has its title and address.
    @Test func whatCameBetweenAnEditAndAnEmptyAnswerIsNew() async throws {
        var bench = try await bench([posts(1...4, id: "a")])
        bench.clock.advance(by: 7_200)
        bench.source.mapping.fields[.id] = ".gid // .id"
        var again = posts(4...4, id: "b")[0]
        again.hours = -1
        try await play([[], posts(1...4, id: "a") + [again]], at: "/feed", of: bench)
        #expect(try await told(bench) == [])
        #expect(try await told(bench) == ["Post 4"])
        await bench.origin.stop()
    }

    /// They share a link and a date: either may be the one that had no identifier.
    @Test func ofTwoThatMayHaveBeenNamelessNoneIsTakenForKnown() async throws {
        let known = posts(1...3, id: "a")
        let bench = try await bench([
            known, known + posts([4], id: nil), known + posts([4], id: "x") + posts([4], id: "y"),
        ])
        #expect(try await told(bench) == ["Post 4"])
        #expect(try await told(bench) == ["Post 4", "Post 4"])
        await bench.origin.stop()
    }

    /// As one that is pinned, and has none in the new field.
    @Test(arguments: [true, false]) func anotherIdentifierMakesNothingNewThoughAnItemKeepsIts(isDated: Bool)
        async throws
    {
        func list(_ numbers: ClosedRange<Int>) -> [Post] {
            posts(numbers, id: "a", isDated: isDated).map { post in
                var post = post
                if post.number > 1 { post.gid = "g\(post.number)" }
                return post
            }
        }
        var bench = try await bench([list(1...5), list(1...6)])
        bench.source.mapping.fields[.id] = ".gid // .id"
        #expect(try await told(bench) == ["Post 6"])
        await bench.origin.stop()
    }

    /// Post 16 came when a cache still held the list without it.
    @Test(arguments: [true, false]) func aLongerListTellsWhatIsNewAndNotWhatIsOlder(isElsewhere: Bool) async throws {
        var bench = try await bench([posts(11...15, id: "a")])
        let path = isElsewhere ? "/more" : "/feed"
        if isElsewhere {
            bench.source.address = .url(bench.origin.url(path))
        } else {
            bench.source.mapping.items = ".[:20][]"
        }
        try await play([posts(1...16, id: "a"), posts(1...17, id: "a")], at: path, of: bench)
        #expect(try await told(bench) == ["Post 16"])
        bench.clock.advance(by: 3600)
        #expect(try await told(bench) == ["Post 17"])
        await bench.origin.stop()
    }

    @Test func whatIsAnnouncedAheadMakesNothingOldOfALongerList() async throws {
        let event = [Post(number: 99, id: "event", hours: -500)]
        var bench = try await bench([posts(11...15, id: "a") + event])
        bench.source.mapping.items = ".[:20][]"
        try await play([posts(1...16, id: "a") + event], at: "/feed", of: bench)
        #expect(try await told(bench) == ["Post 16"])
        await bench.origin.stop()
    }

    @Test func anotherVersionOfAnAPIThatKeepsOneIdentifierTellsWhatIsNew() async throws {
        var bench = try await bench([posts(1...5, id: "a")])
        bench.source.address = .url(bench.origin.url("/v2"))
        try await play([posts([1], id: "a") + posts(2...6, id: "b")], at: "/v2", of: bench)
        #expect(try await told(bench) == ["Post 6"])
        await bench.origin.stop()
    }

    /// Its expressions find nothing for days, and nothing of what it had is there when they are mended, or some of it.
    @Test(arguments: [true, false], [4, 6])
    func whatCameWhileExpressionsFoundNothingIsNew(isDated: Bool, first: Int) async throws {
        func list(_ numbers: ClosedRange<Int>) -> [Post] {
            numbers.map { Post(number: $0, id: "a\($0)", hours: isDated ? -Double($0) : nil) }
        }
        var bench = try await bench([list(1...3), list(1...5), list(first...9)])
        bench.clock.advance(by: 3.5 * 3600)
        bench.source.mapping.items = ".[] | select(.none)"
        for _ in 0..<2 {
            bench.clock.advance(by: 86_400)
            _ = try await bench.fetch()
        }
        bench.source.mapping.items = ".[] | select(.wrong)"
        _ = try await bench.fetch()
        #expect(try bench.state().lastSucceeded == bench.clock.now)
        bench.source.mapping = mapping
        bench.source.mapping.fields[.id] = ".u"
        let told = try await told(bench)
        #expect(told == (max(first, 4)...9).map { "Post \($0)" })
        await bench.origin.stop()
    }

    /// What an API had before another version of it took its place tells that it is the same.
    @Test(arguments: [2, 4]) func whatCameWhileAnAddressWasEmptyIsNewAtAnotherThatHasTheSame(first: Int) async throws {
        func list(_ numbers: ClosedRange<Int>, _ id: String) -> [Post] {
            numbers.map { Post(number: $0, id: "\(id)\($0)", hours: -Double($0)) }
        }
        var bench = try await bench([list(1...3, "a"), []])
        bench.clock.advance(by: 3.5 * 3600)
        try await play([list(1...3, "a"), []], at: "/feed", of: bench)
        for _ in 0..<2 {
            bench.clock.advance(by: 3600)
            _ = try await bench.fetch()
        }
        bench.clock.advance(by: 86_400)
        _ = try await bench.fetch()
        bench.source.address = .url(bench.origin.url("/v2"))
        try await play([list(first...6, "b")], at: "/v2", of: bench)
        #expect(try await told(bench) == (first == 2 ? ["Post 4", "Post 5", "Post 6"] : []))
        await bench.origin.stop()
    }

    @Test(arguments: [true, false]) func expressionsThatFoundNothingAtFirstMakeNothingNew(isDated: Bool) async throws {
        var bench = try await bench([[], posts(1...3, id: "a", isDated: isDated)])
        bench.source.mapping.fields[.id] = ".u"
        #expect(try await told(bench) == [])
        await bench.origin.stop()
    }

    /// A notice board by titles and days.
    @Test func ofTwoThatShareTitleAndDayTheKnownOneIsToldByItsText() async throws {
        var bench = try await FetchBench()
        bench.source.mapping = ContentMapping(
            format: .html, items: "//li", fields: [.title: "b", .published: "time", .summary: "p"])
        func board(_ texts: [String]) -> String {
            "<!DOCTYPE html><html><body>"
                + texts.map { "<li><b>Update</b><time>2023-11-14</time><p>\($0)</p></li>" }.joined() + "</body></html>"
        }
        await bench.origin.script(
            "/feed", [["five"], ["six", "five"], ["six"]].map { ScriptedAnswer(body: board($0)) })
        _ = try await bench.fetch()
        #expect(try await bench.fetch().newItems.compactMap(\.summary) == ["six"])
        await bench.origin.stop()
    }

    // MARK: - What shares an address, a text or a title

    private func bench(_ bodies: [String], fields: [ContentField: String]? = nil) async throws -> FetchBench {
        var bench = try await FetchBench()
        bench.source.first = .none
        if let fields { bench.source.mapping = ContentMapping(format: .json, items: ".[]", fields: fields) }
        await bench.origin.script("/feed", bodies.map { ScriptedAnswer(body: $0) })
        _ = try await bench.fetch()
        return bench
    }

    /// Each release has the address of the latest one.
    @Test func oneThatHadNoIdentifierHidesNoneThatComesAfterIt() async throws {
        func release(_ number: Int) -> String {
            #"[{"n": "\#(number)", "t": "Release", "u": "https://e.example/latest"}]"#
        }
        var bench = try await bench((1...4).map(release), fields: [.title: ".t", .url: ".u"])
        bench.source.mapping.fields[.id] = ".n"
        _ = try await bench.fetch()
        for _ in 3...4 { #expect(try await told(bench) == ["Release"]) }
        await bench.origin.stop()
    }

    /// They share an identifier and the words of a link, too.
    @Test func aTextThatAllShareMakesNoneTheOwnerOfAnIdentifier() async throws {
        func feed(_ titles: [String]) -> String {
            let items = titles.map { title in
                "<item><title>\(title)</title><guid>x</guid><link>https://e.example/\(title)</link>"
                    + "<pubDate>\(title.utf8.first! - 64) Nov 2023 10:00:00 GMT</pubDate>"
                    + "<description>Read more</description></item>"
            }
            return "<rss version='2.0'><channel>\(items.joined())</channel></rss>"
        }
        let bench = try await bench([feed(["A"]), feed(["C", "B"]), feed(["E", "D"])])
        for titles in [["B", "C"], ["D", "E"]] { #expect(try await told(bench) == titles) }
        await bench.origin.stop()
    }

    @Test func aKnownAddressIsNotToldUnderAnotherTitleAfterAnEmptyDocumentAndAnEdit() async throws {
        func entry(_ number: Int, _ title: String) -> String {
            #"{"n": \#(number), "t": "\#(title)", "u": "https://e.example/\#(number)"}"#
        }
        let bodies = ["[\(entry(1, "a"))]", "[]", "[\(entry(1, "corrected")), \(entry(2, "b"))]"]
        var bench = try await bench(bodies, fields: [.id: ".n", .title: ".t", .url: ".u"])
        _ = try await bench.fetch()
        bench.source.mapping.fields[.id] = #""x-\(.n)""#
        #expect(try await told(bench) == ["b"])
        await bench.origin.stop()
    }

    @Test func onAPageThatAllShareAnEditOfTheMappingHidesNothing() async throws {
        func list(_ names: [String]) -> String {
            let items = names.map { #"{"n": "\#($0)", "t": "Incident \#($0)", "u": "https://e.example/status"}"# }
            return "[\(items.joined(separator: ","))]"
        }
        var bench = try await bench(
            [list(["c", "b", "a"]), list(["d", "c", "b"])], fields: [.id: ".n", .title: ".t", .url: ".u"])
        bench.source.mapping.fields[.summary] = ".s // .t"
        #expect(try await told(bench) == ["Incident d"])
        await bench.origin.stop()
    }

    /// One that has none, several, and several that share theirs.
    @Test(arguments: [(1, "null"), (12, "null"), (12, #""https://e.example/status""#)])
    func whatHasNoAddressOfItsOwnIsNotToldAgainAfterAnEmptyDocumentAndAnEdit(count: Int, url: String) async throws {
        let lines = (1...count).map { #"{"n": \#($0), "t": "Line \#($0)", "u": \#(url)}"# }
        let list = "[\(lines.joined(separator: ","))]"
        var bench = try await bench([list, "[]", list], fields: [.id: ".n", .title: ".t", .url: ".u"])
        _ = try await bench.fetch()
        bench.source.mapping.fields[.id] = #""x-\(.n)""#
        #expect(try await told(bench) == [])
        await bench.origin.stop()
    }

    /// Whether its identifiers are the former ones, and whether it says at first that there is nothing.
    @Test(arguments: [("a", true), ("b", true), ("a", false), ("b", false)])
    func whatCameWhileTheFormerAddressWasEmptyIsNewAtTheNextOne(id: String, isEmptyFirst: Bool) async throws {
        var bench = try await bench([posts(1...3, id: "a"), []])
        _ = try await bench.fetch()
        bench.clock.advance(by: 10 * 86_400)
        _ = try await bench.fetch()
        bench.source.address = .url(bench.origin.url("/other"))
        var items = posts(1...3, id: id)
        items.append(Post(number: 9, id: "\(id)9", hours: -5 * 24))
        try await play(isEmptyFirst ? [[], items] : [items], at: "/other", of: bench)
        if isEmptyFirst { #expect(try await told(bench) == []) }
        #expect(try await told(bench) == ["Post 9"])
        #expect(try await told(bench) == [])
        await bench.origin.stop()
    }

    @Test func anAddressThatSaidNothingTakesNothingFromTheFormerOneWhenThatIsGoneBackTo() async throws {
        var bench = try await bench([posts(1...3, id: "a"), []])
        _ = try await bench.fetch()
        bench.clock.advance(by: 10 * 86_400)
        let former = bench.source.address
        bench.source.address = .url(bench.origin.url("/other"))
        await bench.origin.script("/other", [ScriptedAnswer(fields: ["ETag": "\"1\""], body: "[]")])
        #expect(try await told(bench) == [])
        bench.source.address = former
        var items = posts(1...3, id: "a")
        items.append(Post(number: 9, id: "a9", hours: -5 * 24))
        try await play([items], at: "/feed", of: bench)
        #expect(try await told(bench) == ["Post 9"])
        #expect(await bench.origin.requests.last?.fields["If-None-Match"] == nil, "what is known is another's document")
        await bench.origin.stop()
    }
}
