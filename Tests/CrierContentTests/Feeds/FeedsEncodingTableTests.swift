import CrierContent
import Testing

/// One text in one encoding, and the names that documents give it.
struct EncodedText: Sendable, CustomTestStringConvertible {
    let names: [String]
    let bytes: [UInt8]
    let text: String

    var testDescription: String { names[0] }

    init(_ names: [String], _ bytes: [UInt8], _ text: String) {
        self.names = names
        self.bytes = bytes
        self.text = text
    }

    static let table = [
        EncodedText(["GB18030", "gb18030", "GBK", "gb2312", "x-gbk"], [0xC4, 0xE3, 0xBA, 0xC3], "你好"),
        EncodedText(["GB18030"], [0x94, 0x39, 0xDA, 0x33], "💩"),
        EncodedText(["Big5", "BIG5", "big5"], [0xA7, 0x41, 0xA6, 0x6E], "你好"),
        EncodedText(["Shift_JIS", "shift_jis", "x-sjis", "windows-31j"], [0x82, 0xA0, 0x83, 0x5C, 0xB1], "あソｱ"),
        EncodedText(["Shift_JIS", "sjis"], [0x87, 0x40], "①"),
        EncodedText(["EUC-JP", "euc-jp", "x-euc-jp"], [0xC6, 0xFC, 0xCB, 0xDC], "日本"),
        EncodedText(["EUC-JP", "eucjp"], [0xAD, 0xA1, 0xAD, 0xEA, 0xAD, 0xB8], "①㈱Ⅳ"),
        EncodedText(["ansi_x3.4-1986", "ANSI_X3.4-1968", "iso-ir-6", "cp367"], [0x80, 0xE9], "€é"),
        EncodedText(["ISO-2022-JP"], [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42, 0x61], "日a"),
        EncodedText(["EUC-KR", "euc-kr", "ks_c_5601-1987", "korean"], [0xC7, 0xD1, 0xB1, 0xDB], "한글"),
        EncodedText(["KOI8-R", "koi8-r"], [0xF0, 0xD2, 0xC9], "При"),
        EncodedText(["KOI8-U"], [0xA4, 0xA6], "єі"),
        EncodedText(["windows-1250", "cp1250"], [0x9A, 0x9D, 0xE8], "šťč"),
        EncodedText(["windows-1251", "Windows-1251", "cp1251"], [0xCF, 0xF0, 0xE8], "При"),
        EncodedText(
            ["windows-1252", "iso-8859-1", "ISO-8859-1", "latin1", "us-ascii", "ISO_8859-1"], [0x80, 0x97, 0xE9], "€—é"),
        EncodedText(["windows-1253"], [0xC1, 0xE1], "Αα"),
        EncodedText(["windows-1254", "iso-8859-9", "latin5"], [0xFE, 0xF0, 0x80], "şğ€"),
        EncodedText(["windows-1255"], [0xF9, 0xEC], "של"),
        EncodedText(["windows-1256"], [0xD3, 0xE1], "سل"),
        EncodedText(["windows-1257"], [0xE0, 0xF0], "ąš"),
        EncodedText(["windows-874", "tis-620", "iso-8859-11"], [0xA1, 0xD2], "กา"),
        EncodedText(["ISO-8859-2", "iso-8859-2"], [0xB1, 0xE6, 0xB3], "ąćł"),
        EncodedText(["ISO-8859-5"], [0xBF, 0xE0], "Пр"),
        EncodedText(["ISO-8859-7"], [0xC1, 0xE1], "Αα"),
        EncodedText(["ISO-8859-8", "iso-8859-8-i"], [0xF9, 0xEC], "של"),
        EncodedText(["ISO-8859-15"], [0xA4, 0xBD], "€œ"),
        EncodedText(["macintosh", "x-mac-roman"], [0x8E, 0xD0], "é–"),
        EncodedText(["UTF-8", "utf8", "Utf-8"], Array("naïve 日本 😀".utf8), "naïve 日本 😀"),
    ]
}

