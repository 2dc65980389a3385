/// In which encoding a document is, and the document as UTF-8.
///
/// As in browsers a byte order mark goes before the charset of the `Content-Type`, and that before the XML declaration;
/// what says nothing is UTF-8 (RFC 7303 section 3.2, https://encoding.spec.whatwg.org/#decode). Unlike in browsers the
/// charset of the server gives way where the bytes are none of it and the declaration's encoding fits them, and both, where they are of
/// single bytes, to UTF-8: many feeds are served with a default that nobody chose.
struct TextEncoding: Equatable {
    /// As iconv knows it; nil is UTF-8.
    let name: String?
    /// The length of the byte order mark.
    let markLength: Int

    /// The document from after its mark: its own bytes where it is UTF-8 already (valid or not), else converted.
    static func utf8(_ document: ContentDocument) -> ArraySlice<UInt8> {
        if let certain = TextEncoding(bytesOf: document.body) {
            return text(document.body[certain.markLength...], in: certain.name)
        }
        // JSON is UTF-8, whatever its server says (RFC 8259 section 8.1).
        if isJSON(document.body), UTF8Repair.isValid(document.body[...]) { return document.body[...] }
        // Without a declaration the document says that it is UTF-8.
        return utf8(document, declared: declaration(document.body).map { encodingName($0, of: document.body) } ?? nil)
    }

    /// The same of an HTML page, which may name its encoding in a `<meta>`.
    static func utf8(page document: ContentDocument) -> ArraySlice<UInt8> {
        if TextEncoding(bytesOf: document.body) != nil { return utf8(document) }
        let label = declaration(document.body) ?? PageCharset.find(in: document.body)
        return utf8(document, declared: label.map { encodingName($0, of: document.body) } ?? nil)
    }

    private static func utf8(_ document: ContentDocument, declared: String?) -> ArraySlice<UInt8> {
        let body = document.body[...]
        let served = document.contentType.flatMap(charset(contentType:)).map { encodingName($0, of: document.body) }
        guard let served, served != declared else { return text(body, in: declared) }
        guard let first = reading(body, as: served) else { return text(body, in: declared) }
        if !first.isFaultless, let second = reading(body, as: declared), second.isFaultless { return second.text }
        return first.text
    }

    private static func text(_ body: ArraySlice<UInt8>, in name: String?) -> ArraySlice<UInt8> {
        name.flatMap { CharacterConversion.utf8(body, from: $0) }.map { $0[...] } ?? body
    }

    /// nil where iconv does not know the encoding.
    private static func reading(_ body: ArraySlice<UInt8>, as name: String?) -> (
        text: ArraySlice<UInt8>, isFaultless: Bool
    )? {
        guard let name else { return (body, UTF8Repair.isValid(body)) }
        return CharacterConversion.converted(body, from: name).map { ($0.text[...], $0.errors == 0) }
    }

    /// nil is UTF-8. So it is where the name is that of an encoding in which ASCII is not as it is, such as UTF-16 or
    /// EBCDIC: one of those would have shown itself in the first bytes. And so it is where an encoding of single bytes is named, and what
    /// is beyond ASCII is UTF-8, which such text never is: the name is that of a template, or of a server's default.
    private static func encodingName(_ label: String, of body: [UInt8]) -> String? {
        guard let name = CharacterSetName.iconv(label) else { return nil }
        if UTF8Repair.isMostlyWide(body[...]), isOfSingleBytes(name) { return nil }
        let sample = Array("<?xml a=\"b+c-d\"?>{".utf8)
        guard let read = CharacterConversion.utf8(sample[...], from: name) else { return name }
        return read == sample ? name : nil
    }

    /// By two bytes that are one character in each encoding that has any of two. Some Chinese words are valid UTF-8 by chance.
    private static func isOfSingleBytes(_ name: String) -> Bool {
        let text = CharacterConversion.converted([0xE9, 0xE9], from: name)
        return text.map { $0.errors == 0 && String(decoding: $0.text, as: UTF8.self).unicodeScalars.count == 2 }
            ?? false
    }

    private static func isJSON(_ body: [UInt8]) -> Bool {
        let first = body.first { !$0.isASCIISpace }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// What the first bytes say; nil where they say nothing.
    private init?(bytesOf body: [UInt8]) {
        let start = body.prefix(4)
        if let marked = TextEncoding.marks.first(where: { start.starts(with: $0.bytes) }) {
            self.init(name: marked.name, markLength: marked.bytes.count)
        } else if let shaped = TextEncoding.shapes.first(where: { start.starts(with: $0.bytes) }) {
            self.init(name: shaped.name, markLength: 0)
        } else {
            return nil
        }
    }

    private init(name: String?, markLength: Int) {
        self.name = name
        self.markLength = markLength
    }

    private static let marks: [(bytes: [UInt8], name: String?)] = [
        ([0xEF, 0xBB, 0xBF], nil),
        ([0xFF, 0xFE, 0, 0], "UTF-32LE"), ([0, 0, 0xFE, 0xFF], "UTF-32BE"),
        ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
    ]

    /// How `<`, `{`, `[` and white space begin in encodings wider than a byte (XML appendix F, RFC 4627 section 3); `<?xm` in EBCDIC.
    private static let shapes: [(bytes: [UInt8], name: String)] =
        "<{[ \t\r\n".utf8.flatMap { [([$0, 0, 0, 0], "UTF-32LE"), ([0, 0, 0, $0], "UTF-32BE")] }
        + "<{[ \t\r\n".utf8.flatMap { [([$0, 0], "UTF-16LE"), ([0, $0], "UTF-16BE")] } + [
            ([0x4C, 0x6F, 0xA7, 0x94], "IBM037")
        ]

    /// The `charset` parameter of a `Content-Type` (RFC 9110 section 8.3.2).
    static func charset(contentType: String) -> String? {
        for parameter in contentType.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }).lowercased() == "charset" else { continue }
            let name = parts[1].filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
            return name.isEmpty ? nil : name
        }
        return nil
    }

    /// The `encoding` of an XML declaration, wherever in the first bytes it stands.
    private static func declaration(_ body: [UInt8]) -> String? {
        body.withUnsafeBufferPointer { body in
            let start = UnsafeBufferPointer(rebasing: body.prefix(1024))
            guard let open = ByteText.find("<?xml", in: start), let end = ByteText.find("?>", in: start, from: open),
                let label = (open..<end).first(where: { ByteText.has("encoding", in: start, at: $0) })
            else { return nil }
            let rest = start[min(label + 8, end)..<end].drop { $0.isASCIISpace || $0 == UInt8(ascii: "=") }
            guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
            return String(utf8: rest.dropFirst().prefix { $0 != quote })
        }
    }
}
