import CrierContent
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent
@testable import CrierDelivery
@testable import CrierFetch

/// `CRIER_UPDATE_GENERATED=1 swift test --filter DigestLooksTests` rewrites the golden files, to be looked at by eye.
@Suite struct DigestLooksTests {
    static let languages = Digest.Language.allCases

    /// Wide characters, both directions, emoji, and what outsiders may try.
    static func page(_ language: Digest.Language, images: Bool = true) throws -> DigestPage {
        let zone = try #require(TimeZone(identifier: "Asia/Shanghai"))
        var digest = Digest(name: "morning", at: try CalendarExpression("08:30"), timeZone: zone, sinks: ["mail"])
        digest.title = language == .english ? "Good morning" : "早上好"
        digest.language = language
        digest.showsImages = images
        digest.limit = 7
        let sources = ["swift-blog", "gank", "news"].map { name in
            Source(name: name, address: .url("https://e.example/"), title: name == "gank" ? "干货集中营" : nil)
        }
        let composer = DigestComposer(digest: digest, sources: sources)
        let day = CalendarDay(try Date("2026-11-21T00:30:00Z", strategy: .iso8601), in: zone)
        return composer.page(of: try items(), on: day).plain
    }

    static func items() throws -> [DigestItem] {
        func item(
            _ source: String, _ time: String, _ title: String?, url: String? = nil, summary: String? = nil,
            content: String? = nil, image: String? = nil
        ) throws -> DigestItem {
            let date = try Date(time, strategy: .iso8601)
            return DigestItem(
                source: source,
                item: ContentItem(
                    identifier: time, title: title, url: url, published: date, summary: summary, content: content,
                    image: image),
                firstSeen: date)
        }
        let long = String(repeating: "A summary that goes on and on, over many a line. ", count: 8)
        return [
            try item(
                "swift-blog", "2026-11-20T22:05:00Z",
                "Swift 6.3 is out, with a title so long that it has to be wrapped at the width",
                url: "https://www.swift.org/blog/?a=1&b=2", summary: long,
                content: String(repeating: "word ", count: 1000)),
            try item(
                "gank", "2026-11-20T04:03:00Z", "找到阻碍你 Android App 性能的罪魁祸首！中文标题也按宽度换行，每个汉字占两列，标点不在行首。",
                url: "https://github.com/x/BlockCanaryEx", content: String(repeating: "汉", count: 1500)),
            try item(
                "gank", "2026-11-20T04:02:00Z", "福利", url: "https://img.gank.io/1.jpg",
                image: "https://img.gank.io/1.jpg"),
            try item(
                "news", "2026-11-20T23:00:00Z", "שלום עולם (Swift) 123", url: "https://he.example/1",
                summary: "مرحبا بالعالم، نص عربي طويل"),
            try item("news", "2026-11-20T22:59:00Z", "👩🏽‍🚀 Emoji 🇩🇪 of several scalars", url: "https://e.example/@me/1"),
            try item(
                "news", "2026-11-20T22:58:00Z", "<script>alert(1)</script> & *stars* \u{1b}[31mred\u{202e}",
                url: "javascript:alert(1)",
                image: "http://\"onerror=\"x/"),
            try item("news", "2025-12-31T10:00:00Z", nil, url: "https://e.example/untitled"),
            try item("news", "2025-12-30T10:00:00Z", "left over"),
        ]
    }

    private func expect(_ text: String, isGolden name: String) throws {
        let path = Checkout.file("Tests/Golden/digests/\(name)")
        if ProcessInfo.processInfo.environment["CRIER_UPDATE_GENERATED"] == "1" { try writeText(text, path) }
        #expect(try readText(path) == text, "\(name) has changed")
    }

