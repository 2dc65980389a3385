import CrierTesting
import Testing

@testable import CrierContent

/// Long texts, which reach the reader without libxml2 (``XMLSkeleton``), are read as libxml2 would have read them.
@Suite struct FeedsLongTextTests {
    private static let wide = "Grüße aus dem Garten, 干货更新啦, und noch etwas mehr "
    private static let plain = String(repeating: "nothing but a few words of plain ASCII ", count: 4)

    private static let parts = [
        wide, plain, "short", "é", "&amp;", "&lt;p&gt;", "&#233;", "&nbsp;", "&eacute;", "]", "]]", ">", "a > b", " ",
        "\n", "\t",
        "\r\n", "\u{7F}", "\u{80}", "\u{FFFD}", "🦉", "<![CDATA[\(wide)]]>", "<![CDATA[<p>\(plain)</p> & ]] \(wide)]]>",
        "<![CDATA[\(wide)\r\n\(wide)]]>", "<![CDATA[]]>", "<!-- \(wide)<p> -->", "<?php echo '\(wide)<p>' ?>", "<?t?>",
        "<b>\(wide)</b>", "<b a='\(wide)>' b=\"<\"/>", "<b a=\"\(wide)>'\"/>", "<b>", "</b>",
    ]
    /// What no XML document may hold.
    private static let faults = [
        "\(wide)]]>\(wide)", "]]>", "&", "&nothing;", "\u{1}", "\(wide)\u{8}", "\u{FFFE}", "\(wide)\u{FFFF}", "<",
        "<![cdata[\(wide)]]>",
        "<![CDATA[\(wide)", "<?xml version='1.0'?>", "<!-- -- -->", "<b a=1>",
    ]

    private func expectSame(_ document: String, _ place: Comment) throws {
        // A document type keeps all text with libxml2, since it may declare entities.
        let whole = "<!DOCTYPE rss [<!ENTITY unused 'x'>]>" + document
        let one = try decodeFeed(document)
        let other = try decodeFeed(whole)
        #expect(one == other, place)
    }

    private func rss(_ title: String, _ text: String) -> String {
        "<rss version='2.0'><channel><title>\(title)</title><item><title>\(title)</title><guid>1</guid>"
            + "<description>\(text)</description></item></channel></rss>"
    }

    @Test func anyMixtureIsReadAsByTheParserAlone() throws {
        var dice = SeededNumbers(seed: 1)
        for round in 0..<500 {
            var text = ""
            for _ in 0..<Int.random(in: 1...8, using: &dice) {
                text += Self.parts.randomElement(using: &dice) ?? ""
                if Int.random(in: 0..<20, using: &dice) == 0 { text += Self.faults.randomElement(using: &dice) ?? "" }
            }
            try expectSame(rss(Self.parts.randomElement(using: &dice) ?? "", text), "round \(round): \(text)")
        }
    }

    @Test func textOutsideTheRootIsAnErrorStill() throws {
        for behind in [Self.wide, Self.plain, "<![CDATA[\(Self.wide)]]>"] {
            let content = try decodeFeed(rss("A feed", Self.wide) + behind)
            #expect(content.items.count == 1)
            #expect(!content.remarks.isEmpty)
        }
    }

    @Test func spaceOutsideTheRootIsNone() throws {
        let space = String(repeating: "\n", count: 500)
        #expect(try decodeFeed("\(rss("A feed", Self.wide))\(space)").remarks.isEmpty)
    }

