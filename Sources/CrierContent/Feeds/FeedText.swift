/// How the text of an element is to be read.
enum TextKind: UInt8 {
    case plain
    /// RSS says nothing: text, or markup that was escaped or stands there unescaped.
    case either
    /// Markup that was escaped, or stands there unescaped.
    case html
    /// Markup that is part of the document; what is escaped in it is text.
    case xhtml
    /// Text or HTML in base64, as Atom 0.3 allows.
    case base64, base64HTML
    /// A person: text, or a name and an email address inside.
    case person
    /// Nothing to keep: binary, or less than what is known already.
    case ignored

    /// RFC 4287 section 3.1.1 and 4.1.3; Atom 0.3 says the same with media types and `mode`.
    static func atom(_ attributes: XMLAttributes, isContent: Bool) -> TextKind {
        guard !attributes.isEmpty else { return .plain }
        let mode = attributes.string("mode")?.lowercased()
        guard let type = attributes.bytes("type") else { return mode == "base64" ? .base64 : .plain }
        if mode == nil, ByteText.equalIgnoringCase(type, "html") { return .html }
        return atom(type: String(decoding: ByteText.trimmed(type), as: UTF8.self).lowercased(), mode, isContent)
    }

    private static func atom(type: String, _ mode: String?, _ isContent: Bool) -> TextKind {
        switch type {
        case "html", "text/html": return mode == "base64" ? .base64HTML : mode == "xml" ? .xhtml : .html
        case "text", "text/plain": return mode == "base64" ? .base64 : .plain
        case "xhtml", "application/xhtml+xml", "application/xhtml": return .xhtml
        default:
            if type.hasSuffix("xml") { return .xhtml }
            return isContent && type.contains("/") && !type.hasPrefix("text/") ? .ignored : .plain
        }
    }
}

/// A text of a feed, not yet plain.
struct FeedText {
    let value: String
    let kind: TextKind

    /// On one line; nil where nothing is to be seen.
    func line(limit: Int = ContentBounds.title) -> String? {
        let line =
            switch kind {
            case .plain: PlainText.line(text: value)
            case .either: PlainText.title(value)
            default: PlainText.line(html: value)
            }
        return ContentBounds.text(line, to: limit)
    }

    /// With its line breaks; nil where nothing is to be seen.
    func text(limit: Int) -> String? {
        let text = kind == .plain ? PlainText.text(text: value) : PlainText.text(html: value)
        return ContentBounds.text(text, to: limit)
    }
}