    @Test(arguments: languages)
    func everyLookIsAsTheGoldenFilesHaveIt(_ language: Digest.Language) throws {
        let page = try Self.page(language)
        let looks = DigestLooks()
        try expect(DigestPrint(width: 60).text(of: page), isGolden: "\(language.rawValue).txt")
        try expect(
            DigestPrint(width: 60, isBold: true, linksTitles: true).text(of: page),
            isGolden: "\(language.rawValue).terminal.txt")
        try expect(looks.markdown(of: page), isGolden: "\(language.rawValue).md")
        try expect(looks.html(of: page), isGolden: "\(language.rawValue).html")
        try expect(page.json, isGolden: "\(language.rawValue).json")
    }

    @Test(arguments: [20, 31, 48, 80])
    func noLineOfTextIsWiderThanTheTerminal(_ width: Int) throws {
        for language in Self.languages {
            var page = try Self.page(language)
            page.title += " of whatever there was to be told of since the day before"
            page.groups[0].title = "A category that is called by more words than anybody would like to read"
            page.more = "and more of what nobody has had the time to read, and will not have"
            let text = DigestPrint(width: width).text(of: page)
            for line in text.split(separator: "\n") where !line.contains("https://") {
                #expect(String(line).terminalWidth <= width, "\(line)")
            }
        }
    }

    @Test func picturesAreShownOnlyWhereTheyAreWanted() throws {
        let looks = DigestLooks()
        #expect(!looks.html(of: try Self.page(.english, images: false)).contains("<img"))
        #expect(looks.html(of: try Self.page(.english)).split(separator: "<img").count == 2)
    }

    @Test func nothingIsLoadedFromElsewhere() throws {
        let html = DigestLooks().html(of: try Self.page(.english, images: false))
        for word in ["src=", "@import", "url(", "<link", "<script"] { #expect(!html.contains(word)) }
    }

    @Test func whatOutsidersWriteStaysText() throws {
        let looks = DigestLooks()
        let page = try Self.page(.english)
        #expect(!page.json.contains("\u{1b}") && !looks.html(of: page).contains("javascript:"))
        let text = DigestPrint().text(of: page) + looks.markdown(of: page)
        #expect(!text.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{202e}" })
        #expect(looks.markdown(of: page).contains(#"\<script>"#))
    }

    @Test func textFromRightToLeftIsKeptApart() throws {
        let text = DigestPrint().text(of: try Self.page(.english))
        #expect(text.contains("\u{2068}שלום עולם (Swift) 123\u{2069}"))
        #expect(text.filter { $0 == "\u{2068}" }.count == text.filter { $0 == "\u{2069}" }.count)
    }

    @Test func aUsersTemplateTakesThePlaceOfTheLook() throws {
        let read = try configuration(
            """
            digests:
              morning:
                at: "08:30"
                text: "{{title}}: {{#groups}}{{#items}}{{title}};{{/items}}{{/groups}}"
                html: "<p>{{#groups}}{{#items}}{{title}}{{/items}}{{/groups}}</p>"
            """)
        let page = try Self.page(.english)
        #expect(read.digestLooks.text(of: page, printed: DigestPrint()).hasPrefix("Good morning: Swift 6.3"))
        let html = read.digestLooks.html(of: page)
        #expect(html.hasPrefix("<p>Swift") && html.contains("&lt;script&gt;"))
    }

    @Test(arguments: [
        ([:], Digest.Language.english), (["LANG": "zh_CN.UTF-8"], .simplifiedChinese),
        (["LANG": "zh_TW.UTF-8"], .english),
        (["LANG": "zh_CN", "LC_ALL": "en_GB"], .english), (["LANG": "C", "LANGUAGE": "zh_CN"], .english),
        (["LANG": "de_DE.UTF-8", "LANGUAGE": "zh_CN:de"], .simplifiedChinese), (["LANG": "zh_SG"], .simplifiedChinese),
    ])
    func theLocaleSaysTheLanguage(_ environment: [String: String], _ language: Digest.Language) {
        #expect(Digest.Language(environment: environment) == language)
    }
}
