import CrierContent
import Testing

/// Pages and documents whose encoding somebody names, and not everybody the same, read as browsers read them.
struct XPathEncodingTests {
    private func title(_ body: [UInt8], format: ContentFormat = .html, contentType: String? = nil) throws -> String? {
        let mapping = ContentMapping(format: format, items: "//p", fields: [.title: "."])
        let document = ContentDocument(body: body, url: "", contentType: contentType)
        return try ContentDecoder(mapping: mapping).decode(document).items.first?.title
    }

    private func page(_ head: String, _ text: [UInt8]) -> [UInt8] {
        Array("<html><head>\(head)</head><p>".utf8) + text + Array("</p></html>".utf8)
    }

    @Test(arguments: [
        "<meta charset=gb2312>", "<META CHARSET = 'GBK'>", "<meta name=x><meta charset=\"gb18030\">",
        "<meta http-equiv=Content-Type content='text/html; charset=gb2312'>",
        "<!-- <meta charset=big5> --><meta charset=gbk>",
        "<script>\(String(repeating: "x", count: 3000))</script><meta charset=gbk>",
        "<meta charset=\"\"><meta charset=gbk>",
    ])
    func aPageNamesItsEncoding(_ head: String) throws {
        #expect(try title(page(head, [0xB8, 0xC9, 0xBB, 0xF5])) == "干货")
    }

    @Test func anOldNameMeansWhatBrowsersTakeItFor() throws {
        #expect(try title(page("<meta charset=iso-8859-1>", [0x93, 0x61, 0x94])) == "“a”")
        #expect(try title(page("", [0x93, 0x61, 0x94]), contentType: "text/html; charset=iso-8859-1") == "“a”")
        #expect(try title(page("<meta charset=us-ascii>", [0xE9])) == "é")
    }

    @Test func aByteOrderMarkGoesBeforeEverything() throws {
        let body = [0xEF, 0xBB, 0xBF] + page("<meta charset=gbk>", Array("é".utf8))
        #expect(try title(body, contentType: "text/html; charset=koi8-r") == "é")
        let wide = Array("\u{FEFF}<p>日本</p>".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try title(wide, contentType: "text/html; charset=koi8-r") == "日本")
    }

    @Test func theServersWordGoesBeforeThePages() throws {
        #expect(
            try title(page("<meta charset=koi8-r>", [0xCF, 0xF0]), contentType: "text/html; charset=windows-1251")
                == "Пр")
        #expect(
            try title(page("<meta charset=koi8-r>", [0xCF, 0xF0]), contentType: "text/html; charset=martian") == "оП")
    }

    @Test func aServersDefaultThatTheBytesAreNotGivesWayToThePage() throws {
        #expect(
            try title(page("<meta charset=windows-1251>", [0xCF, 0xF0, 0xE8]), contentType: "text/html; charset=utf-8")
                == "При")
    }

    @Test func aWordInTheTextNamesNoEncoding() throws {
        #expect(try title(page("</head><body><p>é <code>&lt;x> <meta charset=koi8-r></code></p>", [])) == "é <x>")
        #expect(try title(page("<meta name=charset content=koi8-r>", Array("é".utf8))) == "é")
    }

    @Test func bytesThatAreNoCharacterAreReplaced() throws {
        #expect(try title(page("", Array("é".utf8) + [0xFF, 0x61])) == "é\u{FFFD}a")
        #expect(try title(page("", [0x63, 0x61, 0x66, 0xE9])) == "café")
        let xml = Array("<r><p>é".utf8) + [0xFF] + Array("</p></r>".utf8)
        #expect(try title(xml, format: .xml) == "é\u{FFFD}")
    }

    @Test func xmlIsReadInTheEncodingOfItsServerOrItsDeclaration() throws {
        let text = Array("<?xml version='1.0' encoding='koi8-r'?><r><p>".utf8) + [0xCF, 0xF0] + Array("</p></r>".utf8)
        #expect(try title(text, format: .xml) == "оП")
        #expect(try title(text, format: .xml, contentType: "text/xml; charset=windows-1251") == "Пр")
        let wide = Array("<?xml version='1.0' encoding='utf-16'?><r><p>日本</p></r>".utf16)
        #expect(try title(wide.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, format: .xml) == "日本")
    }

    /// The bytes of each unit the other way round.
    private func swapped(_ bytes: [UInt8], _ size: Int) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: size).flatMap { bytes[$0..<$0 + size].reversed() }
    }

    @Test func jsonInAWideEncodingNeedsNoByteOrderMark() throws {
        let mapping = ContentMapping(format: .json, items: ".[]", fields: [.title: ".t"])
        let text = "[{\"t\":\"日本 😀\"}]"
        let short = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let long = text.unicodeScalars.flatMap { scalar in (0..<4).map { UInt8(scalar.value >> (8 * $0) & 0xFF) } }
        let bodies = [short, swapped(short, 2), long, swapped(long, 4)]
        for body in bodies {
            let document = ContentDocument(body: body, url: "")
            #expect(try ContentDecoder(mapping: mapping).decode(document).items.map(\.title) == ["日本 😀"])
        }
    }
}
