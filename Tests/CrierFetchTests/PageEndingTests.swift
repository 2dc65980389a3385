import CrierContent
import CrierTesting
import Testing

@testable import CrierFetch

/// Pages whose last tags are missing.
@Suite struct PageEndingTests {
    private func bench(_ pages: [String]) async throws -> FetchBench {
        var bench = try await FetchBench()
        bench.source.mapping = ContentMapping(
            format: .html, items: "//a", fields: [.title: ".", .url: "@href"])
        let answers = pages.map { ScriptedAnswer(fields: ["ETag": "\"1\""], body: $0) }
        await bench.origin.script("/feed", answers)
        return bench
    }

    @Test(arguments: ["<a href=\"/news/222\">N", "<a href=\"/ne", "<a", "<a href=\"/news/222\">Number 222"])
    func anItemThatIsCutOffIsToldWhenItIsWholeAndOnce(_ half: String) async throws {
        let start = "<html><body><div><a href=\"/news/111\">Number 111</a>\n"
        let bench = try await bench([
            start + "</div></body></html>", start + half,
            start + "<a href=\"/news/222\">Number 222</a></div></body></html>",
        ])
        for titles in [["Number 111"], [], ["Number 222"]] {
            #expect(try await bench.fetch().newItems.compactMap(\.title) == titles)
        }
        #expect(await bench.origin.requests.map { $0.fields["If-None-Match"] } == [nil, "\"1\"", nil])
        await bench.origin.stop()
    }

    /// Its items are all told, and from the second visit on it is asked for with a condition.
    @Test func aPageThatNeverEndsIsWhole() async throws {
        let last = "<a href=\"/1\">\(String(repeating: "long ", count: 60))1</a>\n<p>(end)"
        func page(_ numbers: [Int]) -> String {
            "<html><body><p>Page of \(numbers)<div>" + numbers.map { "<a href=\"/\($0)\">\($0)</a>\n" }.joined() + last
        }
        let bench = try await bench([page([2]), page([3, 2]), page([3, 2]), page([4, 3, 2])])
        _ = try await bench.fetch()
        for titles in [["3"], [], ["4"]] {
            #expect(try await bench.fetch().newItems.compactMap(\.title) == titles)
        }
        #expect(await bench.origin.requests.map { $0.fields["If-None-Match"] } == [nil, nil, "\"1\"", "\"1\""])
        await bench.origin.stop()
    }

    /// Half a page may be its first document, too.
    @Test func whatAPageThatIsCutOffTwiceHeldBeforeIsKnownByItsDate() async throws {
        func page(_ names: String...) -> String {
            let items = names.map { "<article><h2>\($0)</h2><time>2023-11-03 10:00</time></article>" }
            return "<!DOCTYPE html><html><body><div>" + items.joined()
        }
        var bench = try await bench([page("a"), page("a", "b"), page("a", "b", "c")])
        bench.source.mapping = ContentMapping(
            format: .html, items: "//article", fields: [.title: "h2", .published: "time"])
        for titles in [["a"], [], []] { #expect(try await bench.fetch().newItems.compactMap(\.title) == titles) }
        await bench.origin.stop()
    }

    /// What is cut off again stops elsewhere.
    @Test func aPageThatIsCutOffTwiceIsNotWhole() async throws {
        let start = "<html><body><ul><li><a href=\"/1\">1</a>\n"
        let bench = try await bench([
            start + "</ul>", start + "<li><a href=\"/2\">Numb", start + "<li><a href=\"/2\">Number",
        ])
        for titles in [["1"], [], []] { #expect(try await bench.fetch().newItems.compactMap(\.title) == titles) }
        await bench.origin.stop()
    }
}
