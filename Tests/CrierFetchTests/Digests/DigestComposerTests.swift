import CrierContent
import CrierNotifications
import CrierStore
import Foundation
import Testing

@testable import CrierFetch

@Suite("What a digest says, and in which order")
struct DigestComposerTests {
    private static let zone = TimeZone(identifier: "Asia/Shanghai") ?? .gmt
    private let day = CalendarDay("2026-11-21") ?? CalendarDay(.distantPast, in: .gmt)

    private func digest(_ change: (inout Digest) -> Void = { _ in }) throws -> Digest {
        var digest = Digest(name: "d", at: try CalendarExpression("08:30"), timeZone: Self.zone)
        change(&digest)
        return digest
    }

    private func sources() -> [Source] {
        [("b", ["tech/linux", "news"]), ("a", ["news"]), ("c", [])].map { name, tags in
            var source = Source(name: name, address: .url("https://\(name).example/"), title: "The \(name)")
            source.tags = tags
            return source
        }
    }

    private func item(
        _ title: String, _ source: String, _ published: String?, categories: [String] = [], summary: String? = nil,
        content: String? = nil
    ) throws -> DigestItem {
        let seen = try Date("2026-11-20T20:00:00Z", strategy: .iso8601)
        return DigestItem(
            source: source,
            item: ContentItem(
                identifier: title, title: title,
                published: try published.map { try Date($0, strategy: .iso8601) }, summary: summary, content: content,
                categories: categories), firstSeen: seen)
    }

    /// In the order in which they came.
    private func items() throws -> [DigestItem] {
        [
            try item("1", "a", "2026-11-20T10:00:00Z", categories: ["y", "x"]),
            try item("2", "b", "2026-11-20T23:00:00Z", categories: ["x"]),
            try item("3", "c", "2026-11-19T10:00:00Z"),
            try item("4", "a", "2026-11-20T15:59:00Z", categories: ["y"]),
            try item("5", "b", "2026-11-20T23:00:00Z", categories: ["x"]),
        ]
    }

    private func page(of items: [DigestItem], _ change: (inout Digest) -> Void = { _ in }) throws -> DigestPage {
        DigestComposer(digest: try digest(change), sources: sources()).page(of: items, on: day)
    }

    private func titles(_ page: DigestPage) -> [String] {
        page.groups.map { group in "\(group.title): " + group.items.map(\.title).joined(separator: " ") }
    }

    @Test(
        "items are put under sources, tags, days or categories",
        arguments: [
            (Digest.Grouping.source, ["The b: 2 5", "The a: 4 1", "The c: 3"]),
            (.tag, ["tech/linux: 2 5", "news: 4 1", "Other: 3"]),
            (
                .day,
                ["Saturday, 21 November 2026: 2 5", "Friday, 20 November 2026: 4 1", "Thursday, 19 November 2026: 3"]
            ),
            (.category, ["x: 2 5", "y: 4 1", "Other: 3"]),
        ])
    func grouping(_ grouping: Digest.Grouping, _ expected: [String]) throws {
        #expect(titles(try page(of: try items()) { $0.grouping = grouping }) == expected)
    }

    @Test(
        "the newest, the oldest, or what came first stands first",
        arguments: [
            (Digest.Order.newest, ["2", "5", "4", "1", "3"]), (.oldest, ["3", "1", "4", "2", "5"]),
            (.document, ["1", "2", "3", "4", "5"]),
        ])
    func order(_ order: Digest.Order, _ expected: [String]) throws {
        var all = try items()
        for index in all.indices {
            all[index] = DigestItem(source: "a", item: all[index].item, firstSeen: all[index].firstSeen)
        }
        #expect(try page(of: all) { $0.order = order }.groups.flatMap(\.items).map(\.title) == expected)
    }

    @Test("what is beyond the limit is counted, and those that are shown are the first ones")
    func limit() throws {
        let page = try page(of: try items()) { $0.limit = 3 }
        #expect(titles(page) == ["The b: 2 5", "The a: 4"])
        #expect(page.count == 5 && page.left == 2 && page.more == "and 2 more" && page.summary == "5 new items")
        let composer = DigestComposer(digest: try digest { $0.limit = 3 }, sources: sources())
        let told = ToldItems(of: composer.content(of: page, on: day))
        #expect(told.values.count == 3 && told.omitted == 2)
        let all = try self.page(of: try items()) { $0.limit = 5 }
        #expect(all.left == 0 && all.more == nil)
        let chinese = try self.page(of: try items()) {
            $0.limit = 3
            $0.language = .simplifiedChinese
            $0.grouping = .tag
        }
        #expect(chinese.more == "另有 2 条" && chinese.summary == "5 条新内容")
        let other = try self.page(of: [try items()[2]]) {
            $0.grouping = .tag
            $0.language = .simplifiedChinese
        }
        #expect(titles(other) == ["其他: 3"])
    }

