import CrierContent
import Testing

@Suite struct FeedsEncodingTests {
    private func feed(_ declaration: String, title: [UInt8]) -> [UInt8] {
        Array("\(declaration)<rss><channel><item><title>".utf8) + title + Array("</title></item></channel></rss>".utf8)
    }

    private func title(_ bytes: [UInt8], contentType: String? = nil) throws -> String? {
        try decodeFeed(bytes: bytes, contentType: contentType).items.first?.title
    }

    @Test(
        arguments: [
            ("iso-8859-1", [0x63, 0x61, 0x66, 0xE9], "café"), ("ISO-8859-1", [0x93, 0x61, 0x94], "“a”"),
            ("us-ascii", [0x63, 0xE9], "cé"), ("US-ASCII", Array("ü".utf8), "ü"), ("windows-1251", [0xCF, 0xF0], "Пр"),
            ("koi8-r", [0xF0, 0xD2], "Пр"),
            ("gb2312", [0xB8, 0xC9, 0xBB, 0xF5], "干货"), ("shift_jis", [0x93, 0xFA, 0x96, 0x7B], "日本"),
            ("euc-kr", [0xC7, 0xD1], "한"), ("big5", [0xA4, 0xA4], "中"), ("iso-8859-9", [0xFD], "ı"),
            ("utf-8", Array("ü".utf8), "ü"), ("UTF8", Array("ü".utf8), "ü"), ("utf-16", Array("ü".utf8), "ü"),
            ("martian", Array("ü".utf8), "ü"), ("../../etc", Array("ü".utf8), "ü"),
        ] as [(String, [UInt8], String)])
    func theDeclarationNamesTheEncoding(name: String, bytes: [UInt8], expected: String) throws {
        #expect(try title(feed("<?xml version=\"1.0\" encoding=\"\(name)\"?>", title: bytes)) == expected)
        #expect(try title(feed("<?xml version='1.0' encoding = '\(name)' ?>", title: bytes)) == expected)
    }

    @Test func theServersWordGoesBeforeTheDeclaration() throws {
        let bytes = feed("<?xml version=\"1.0\" encoding=\"utf-8\"?>", title: [0xCF, 0xF0])
        #expect(try title(bytes, contentType: "text/xml; charset=\"Windows-1251\"") == "Пр")
        #expect(try title(bytes, contentType: "text/xml;charset=windows-1251 ; x=y") == "Пр")
    }

    @Test(arguments: ["us-ascii", "ANSI_X3.4-1968"]) func whatIsUTF8IsNoASCII(charset: String) throws {
        let type = "text/xml; charset=\(charset)"
        #expect(try title(feed("", title: Array("ü".utf8)), contentType: type) == "ü")
        #expect(try title(feed("", title: [0x63, 0xE9]), contentType: type) == "cé")
    }

    @Test func aByteOrderMarkGoesBeforeTheServersWord() throws {
        let bytes = [0xEF, 0xBB, 0xBF] + feed("", title: Array("ü".utf8))
        #expect(try title(bytes, contentType: "text/xml; charset=iso-8859-1") == "ü")
    }

    @Test(arguments: [false, true])
    func wideEncodingsAreSeen(isMarked: Bool) throws {
        let text =
            (isMarked ? "\u{FEFF}" : "")
            + "<?xml version=\"1.0\" encoding=\"utf-16\"?><rss><channel><item><title>日本 😀</title></item></channel></rss>"
        func bytes(of units: [some FixedWidthInteger]) -> [UInt8] {
            units.flatMap { unit in withUnsafeBytes(of: unit) { Array($0) } }
        }
        let big16 = bytes(of: text.utf16.map(\.bigEndian))
        let little16 = bytes(of: text.utf16.map(\.littleEndian))
        let little32 = bytes(of: text.unicodeScalars.map(\.value.littleEndian))
        let big32 = bytes(of: text.unicodeScalars.map(\.value.bigEndian))
        for bytes in [big16, little16, little32, big32] { #expect(try title(bytes) == "日本 😀") }
        // Whatever the server calls it.
        #expect(try title(little16, contentType: "text/xml; charset=utf-8") == "日本 😀")
    }

    @Test func aWideDocumentMayEndWithinACharacter() throws {
        let text = "<rss><channel><item><title>a</title></item></channel></rss>"
        let bytes = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try title(bytes.dropLast()) == "a")
    }

    @Test func invalidBytesAmongValidOnesAreReplaced() throws {
        #expect(try title(feed("", title: Array("ü".utf8) + [0xFF, 0x61])) == "ü\u{FFFD}a")
        #expect(try title(feed("", title: Array("ü".utf8) + [0xE2, 0x82])) == "ü\u{FFFD}")
    }

    @Test func aDocumentWithoutOneValidCharacterBeyondASCIIIsNotUTF8() throws {
        #expect(
            try title(feed("<?xml version=\"1.0\" encoding=\"utf-8\"?>", title: [0x63, 0x61, 0x66, 0xE9])) == "café")
    }

    @Test func bytesThatTheEncodingDoesNotHaveAreReplaced() throws {
        #expect(
            try title(feed("<?xml version=\"1.0\" encoding=\"shift_jis\"?>", title: [0x61, 0xFF, 0x62])) == "a\u{FFFD}b"
        )
    }

    /// It is converted in blocks, the end of one of which may be within a character.
    @Test(
        arguments: [("iso-8859-1", [0xE9], "é"), ("shift_jis", [0x93, 0xFA], "日"), ("gb2312", [0xB8, 0xC9], "干")]
            as [(String, [UInt8], String)])
    func aLongDocumentIsConvertedToItsEnd(name: String, bytes: [UInt8], character: String) throws {
        var body = Array("<?xml version=\"1.0\" encoding=\"\(name)\"?><rss><channel>".utf8)
        for number in 0..<300 {
            body += Array("<item><guid>\(number)</guid><title>".utf8)
            for _ in 0..<300 { body += bytes }
            body += Array("\(number)</title></item>".utf8)
        }
        body += Array("</channel></rss>".utf8)
        let titles = (0..<300).map { String(repeating: character, count: 300) + "\($0)" }
        #expect(try decodeFeed(bytes: body).items.map(\.title) == titles)
    }
}
