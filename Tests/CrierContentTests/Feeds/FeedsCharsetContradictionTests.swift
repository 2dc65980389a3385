import CrierContent
import Testing

/// A server and a document that name different encodings.
@Suite struct FeedsCharsetContradictionTests {
    private func title(_ title: [UInt8], declared: String?, served: String?) throws -> String? {
        let declaration = declared.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>" } ?? ""
        let bytes =
            Array("\(declaration)<rss><channel><item><title>".utf8) + title
            + Array("</title></item></channel></rss>".utf8)
        return try decodeFeed(bytes: bytes, contentType: served.map { "text/xml; charset=\($0)" }).items.first?.title
    }

    @Test func aServersDefaultThatTheBytesAreNotGivesWayToTheDeclaration() throws {
        #expect(try title([0xCF, 0xF0, 0xE8], declared: "windows-1251", served: "utf-8") == "При")
        #expect(try title([0xB8, 0xC9, 0xBB, 0xF5], declared: "gb2312", served: "UTF-8") == "干货")
        // ё is D1 91: windows-1252 has a character there, but none at 8D, which UTF-8 needs for э.
        #expect(try title(Array("этот".utf8), declared: "utf-8", served: "iso-8859-1") == "этот")
    }

    @Test func withoutADeclarationUTF8MayBeRight() throws {
        #expect(try title(Array("этот".utf8), declared: nil, served: "iso-8859-1") == "этот")
        #expect(try title(Array("日本語".utf8), declared: nil, served: "euc-kr") == "日本語")
    }

    @Test func aServersWordThatFitsIsBelievedAsInBrowsers() throws {
        for served in ["windows-1251", "\"Windows-1251\"", "windows-1251 ; x=y"] {
            #expect(try title([0xCF, 0xF0], declared: "koi8-r", served: served) == "Пр")
        }
        #expect(try title([0x63, 0xE9], declared: "utf-8", served: "iso-8859-1") == "cé")
    }

    /// As which it came from a template, or from a server's default.
    @Test(arguments: ["iso-8859-1", "windows-1252", "us-ascii", "windows-1251", "koi8-r", "iso-8859-6", "iso-8859-8"])
    func whatIsUTF8IsNoTextOfSingleBytes(label: String) throws {
        for text in ["é", "“Ω”", "этот", "日本語", "👋"] {
            #expect(try title(Array(text.utf8), declared: label, served: nil) == text)
            #expect(try title(Array(text.utf8), declared: nil, served: label) == text)
            #expect(try title(Array(text.utf8), declared: label, served: label) == text)
            #expect(try title(Array(text.utf8), declared: "utf-8", served: label) == text)
        }
        // Cut within a character, as by programs that count bytes.
        let cut = Array("é“Ω".utf8) + [0xC3]
        #expect(try title(cut, declared: label, served: nil) == "é“Ω\u{FFFD}")
    }

    /// 学校, 系统 and 图片 in GBK are UTF-8, too.
    @Test func shortTextsOfTwoBytesAreWhatTheyAreSaidToBe() throws {
        #expect(try title([0xCF, 0xB5, 0xCD, 0xB3], declared: "gb2312", served: nil) == "系统")
        #expect(try title([0xCF, 0xB5, 0xCD, 0xB3], declared: nil, served: "gbk") == "系统")
    }

    @Test func whereNobodyIsRightTheServerIsBelievedAndTheRestReplaced() throws {
        #expect(try title(Array("日".utf8) + [0xFF], declared: "shift_jis", served: "utf-8") == "日\u{FFFD}")
        #expect(try title(Array("日".utf8) + [0xFF], declared: "martian", served: "utf-8") == "日\u{FFFD}")
        #expect(try title([0x61, 0xFF, 0x62], declared: "shift_jis", served: nil) == "a\u{FFFD}b")
        #expect(try title([0x63, 0xE9], declared: "utf-8", served: nil) == "cé")
    }

    @Test(arguments: ["martian", "utf-16", "x", "../../etc/passwd"])
    func aServersWordThatMeansNothingLeavesTheDeclaration(served: String) throws {
        #expect(try title([0xF0, 0xD2], declared: "koi8-r", served: served) == "Пр")
        #expect(try title(Array("ü".utf8), declared: served, served: nil) == "ü")
    }

    @Test(
        arguments: [
            ("chinese", [0xB8, 0xC9], "干"), ("csgb2312", [0xB8, 0xC9], "干"), ("cn-big5", [0xA4, 0xA4], "中"),
            ("windows-949", [0xC7, 0xD1], "한"), ("ms932", [0x93, 0xFA], "日"), ("koi8", [0xF0, 0xD2], "Пр"),
            ("cp819", [0x63, 0xE9], "cé"), ("latin2", [0xB1], "ą"), ("logical", [0xF9], "ש"),
            ("x-mac-cyrillic", [0x8F], "П"), ("x-cp1250", [0x9A], "š"), ("x-cp1253", [0xC1], "Α"),
            ("x-cp1254", [0xFE], "ş"), ("x-cp1256", [0xD3], "س"), ("windows-1258", [0xD5], "Ơ"),
            ("cp1258", [0xD5], "Ơ"), ("iso-ir-148", [0xFE], "ş"),
            ("csksc56011987", [0xC7, 0xD1], "한"), ("iso-ir-149", [0xC7, 0xD1], "한"), ("sun_eu_greek", [0xC1], "Α"),
            ("iso-8859-6-i", [0xC7], "ا"), ("csiso58gb231280", [0xB8, 0xC9], "干"),
        ] as [(String, [UInt8], String)])
    func labelsOfBrowsersAreKnown(label: String, bytes: [UInt8], text: String) throws {
        #expect(try title(bytes, declared: label, served: nil) == text)
        #expect(try title(bytes, declared: nil, served: label) == text)
    }

    @Test(
        arguments: [
            ("cp-1251", [0xCF, 0xF0], "Пр"), ("win-1251", [0xCF, 0xF0], "Пр"), ("windows1251", [0xCF, 0xF0], "Пр"),
            ("Windows_1250", [0x9A], "š"), ("win1257", [0xE0], "ą"), ("ms949", [0xC7, 0xD1], "한"),
            ("cp-932", [0x93, 0xFA], "日"),
        ] as [(String, [UInt8], String)])
    func codePagesAreKnownHoweverTheyAreWritten(label: String, bytes: [UInt8], text: String) throws {
        #expect(try title(bytes, declared: label, served: nil) == text)
        #expect(try title(bytes, declared: nil, served: label) == text)
    }

    @Test func jsonIsReadInTheEncodingThatTheServerNames() throws {
        let body =
            Array("{\"version\": \"https://jsonfeed.org/version/1\", \"items\": [{\"id\": \"1\", \"title\": \"".utf8)
            + [0xB8, 0xC9] + Array("\"}]}".utf8)
        let document = ContentDocument(body: body, url: "", contentType: "application/json; charset=gbk")
        #expect(try ContentDecoder().decode(document).items.first?.title == "干")
    }
}