    @Test("times are those of the reader's zone, with the day where it is another and the year where that is")
    func times() throws {
        let items = [
            try item("1", "a", "2026-11-20T16:00:00Z"), try item("2", "a", "2026-11-20T15:59:59Z"),
            try item("3", "a", "2025-12-31T16:05:00Z"), try item("4", "a", "2025-12-31T15:05:00Z"),
            try item("5", "a", nil),
        ]
        #expect(
            try page(of: items) { $0.order = .document }.groups[0].items.map(\.time)
                == ["00:00", "20 Nov 23:59", "1 Jan 00:05", "31 Dec 2025 23:05", "04:00"])
        let chinese = try page(of: items) {
            $0.order = .document
            $0.language = .simplifiedChinese
        }
        #expect(
            chinese.groups[0].items.map(\.time)
                == ["00:00", "11月20日 23:59", "1月1日 00:05", "2025年12月31日 23:05", "04:00"])
    }

    @Test("how long an item takes to read is said where its content is known")
    func reading() throws {
        let words = String(repeating: "word ", count: 460)
        let items = [
            try item("1", "a", nil, content: words),
            try item("2", "a", nil, content: String(repeating: "汉", count: 401)),
            try item("3", "a", nil, content: words + "…"), try item("4", "a", nil, summary: words),
            try item("5", "a", nil, content: ""), try item("6", "a", nil, summary: "word word"),
        ]
        #expect(
            try page(of: items).groups[0].items.map(\.reading) == [
                "2 min read", "2 min read", "3+ min read", "2 min read", nil, nil,
            ])
        #expect(
            try page(of: items) { $0.language = .simplifiedChinese }.groups[0].items[0].reading == "阅读约 2 分钟")
    }

    @Test("a summary that only repeats the title is none")
    func summary() throws {
        let items = [try item("Same", "a", nil, summary: "Same"), try item("T", "a", nil, summary: "S")]
        #expect(try page(of: items).groups[0].items.map(\.summary) == [nil, "S"])
    }

    @Test("a text without a title is headed by its beginning, and not said twice")
    func untitled() throws {
        let long = String(repeating: "word ", count: 50) + "end"
        let texts = ["First.\nSecond.\nThird.", "Only one line", long, long + "\nSecond."]
        let items = texts.enumerated().map { number, text in
            DigestItem(
                source: "a", item: ContentItem(identifier: "\(number)", summary: text),
                firstSeen: now.addingTimeInterval(-Double(number)))
        }
        let entries = try page(of: items).groups[0].items
        #expect(entries.map(\.title).prefix(2) == ["First.", "Only one line"])
        #expect(entries.map(\.summary).prefix(2) == ["Second.\nThird.", nil])
        #expect(entries[2].title == String(repeating: "word ", count: 39) + "word…")
        #expect(entries[2].summary == "…" + String(repeating: "word ", count: 10) + "end")
        #expect(entries[3].summary == "…" + String(repeating: "word ", count: 10) + "end\nSecond.")
    }

    @Test("where little is shown stand the count and the first ten titles")
    func short() throws {
        let many = try (1...12).map { try item("T\($0)", "a", nil) }
        let composer = DigestComposer(digest: try digest { $0.order = .document }, sources: sources())
        let content = composer.content(of: composer.page(of: many, on: day), on: day)
        #expect(content.title == "d, 21 November: 12 new items")
        let lines = content.body.split(separator: "\n")
        #expect(lines.count == 11 && lines[0] == "• T1" && lines[9] == "• T10" && lines[10] == "and 2 more")
        #expect(content.threadIdentifier == "digest/d" && content.categoryIdentifier == "digest")
    }

    @Test("a source whose name is another's by now is called as it was")
    func formerName() throws {
        let retired = try item("1", "a (until 2026-11-26T12:46:26Z)", nil)
        let composer = DigestComposer(digest: try digest { $0.grouping = .source }, sources: [])
        let page = composer.page(of: [retired], on: day)
        #expect(page.groups.map(\.title) == ["a"] && page.groups.first?.items.first?.source == "a")
        let own = try item("1", "tides (until noon)", nil)
        #expect(composer.page(of: [own], on: day).groups.map(\.title) == ["tides (until noon)"])
    }

    @Test("a picture on a private network is not shown for a source outside")
    func privatePictures() throws {
        let near = "http://192.168.1.1/x.png"
        func shown(_ source: String, _ attachments: [String] = []) throws -> String? {
            var content = try item("1", source, nil).item
            content.image = near
            content.attachments = attachments.map { ContentAttachment(url: $0) }
            let item = DigestItem(source: source, item: content, firstSeen: .distantPast)
            let home = Source(name: "home", address: .url("http://192.168.1.2/"))
            let composer = DigestComposer(digest: try digest { $0.showsImages = true }, sources: sources() + [home])
            return composer.page(of: [item], on: day).groups.first?.items.first?.image
        }
        #expect(try shown("a") == nil)
        #expect(try shown("gone") == nil, "nor for one that is no longer known")
        #expect(try shown("a", [near, "https://e.example/x.png"]) == "https://e.example/x.png")
        #expect(try shown("home") == near)
    }
}