    @Test func theParserIsGivenNoLongText() {
        let document =
            "<?xml version='1.0'?><?own?><a b='é'>\(Self.wide)<b><![CDATA[\(Self.plain)]]></b>&nbsp;\(Self.plain)&lt;"
            + "\(Self.wide)&#233;"
            + "<!-- \(Self.wide) -->short</a>"
        Array(document.utf8).withUnsafeBufferPointer { bytes in
            var skeleton = XMLSkeleton(bytes, takesTexts: true, isWeighed: true)
            // A few bytes at a time, as few as there may be room for.
            var read: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 3)
            while case let count = piece.withUnsafeMutableBytes({ skeleton.read(into: $0) }), count > 0 {
                read += piece[..<count]
            }
            #expect(
                String(decoding: read, as: UTF8.self)
                    == "<?xml version='1.0'?><?own?><a b='é'><?t?><b><?t?></b>&nbsp;<?t?><!-- \(Self.wide) -->short</a>"
            )
            // The document's own instruction stands for nothing.
            let texts = (0..<5).map { _ in
                var pieces: [String] = []
                skeleton.nextText()?.forEachPiece { pieces.append(String(decoding: $0, as: UTF8.self)) }
                return pieces
            }
            #expect(texts == [[], [Self.wide], [Self.plain], [Self.plain, "<", Self.wide, "é"], []])
        }
    }

    @Test(arguments: [
        "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#233;", "&#xE9;", "&#x1F989;", "&#10;", "&#13;", "&#0065;",
        "&#145;",
    ])
    func aReferenceInALongTextIsReadAsByTheParserAlone(_ reference: String) throws {
        try expectSame(rss("one\(reference)two", "\(Self.wide)\(reference)\(reference)\(Self.plain)\(reference)"), "")
        #expect(try decodeFeed(rss("a", "\(Self.wide)\(reference)")).remarks.isEmpty)
    }

    @Test(arguments: [
        "&#0;", "&#8;", "&#xFFFE;", "&#xD800;", "&#x110000;", "&#99999999999999999999;", "&#;", "&#x;", "&#XE9;",
        "&#x41",
        "&#a;", "&Amp;", "&lt", "&nothing;", "& ",
    ])
    func aFaultyReferenceInALongTextIsAnErrorStill(_ reference: String) throws {
        let document = rss("a", "\(Self.wide)\(reference)\(Self.plain)")
        #expect(try !decodeFeed(document).remarks.isEmpty)
        try expectSame(document, "")
    }

    @Test func referencesInASectionAreText() throws {
        let content = try decodeFeed(rss("<![CDATA[\(Self.wide)&amp;amp;]]>", Self.wide))
        #expect(content.items.first?.title == Self.wide + "&amp;")
    }

    @Test func aDocumentEndsBeforeTheBurdenThatIsTooMuch() {
        let names = (0..<600).map { "a\($0)='\($0)'" }.joined(separator: " ")
        for start in ["<a>", "<!DOCTYPE a><a>"] {
            Array("\(start)\(Self.wide)<b \(names)/></a>".utf8).withUnsafeBufferPointer { bytes in
                var skeleton = XMLSkeleton(bytes, takesTexts: true, isWeighed: true)
                var piece = [UInt8](repeating: 0, count: 4096)
                let count = piece.withUnsafeMutableBytes { skeleton.read(into: $0) }
                #expect(!String(decoding: piece[..<count], as: UTF8.self).contains("<b"))
                #expect(skeleton.burden.isExcessive)
            }
        }
    }

    @Test(arguments: 0...4)
    func byteOrderMarksBeforeTheDeclarationMoveNoText(_ count: Int) throws {
        let items = (0..<3).map { "<item><guid>\($0)</guid><title>\(Self.wide)\($0)</title></item>" }
        let marks = String(repeating: "\u{FEFF}", count: count)
        let content = try decodeFeed(
            "\(marks)<?xml version=\"1.0\"?><rss><channel>\(items.joined())</channel></rss>")
        #expect(content.items.map(\.title) == (0..<3).map { "\(Self.wide)\($0)" })
    }

    private static let manyAttributes = (0..<600).map { "a\($0)=''" }.joined(separator: " ")

    @Test(arguments: [
        ("<b \(manyAttributes)/>", true), ("&#60;b \(manyAttributes)/>", true), ("&#x3C;b \(manyAttributes)/>", true),
        ("&#0060;b \(manyAttributes)&#62;", true), ("<!ENTITY y 'z'>", true), ("&#38;#60;b \(manyAttributes)", false),
        ("<b a='1' b='2'>bold</b>", false), ("&#233; &amp; more", false), ("plain", false),
    ])
    func theMarkupOfAnEntityIsWeighed(_ text: String, isExcessive: Bool) {
        for declaration in ["<!ENTITY x \"\(text)\">", "<!ENTITY % x \"\(text)\">", "<!ENTITY\ny\n\"\(text)\" >"] {
            let document = Array("<?xml version='1.0'?><!DOCTYPE rss [\(declaration)]><rss>&x;</rss>".utf8)
            #expect(
                document.withUnsafeBufferPointer { XMLBurden.isExcessive($0) } == isExcessive,
                "\(declaration.prefix(40))")
        }
    }

    @Test(arguments: [
        "<!DOCTYPE rss [<!ENTITY x '<!--'>]>", "<!DOCTYPE rss SYSTEM '<!--'>", "<!DOCTYPE rss PUBLIC \"<?\" '<!--' []>",
        "<!DOCTYPE rss [<!NOTATION n SYSTEM '<![CDATA['>]>",
    ])
    func whatIsQuotedInADeclarationHidesNoMarkup(_ declaration: String) {
        let document = Array("\(declaration)<rss \(Self.manyAttributes)/>".utf8)
        #expect(document.withUnsafeBufferPointer { XMLBurden.isExcessive($0) })
    }

    @Test func moreTextsThanAreKeptAtOnceAllArrive() throws {
        // More instructions than are kept at once.
        let items = (0..<3000).map { "<item><guid>\($0)</guid><title>\(Self.wide)\($0)</title></item>" }
        let content = try decodeFeed("<rss><channel>\(items.joined())</channel></rss>")
        #expect(content.items.map(\.title) == (0..<3000).map { "\(Self.wide)\($0)" })
    }
}
