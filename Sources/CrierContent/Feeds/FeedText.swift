/// How the text of an element is to be read.
enum TextKind: UInt8 {
    case plain
    /// Markup that was escaped, or stands there unescaped, or none: RSS says nothing, so it is read as markup.
    case html
    /// Markup that is part of the document; what is escaped in it is text.
    case xhtml
    /// HTML in base64, as Atom 0.3 allows.
    case base64
    /// A person: text, or a name and an email address inside.
    case person
    /// Nothing to keep: binary, or less than what is known already.
    case ignored

    /// RFC 4287 section 3.1.1 and 4.1.3; Atom 0.3 says the same with media types and `mode`.
    static func atom(_ attributes: XMLAttributes, isContent: Bool) -> TextKind {
        guard !attributes.isEmpty else { return .plain }
        let mode = attributes.string("mode")?.lowercased()
        if mode == "base64" { return .base64 }
        guard let type = attributes.bytes("type") else { return .plain }
        if mode == nil, ByteText.equalIgnoringCase(type, "html") { return .html }
        return atom(type: String(decoding: ByteText.trimmed(type), as: UTF8.self).lowercased(), mode, isContent)
    }

    private static func atom(type: String, _ mode: String?, _ isContent: Bool) -> TextKind {
        switch type {
        case "html", "text/html": return mode == "xml" ? .xhtml : .html
        case "xhtml", "application/xhtml+xml", "application/xhtml": return .xhtml
        default:
            if type.hasSuffix("xml") { return .xhtml }
            return isContent && type.contains("/") && !type.hasPrefix("text/") ? .ignored : .plain
        }
    }
}

/// A text of a feed, not yet plain.
struct FeedText {
    var value: String
    var isMarkup: Bool

    init(_ bytes: UnsafeBufferPointer<UInt8>, isMarkup: Bool) {
        value = String(decoding: bytes, as: UTF8.self)
        self.isMarkup = isMarkup
    }

    /// On one line; nil where nothing is to be seen.
    var line: String? {
        let line = isMarkup ? PlainText.line(html: value) : PlainText.line(text: value)
        return line.isEmpty ? nil : line
    }

    /// With its line breaks; nil where nothing is to be seen.
    var text: String? {
        let text = isMarkup ? PlainText.text(html: value) : value
        return text.isEmpty ? nil : text
    }
}