@Suite struct FeedsEncodingTableTests {
    private func document(_ declaration: String, _ title: [UInt8]) -> [UInt8] {
        Array("\(declaration)<rss><channel><item><title>".utf8) + title + Array("</title></item></channel></rss>".utf8)
    }

    private func title(_ bytes: [UInt8], contentType: String? = nil) throws -> String? {
        try decodeFeed(bytes: bytes, contentType: contentType).items.first?.title
    }

    @Test(arguments: EncodedText.table)
    func anEncodingIsReadWhoeverNamesIt(row: EncodedText) throws {
        for name in row.names {
            let declared = document("<?xml version=\"1.0\" encoding=\"\(name)\"?>", row.bytes)
            #expect(try title(declared) == row.text, "declared as \(name)")
            let served = document("", row.bytes)
            #expect(
                try title(served, contentType: "application/rss+xml; charset=\(name)") == row.text, "served as \(name)")
        }
    }

    @Test(arguments: EncodedText.table.dropLast())
    func theServersWordOutweighsADeclarationOfSomethingElse(row: EncodedText) throws {
        let bytes = document("<?xml version=\"1.0\" encoding=\"utf-8\"?>", row.bytes)
        #expect(try title(bytes, contentType: "text/xml; charset=\(row.names[0])") == row.text)
    }

    @Test(arguments: [
        "text/xml; charset=", "text/xml; charset=\"\"", "text/xml; charset", "text/xml;", "", ";;;",
        "text/xml; Charset=koi8-r",
        "text/xml; charset = \"KOI8-R\"", "text/xml; boundary=x; charset=koi8-r", "text/xml; charset='koi8-r'",
    ])
    func withoutACharsetOfTheServerTheDeclarationTells(contentType: String) throws {
        let bytes = document("<?xml version=\"1.0\" encoding=\"koi8-r\"?>", [0xF0, 0xD2])
        #expect(try title(bytes, contentType: contentType) == "Пр")
    }

    @Test(arguments: ["koi8-r", "utf-16", "gb18030"])
    func aMarkOutweighsEveryWord(name: String) throws {
        let bytes = [0xEF, 0xBB, 0xBF] + document("<?xml version=\"1.0\" encoding=\"\(name)\"?>", Array("ü日".utf8))
        #expect(try title(bytes, contentType: "text/xml; charset=\(name)") == "ü日")
    }

    @Test(arguments: [
        "<?xml version='1.0' encoding='koi8-r'?>", "<?xml version=\"1.0\" encoding = \"koi8-r\" standalone=\"yes\"?>",
        "\n <?xml version=\"1.0\"\n\tencoding=\"koi8-r\"\n?>", "<?XML VERSION=\"1.0\" ENCODING=\"KOI8-R\"?>",
    ])
    func aDeclarationMayBeWrittenInManyWays(declaration: String) throws {
        #expect(try title(document(declaration, [0xF0, 0xD2])) == "Пр")
    }

    @Test(
        arguments: [
            ([0x80], "€"), ([0x61, 0xC3], "aÃ"), ([0xFF], "ÿ"), (Array("日".utf8) + [0xFF], "日\u{FFFD}"),
            (Array("日".utf8) + [0xC0, 0x80, 0x61], "日\u{FFFD}\u{FFFD}a"),
            (Array("日".utf8) + [0xE6, 0x97], "日\u{FFFD}"),
            (Array("日".utf8) + [0xED, 0xA0, 0x80], "日\u{FFFD}\u{FFFD}\u{FFFD}"),
        ] as [([UInt8], String)])
    func bytesThatAreNoUTF8AreReplacedOrReadAsWindows1252(bytes: [UInt8], expected: String) throws {
        #expect(try title(document("", bytes)) == expected)
    }

    /// Nobody could have read the name if it were true.
    @Test(arguments: [
        "unicode", "csUnicode", "UCS-2", "utf16", "UTF-16", "utf32", "UCS-4", "WCHAR_T", "IBM037", "ebcdic-us", "utf7",
    ])
    func aWideOrForeignNameWithinAsciiIsNotBelieved(name: String) throws {
        let bytes = document("<?xml version=\"1.0\" encoding=\"\(name)\"?>", Array("naïve 日本 a+b".utf8))
        #expect(try title(bytes) == "naïve 日本 a+b")
        #expect(try title(bytes, contentType: "text/xml; charset=\(name)") == "naïve 日本 a+b")
    }

    @Test(arguments: ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"])
    func aUnitThatIsNoCharacterIsOneReplacement(encoding: String) throws {
        let width = encoding.hasPrefix("UTF-16") ? 2 : 4
        func units(_ text: String) -> [UInt32] {
            width == 2 ? text.utf16.map(UInt32.init) : text.unicodeScalars.map(\.value)
        }
        let all =
            units("<rss><channel><item><title>a") + [0xD83D] + units("b</title></item><item><title>c")
            + [0xDC00] + units("</title></item></channel></rss>")
        let bytes = all.flatMap { unit in
            let little = (0..<width).map { UInt8(unit >> (8 * UInt32($0)) & 0xFF) }
            return encoding.hasSuffix("LE") ? little : little.reversed()
        }
        #expect(try decodeFeed(bytes: bytes).items.map(\.title) == ["a\u{FFFD}b", "c\u{FFFD}"])
    }

    @Test(arguments: ["UTF-16LE", "UTF-16BE"])
    func aWideFeedMayBeginWithWhiteSpace(encoding: String) throws {
        let text = "\r\n<rss><channel><item><title>日本</title></item></channel></rss>"
        let bytes = text.utf16.flatMap { unit in
            let little = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return encoding.hasSuffix("LE") ? little : little.reversed()
        }
        #expect(try decodeFeed(bytes: bytes).items.map(\.title) == ["日本"])
    }

    @Test(arguments: ["iso-8859-1", "windows-1252", "gbk", "koi8-r"])
    func jsonThatIsUTF8IsSoWhateverTheServerSays(charset: String) throws {
        let json =
            " {\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[{\"id\":\"1\",\"title\":\"Grüße €\"}]}"
        #expect(try title(Array(json.utf8), contentType: "application/json; charset=\(charset)") == "Grüße €")
    }

    @Test(arguments: ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"], [false, true])
    func aWideFeedIsReadAsAWhole(encoding: String, isMarked: Bool) throws {
        let text =
            (isMarked ? "\u{FEFF}" : "")
            + "<?xml version=\"1.0\" encoding=\"utf-16\"?><feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Ω</title>"
            + "<entry><id>1</id><title>𝄞 a</title></entry></feed>"
        let units: [[UInt8]] =
            encoding.hasPrefix("UTF-16")
            ? text.utf16.map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            : text.unicodeScalars.map { scalar in (0..<4).map { UInt8(scalar.value >> (8 * $0) & 0xFF) } }
        let bytes = units.flatMap { encoding.hasSuffix("LE") ? $0 : $0.reversed() }
        for type in [nil, "text/xml; charset=utf-8"] {
            let content = try decodeFeed(bytes: bytes, contentType: type)
            #expect(content.title == "Ω")
            #expect(content.bareItems == [ContentItem(declaredIdentifier: "1", title: "𝄞 a")])
            #expect(content.remarks.isEmpty)
        }
    }

    @Test func aWideDocumentMayEndWithinACharacter() throws {
        let text = "<rss><channel><item><title>a</title></item></channel></rss>"
        let bytes = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try title(bytes.dropLast()) == "a")
    }

    @Test func attributesAndAddressesAreConvertedToo() throws {
        let bytes =
            Array("<?xml version=\"1.0\" encoding=\"koi8-r\"?><feed><entry><id>".utf8) + [0xF0]
            + Array("</id><category term=\"".utf8)
            + [0xD2] + Array("\"/><author><name>".utf8) + [0xC9] + Array("</name></author></entry></feed>".utf8)
        #expect(
            try decodeFeed(bytes: bytes).bareItems == [
                ContentItem(declaredIdentifier: "П", authors: ["и"], categories: ["р"])
            ])
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
