import CrierContent
import CrierDelivery
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@Suite("A feed of what was raised")
struct FeedSinkTests {
    let folder: TemporaryFolder
    var path: String { folder.file("out/news.xml") }

    init() throws { folder = try TemporaryFolder() }

    @Test("What is written is a feed that Crier itself reads")
    func readable() async throws {
        let content = NotificationContent(
            title: "a & b <c>", subtitle: "S", body: "one\ntwo ]]> &amp;", threadIdentifier: "gank",
            attachments: [NotificationAttachment(url: "https://gank.io/a.png", type: "image/png")],
            url: "https://gank.io/?a=1&b=2")
        #expect(await FeedSink(path: path).deliver(.of(content)) == .delivered())
        let item = try #require(try items().first)
        #expect(item.title == "a & b <c>")
        #expect(item.url == "https://gank.io/?a=1&b=2")
        #expect(item.summary?.contains("two ]]> &amp;") == true)
        #expect(item.authors == ["gank"])
        #expect(item.attachments.map(\.url) == ["https://gank.io/a.png"])
        #expect(item.updated == madeAt)
    }

    @Test("A media type is written where it is one")
    func mediaTypes() async throws {
        let types = ["image/*", "image/", "/", "Image/JPEG"]
        let attachments = types.map { NotificationAttachment(url: "https://gank.io/a.png?\($0)", type: $0) }
        _ = await FeedSink(path: path).deliver(.of(NotificationContent(title: "T", attachments: attachments)))
        #expect(try items().first?.attachments.map(\.type) == ["image/*", nil, nil, "Image/JPEG"])
    }

    @Test("An empty file is one to be written to")
    func empty() async throws {
        try folder.write("", to: "out/news.xml")
        #expect(await FeedSink(path: path).deliver(.titled("T")) == .delivered())
        #expect(try items().map(\.title) == ["T"])
    }

    @Test("What leads nowhere has a content, as a feed's entries must", arguments: ["", "two\nlines"])
    func withoutLink(body: String) async throws {
        for (number, url) in [nil, "javascript:alert(1)", "https://a.example/?a|b"].enumerated() {
            let content = NotificationContent(title: "T & U", body: body, url: url)
            _ = await FeedSink(path: path).deliver(.of(content, identifier: "\(number)"))
        }
        let text = try #require(folder.read("out/news.xml"))
        let entries = text.components(separatedBy: "<entry>").dropFirst().reversed().map(\.self)
        let shown = body.isEmpty ? "T &amp; U" : body
        #expect(entries.map { $0.contains("<content>\(shown)</content>") } == [true, true, false], "\(text)")
        #expect(entries.map { $0.contains("<link href=\"https://a.example/?a%7Cb\"/>") } == [false, false, true])
        #expect(entries.map { $0.contains("<summary>") } == [false, false, !body.isEmpty])
    }

    @Test("The newest is first, the number is bounded, and no identifier stands twice, also over several runs")
    func bounded() async throws {
        for number in 1...5 {
            _ = await FeedSink(path: path, limit: 3).deliver(.titled("T\(number)", identifier: "gank:\(number)"))
        }
        _ = await FeedSink(path: path, limit: 3).deliver(.titled("T4 again", identifier: "gank:4"))
        let read = try items()
        #expect(read.map(\.title) == ["T4 again", "T5", "T3"])
        #expect(Set(read.map(\.identifier)).count == 3)
    }

    @Test("Two sinks that write one feed at the same time lose nothing")
    func shared() async throws {
        let path = path
        let outcomes = await withTaskGroup(of: DeliveryOutcome.self) { group in
            for number in 0..<40 {
                group.addTask { await FeedSink(path: path).deliver(.titled("T", identifier: "\(number)")) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0 == .delivered() })
        #expect(try items().count == 40)
    }

    @Test("A link to the feed stays one, also while it leads to nothing yet")
    func link() async throws {
        let link = folder.file("link.xml")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "out/news.xml")
        for number in 1...2 {
            let attempt = DeliveryAttempt.titled("T\(number)", identifier: "a:\(number)")
            #expect(await FeedSink(path: link).deliver(attempt) == .delivered())
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "out/news.xml")
        #expect(try items().map(\.title) == ["T2", "T1"])
    }

