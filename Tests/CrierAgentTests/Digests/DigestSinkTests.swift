import CrierContent
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent
@testable import CrierDelivery
@testable import CrierFetch

@Suite("What sinks other than terminals and mails make of a digest")
struct DigestSinkTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static func attempt(
        _ language: Digest.Language = .english, of page: DigestPage? = nil, day: String = "2026-11-21"
    ) throws -> DeliveryAttempt {
        var digest = Digest(name: "morning", at: try CalendarExpression("08:30"), timeZone: .gmt)
        digest.language = language
        let content = DigestComposer(digest: digest, sources: []).content(
            of: try page ?? DigestLooksTests.page(language), on: try #require(CalendarDay(day)))
        let request = NotificationRequest(identifier: "digest/morning/\(day)", content: content)
        return DeliveryAttempt(request: request, created: try Date("2026-11-21T00:30:00Z", strategy: .iso8601))
    }

    private func items(_ line: String) throws -> [[String: Any]] {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return try #require((object?["data"] as? [String: Any] ?? object)?["items"] as? [[String: Any]])
    }

    @Test func aFileGetsTheItemsAndThePage() async throws {
        let path = folder.file("heard.jsonl")
        #expect(await FileSink(path: path).deliver(try Self.attempt()) == .delivered())
        let line = try #require(folder.read("heard.jsonl"))
        let items = try items(line)
        #expect(items.count == 7)
        #expect(items[0]["url"] as? String == "https://www.swift.org/blog/?a=1&b=2")
        #expect(
            items[0]["published"] as? String == "2026-11-20T22:05:00Z" && items[0]["source"] as? String == "swift-blog")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let page = try #require((object["userInfo"] as? [String: Any])?["digest"] as? [String: Any])
        #expect(page["count"] as? Int == 8 && page["left"] as? Int == 1)
        #expect((page["groups"] as? [Any])?.count == 3)
        #expect(
            object["identifier"] as? String == "digest/morning/2026-11-21" && object["category"] as? String == "digest")
    }

    /// Twenty kilobytes are the limit of web hooks: the page gives way first, then the last items.
    @Test func aWebHookGetsAsManyItemsAsItTakes() throws {
        let small = String(decoding: try #require(WebhookPayload.standard(try Self.attempt())), as: UTF8.self)
        #expect(try items(small).count == 7 && small.contains("\"digest\":{"))
        var page = try DigestLooksTests.page(.simplifiedChinese)
        page.groups[0].items = (0..<50).map { number in
            var item = page.groups[0].items[0]
            item.title = "Item \(number)"
            item.summary = String(repeating: "长", count: 300)
            return item
        }
        let large = String(decoding: try #require(WebhookPayload.standard(try Self.attempt(of: page))), as: UTF8.self)
        let told = try items(large).compactMap { $0["title"] as? String }
        #expect(large.utf8.count < 20_000 && !large.contains("\"digest\":{") && told.count >= 15)
        #expect(told == (0..<told.count).map { "Item \($0)" })
    }

    @Test func aFeedHasTheWholeDigestAsItsEntry() async throws {
        let sink = FeedSink(path: folder.file("feed.xml"))
        #expect(await sink.deliver(try Self.attempt()) == .delivered())
        #expect(await sink.deliver(try Self.attempt(day: "2026-11-22")) == .delivered())
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("feed.xml"))))
        let decoded = try ContentDecoder().decode(ContentDocument(body: bytes, url: ""))
        #expect(
            decoded.items.map(\.title) == [
                "Good morning, 22 November: 8 new items", "Good morning, 21 November: 8 new items",
            ])
        let text = try #require(folder.read("feed.xml"))
        #expect(text.contains("<content type=\"html\">&lt;h1 ") && !text.contains("&lt;style"))
        #expect(decoded.items[0].content?.contains("Swift 6.3 is out, with a title") == true)
        #expect(decoded.items[0].content?.contains("<script>alert(1)</script>") == true, "as text")
        let written = try #require(text.components(separatedBy: "<content").last)
        #expect(!written.contains("&lt;script") && written.contains("&amp;lt;script"))
    }

    @Test func aFeedWithAUsersTemplateHasThat() async throws {
        let looks = try configuration("digests: {morning: {at: daily, html: '<b>{{title}}</b>'}}").digestLooks
        #expect(await FeedSink(path: folder.file("feed.xml"), looks: looks).deliver(try Self.attempt()) == .delivered())
        #expect(folder.read("feed.xml")?.contains("<content type=\"html\">&lt;b&gt;Good morning&lt;/b&gt;") == true)
    }

    /// Title, count and the first items; and never more than the server takes.
    @Test func aChatGetsTheCountAndTheFirstItems() throws {
        let parts = MessageParts(try Self.attempt(.simplifiedChinese).request.content)
        #expect(parts.title == "早上好，11月21日：8 条新内容")
        #expect(parts.text.hasPrefix("• Swift 6.3 is out") && parts.text.hasSuffix("另有 1 条") && parts.link == nil)
    }
}
