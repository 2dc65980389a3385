import Testing

@testable import CrierContent

/// Texts that are nothing but marks on one letter.
@Suite(.timeLimit(.minutes(3))) struct MarkRunsTests {
    private func run(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { Array(($0 < count / 2 ? "\u{301}" : "\u{316}").utf8) }
    }

    @Test(arguments: [0, 1, 30, 31, 100_000])
    func ofARunTheBeginningIsKept(count: Int) {
        let text = String(utf8: [0x78] + run(count) + [0x79] + run(3))
        #expect(text.unicodeScalars.count == 1 + min(30, count) + 1 + 3)
        let bare = String(decoding: [0x78] + run(count), as: UTF8.self)
        #expect(MarkRuns.bounded(bare).unicodeScalars.count == 1 + min(30, count))
    }

    /// Wherever it stands: what is looked at are some places of a text.
    @Test func aLongRunIsFoundAtAnyPlace() {
        for length in 0...140 {
            let before = Array(repeating: UInt8(0x61), count: length)
            for (marks, isLong) in [(30, false), (31, true)] {
                let bytes = before + run(marks) + Array("語".utf8) + before
                #expect(bytes.withUnsafeBufferPointer(MarkRuns.mayBeLong) == isLong, "\(length) \(marks)")
            }
        }
    }

    @Test(arguments: [
        "สวัสดีชาวโลกภาษาไทยไม่มีช่องว่างระหว่างคำเลยสักนิดเดียว", "नमस्ते दुनिया यह एक लंबा वाक्य है जिसमें कई मात्राएँ हैं",
        "がぎぐげござじずぜぞだぢづでどばびぶべぼがぎぐげござじずぜぞ", "السَّلَامُ عَلَيْكُمْ وَرَحْمَةُ اللهِ وَبَرَكَاتُهُ", "👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀",
        "Zalgo: h̷̢̧̛e̸̡̨̛ ̴c̵o̶m̷e̸s̴",
    ])
    func noLanguageHasMore(text: String) {
        let longer = String(repeating: text, count: 3)
        #expect(Array(String(utf8: Array(longer.utf8)).utf8) == Array(longer.utf8))
        #expect(
            Array(String(utf8: Array(text.decomposedStringWithCanonicalMapping.utf8)).utf8)
                == Array(text.decomposedStringWithCanonicalMapping.utf8))
    }

    /// Each of them would take minutes: twice as many marks take four times as long.
    @Test(arguments: [
        "<item><title>@</title></item>", "<item><guid>@</guid></item>",
        "<item><author>@</author><category>@</category></item>", "<skipDays><day>@</day></skipDays><item/>",
        "<item><link>http://e.org/@</link><enclosure url='http://e.org/' type='@'/></item>",
        "<item><description>&lt;img alt='@'&gt;@</description></item>", "<item a='@' xmlns:b='@'/>",
    ])
    func aFeedOfMarksIsReadAtOnce(template: String) throws {
        // As bytes: whatever is made of texts here would take as long.
        let marks = 200_000
        let entities = Array(repeating: Array("&#769;&#790;".utf8), count: marks / 2).joined()
        var body = Array("<rss version='2.0'><channel><title>t</title>".utf8)
        for (index, part) in template.split(separator: "@", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { body += Array("x".utf8) + run(marks) }
            body += Array(part.utf8)
        }
        body += Array("<item><guid>".utf8) + entities + Array("</guid></item></channel></rss>".utf8)
        let content = try decodeFeed(bytes: body)
        #expect(!content.items.isEmpty)
        for item in content.items {
            for text in [item.title, item.declaredIdentifier, item.summary, item.authors.first].compactMap(\.self) {
                #expect(text.unicodeScalars.count < 100)
            }
        }
    }

    @Test func aJSONFeedOfMarksIsReadAtOnce() throws {
        let escapes = Array(repeating: Array(#"\u0301\u0316"#.utf8), count: 60_000).joined()
        var body = Array(#"{"version": "https://jsonfeed.org/version/1.1", "title": "t", "x"#.utf8)
        body += run(200_000) + Array(#"": 1, "items": [{"id": "1", "title": "a"#.utf8) + escapes
        body += Array(#"", "content_text": "c", "tags": ["x"#.utf8) + run(200_000) + Array(#""]}]}"#.utf8)
        let content = try decodeFeed(bytes: body, contentType: "application/feed+json")
        #expect(content.items.first?.title?.unicodeScalars.count == 31)
    }
}
