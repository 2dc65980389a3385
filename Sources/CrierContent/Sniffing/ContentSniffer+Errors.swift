/// Why a document that is no feed cannot be read, in a sentence for the user.
extension ContentSniffer {
    /// - Parameter bytes: the document in UTF-8.
    static func error(for kind: Kind, _ bytes: UnsafeBufferPointer<UInt8>) -> ContentError {
        ContentError(.notAFeed, sentence(for: kind, bytes))
    }

    private static func sentence(for kind: Kind, _ bytes: UnsafeBufferPointer<UInt8>) -> String {
        switch kind {
        case .empty: "the document is empty where a feed was expected"
        case .html:
            "an HTML page where a feed was expected\(titled(bytes)); `crier add URL` looks for the feeds that a page names"
        case .json: "JSON, but no JSON Feed; `format: json` with `items` and `fields` reads it"
        case .xml(let root):
            "XML with the root <\(root)>, neither RSS nor Atom nor RDF; `format: xml` with `items` and `fields` reads it"
        case .binary(let name): "\(name) where a feed was expected"
        case .text, .feed: "text without any markup where a feed was expected"
        }
    }

    private static func titled(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard let open = ByteText.find("<title", in: bytes), let start = bytes[open...].firstIndex(of: UInt8(ascii: ">")),
            let end = ByteText.find("</title", in: bytes, from: start)
        else { return "" }
        let title = PlainText.line(html: String(decoding: bytes[(start + 1)..<end].prefix(1000), as: UTF8.self))
        return title.isEmpty ? "" : ", titled “\(title.prefix(100))”"
    }
}
