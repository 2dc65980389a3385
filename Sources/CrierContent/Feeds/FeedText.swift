import struct Foundation.Data

/// How the text of an element is to be read.
enum TextKind: UInt8, Sendable {
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
        return atom(type: String(utf8: ByteText.trimmed(type)).lowercased(), mode, isContent)
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
struct FeedText: Sendable {
    /// UTF-8.
    let value: [UInt8]
    let kind: TextKind

    init(_ text: some Sequence<UInt8>, kind: TextKind) {
        value = Array(text)
        self.kind = kind
    }

    /// With its line breaks; nil where nothing is to be seen.
    func text(limit: Int) -> String? {
        value.withUnsafeBufferPointer { kind.text(of: $0, limit: limit) }
    }
}

/// Texts are equal where readers see the same.
extension FeedText: Hashable {
    static func == (one: FeedText, other: FeedText) -> Bool {
        one.kind == other.kind && one.value == other.value || one.text(limit: .max) == other.text(limit: .max)
    }

    /// By what readers see, which is made for it.
    func hash(into hasher: inout Hasher) { hasher.combine(text(limit: .max)) }
}

extension TextKind {
    /// On one line; nil where nothing is to be seen.
    func line(of bytes: UnsafeBufferPointer<UInt8>, limit: Int = ContentBounds.title) -> String? {
        let line =
            switch self {
            case .plain: PlainText.line(text: String(utf8: bytes))
            case .base64, .base64HTML:
                decoded(bytes) { bytes, kind in kind.line(of: bytes, limit: limit) } ?? ""
            default: PlainText.read(html: bytes, keepsLines: false, keepsUnknownElements: self == .either)
            }
        return ContentBounds.text(line, to: limit)
    }

    /// With its line breaks; nil where nothing is to be seen.
    func text(of bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> String? {
        let text =
            switch self {
            case .plain: PlainText.text(text: String(utf8: bytes))
            case .base64, .base64HTML:
                decoded(bytes) { bytes, kind in kind.text(of: bytes, limit: limit) } ?? ""
            default: PlainText.read(html: bytes, keepsLines: true, keepsUnknownElements: false)
            }
        return ContentBounds.text(text, to: limit)
    }

    private func decoded(
        _ bytes: UnsafeBufferPointer<UInt8>, _ read: (UnsafeBufferPointer<UInt8>, TextKind) -> String?
    ) -> String? {
        guard let data = Data(base64Encoded: Data(bytes), options: .ignoreUnknownCharacters) else { return nil }
        return [UInt8](data).withUnsafeBufferPointer { read($0, self == .base64 ? .plain : .html) }
    }
}
