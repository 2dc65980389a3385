import CrierContent
import CrierTesting
import Testing

/// What a hostile document or a careless expression would like to read.
struct XPathSafetyTests {
    private func decode(
        _ text: String, format: ContentFormat, items: String, fields: [ContentField: String]
    ) throws -> DecodedContent {
        let document = ContentDocument(body: Array(text.utf8), url: "")
        return try ContentDecoder(mapping: ContentMapping(format: format, items: items, fields: fields)).decode(
            document)
    }

    @Test(arguments: ["SYSTEM", "PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\""])
    func noDocumentTypeIsLoaded(_ kind: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("<!ENTITY x \"loaded\"><!ATTLIST p id CDATA \"loaded\">", to: "type.dtd")
        let xml = "<!DOCTYPE r \(kind) \"file://\(file)\"><r><p>[&x;]</p><p>two</p></r>"
        let content = try decode(xml, format: .xml, items: "//p", fields: [.title: ".", .id: "@id"])
        #expect(content.items.map(\.title).last == "two")
        #expect(!String(describing: content).contains("loaded"))
    }

    @Test(arguments: ["document('file:///etc/hostname')", "unparsed-entity-uri('x')", "system-property('xsl:vendor')"])
    func noExpressionReachesBeyondItsDocument(_ expression: String) {
        #expect(throws: ContentError.self) {
            try decode("<r><p/></r>", format: .xml, items: "//p", fields: [.title: expression])
        }
    }

    @Test(arguments: [ContentFormat.html, .xml])
    func moreThanTenThousandItemsAreTooMany(_ format: ContentFormat) {
        let page = "<r>" + String(repeating: "<p>x</p>", count: 10_001) + "</r>"
        #expect(throws: ContentError(.tooLarge, "more than 10000 items")) {
            try decode(page, format: format, items: "//p", fields: [.title: "."])
        }
    }
}