    @Test("Whoever may read the feed is whom its owner has let", arguments: [0o600, 0o640, 0o664])
    func mode(_ mode: Int) async throws {
        func modeNow(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        _ = await FeedSink(path: path).deliver(.titled("x"))
        #expect(try modeNow(path) == 0o644)
        #expect(try modeNow(folder.file("out")) == 0o755, "or nobody could read it")
        try #require(chmod(path, mode_t(mode)) == 0)
        #expect(await FeedSink(path: path).deliver(.titled("y", identifier: "gank:2")) == .delivered())
        #expect(try modeNow(path) == mode)
    }

    @Test("What is no file is neither read nor replaced")
    func pipe() async throws {
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        let outcome = await FeedSink(path: folder.file("pipe")).deliver(.titled("T", identifier: "a"))
        #expect(outcome == .failed(reason: "\(folder.file("pipe")) cannot be written: it is not a regular file"))
    }

    @Test("What had to wait makes a feed no older")
    func late() async throws {
        let sink = FeedSink(path: path)
        for (identifier, age) in [("new", 0.0), ("late", 3600)] {
            let request = NotificationRequest(identifier: identifier, content: NotificationContent(title: identifier))
            _ = await sink.deliver(DeliveryAttempt(request: request, created: madeAt.addingTimeInterval(-age)))
        }
        let feed = try #require(folder.read("out/news.xml"))
        let head = feed.prefix(upTo: try #require(feed.firstRange(of: "<entry>")).lowerBound)
        #expect(head.contains("<updated>2026-11-21T08:30:00Z</updated>"))
    }

    @Test("Several at once stand as if they had come one after the other")
    func batch() async throws {
        let sink = FeedSink(path: path, limit: 3)
        #expect(await sink.deliver((1...5).map { .titled("T\($0)", identifier: "gank:\($0)") }) == .delivered())
        #expect(try items().map(\.title) == ["T5", "T4", "T3"])
    }

    @Test("What an editor has moved or given other line ends stays", arguments: ["  <", "\t<", "<"])
    func reformatted(indent: String) async throws {
        let sink = FeedSink(path: path)
        _ = await sink.deliver((1...3).map { .titled("T\($0)", identifier: "gank:\($0)") })
        let text = try #require(folder.read("out/news.xml")).replacing("\n<", with: "\r\n" + indent)
        try folder.write(text, to: "out/news.xml")
        #expect(await sink.deliver(.titled("T4", identifier: "gank:4")) == .delivered())
        #expect(try items().map(\.title) == ["T4", "T3", "T2", "T1"])
    }

    @Test("A file with an entry that is not read is not replaced by one without it")
    func foreignEntry() async throws {
        _ = await FeedSink(path: path).deliver(.titled("T"))
        let text = try #require(folder.read("out/news.xml")).replacing("<entry>", with: "<entry xml:lang=\"de\">")
        try folder.write(text, to: "out/news.xml")
        let outcome = await FeedSink(path: path).deliver(.titled("T2", identifier: "gank:2"))
        #expect(outcome == .failed(reason: "\(path) is there already and is no feed of Crier's"))
        #expect(folder.read("out/news.xml") == text)
    }

    @Test("The file is replaced as a whole, and one that is not Crier's is left alone")
    func replacing() async throws {
        try folder.write("<rss>mine</rss>", to: "out/news.xml")
        let outcome = await FeedSink(path: path).deliver(.titled("x"))
        #expect(outcome == .failed(reason: "\(path) is there already and is no feed of Crier's"))
        #expect(folder.read("out/news.xml") == "<rss>mine</rss>")
        try FileManager.default.removeItem(atPath: path)
        _ = await FeedSink(path: path).deliver(.titled("x"))
        let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        _ = await FeedSink(path: path).deliver(.titled("y", identifier: "gank:2"))
        let old = String(decoding: try #require(try reader.readToEnd()), as: UTF8.self)
        #expect(old.contains(">x<") && !old.contains(">y<"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("out")) == ["news.xml"])
    }

    @Test("Text of outsiders cannot end an entry, and only web addresses are linked")
    func hostile() async throws {
        let text = "</title></entry>\n<entry>\n<!-- written by crier --> \(hostileTitle)"
        let content = NotificationContent(
            title: text, body: text, threadIdentifier: text, url: "javascript:alert(1)")
        _ = await FeedSink(path: path).deliver(.of(content))
        _ = await FeedSink(path: path).deliver(.titled("next", identifier: "gank:2"))
        let read = try items()
        #expect(read.count == 2)
        #expect(read[1].url == nil && read[1].title?.contains("</entry>") == true)
        #expect(try #require(folder.read("out/news.xml")).isHarmless)
    }

    @Test("Characters that XML does not have spoil no feed, and are taken out of one that has them")
    func unknownToXML() async throws {
        let text = "a\u{fffe}b \u{ffff}干"
        _ = await FeedSink(path: path).deliver(
            .of(NotificationContent(title: text, body: text, threadIdentifier: text)))
        #expect(try items().map(\.title) == ["ab 干"])
        let written = try #require(folder.read("out/news.xml"))
        try folder.write(written.replacing("ab 干", with: text), to: "out/news.xml")
        _ = await FeedSink(path: path).deliver(.titled("next", identifier: "gank:2"))
        #expect(try items().map(\.title) == ["next", "ab 干"])
    }

    private func items() throws -> [ContentItem] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        return try ContentDecoder().decode(ContentDocument(body: bytes, url: "")).items
    }
}
