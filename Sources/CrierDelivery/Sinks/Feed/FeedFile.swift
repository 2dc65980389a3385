import CrierNotifications

/// An Atom feed as ``FeedSink`` writes it: each entry a block of lines that begins with its id, so that it can be taken
/// over without being read.
struct FeedFile {
    /// Newest first.
    private(set) var entries: [FeedEntry] = []

    private static let mark = "<!-- written by crier -->"
    private static let opening = "<entry>"
    private static let closing = "</entry>"

    init() {}

    /// Nil for a text that is not of ours, or in which not every entry stands in lines as ours do.
    init?(_ text: String) {
        guard text.contains(Self.mark) else { return nil }
        // Earlier versions wrote what no reader of the feed gets past.
        let known =
            text.unicodeScalars.contains(where: HarmlessText.isUnknownToXML)
            ? String(String.UnicodeScalarView(text.unicodeScalars.filter { !HarmlessText.isUnknownToXML($0) })) : text
        // To search a string of megabytes takes most of a second.
        let bytes = Array(known.utf8)
        var start: Int?
        var count = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            // An editor may have indented it, or ended its lines otherwise.
            let words = line.drop(while: Self.isBlank)
            guard words.first == UInt8(ascii: "<") else { continue }
            if words.starts(with: "<entry".utf8) { count += 1 }
            let tag = words.prefix { !Self.isBlank($0) }
            if let begin = start, tag.elementsEqual(Self.closing.utf8) {
                entries.append(FeedEntry(lines: String(decoding: bytes[begin..<line.startIndex], as: UTF8.self)))
                start = nil
            } else if start == nil, tag.elementsEqual(Self.opening.utf8) {
                start = line.endIndex + 1
            }
        }
        guard count == entries.count else { return nil }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }

    /// Puts entries first, the last of them before all, each in the place of an earlier one of the same id.
    mutating func add(_ new: [FeedEntry], limit: Int) {
        var ids: Set<Substring> = []
        entries = Array((new.reversed() + entries).filter { ids.insert($0.id).inserted }.prefix(limit))
    }

    /// The feed is as new as its newest entry, which may have come before one that had waited (RFC 4287 §4.2.15).
    func bytes(title: String, path: String) -> [UInt8] {
        var text = """
            <?xml version="1.0" encoding="utf-8"?>
            \(Self.mark)
            <feed xmlns="http://www.w3.org/2005/Atom">
            <id>\(FeedEntry.name(of: "feed:" + path))</id>
            <title>\(Escaping.html.escape(title, keepsLines: false))</title>
            \(entries.compactMap(\.updated).max() ?? "")
            <generator>Crier</generator>

            """
        for entry in entries { text += "\(Self.opening)\n\(entry.lines)\(Self.closing)\n" }
        return Array((text + "</feed>\n").utf8)
    }
}

/// One `<entry>` without its own tags.
struct FeedEntry {
    let lines: String
    /// The first line.
    let id: Substring
    /// The line of its date; in the order of these lines are their dates.
    let updated: Substring?

    init(lines: String) {
        self.lines = lines
        let head = lines.utf8.split(separator: UInt8(ascii: "\n"), maxSplits: 3)
        id = head.first.map { Substring($0) } ?? ""
        updated = head.first { $0.starts(with: "<updated>".utf8) }.map { Substring($0) }
    }

    init(_ attempt: DeliveryAttempt, _ looks: DigestLooks) {
        let content = attempt.request.content
        let parts = MessageParts(content)
        let escape = { Escaping.html.escape($0) }
        // A feed has at least an author for each entry (RFC 4287 §4.1.2).
        let source = HarmlessText.line(content.threadIdentifier)
        var lines = [
            "<id>\(Self.name(of: attempt.request.identifier))</id>",
            "<title>\(escape(HarmlessText.cut(parts.title, to: 500)))</title>",
            "<updated>\(attempt.created.ISO8601Format())</updated>",
            "<author><name>\(escape(source.isEmpty ? "Crier" : source))</name></author>",
        ]
        if let link = parts.link { lines.append("<link href=\"\(escape(link))\"/>") }
        for attachment in content.attachments.prefix(10) {
            guard let url = WebLink.safe(attachment.url) else { continue }
            // A reader may take no feed with another one (RFC 4287 §2, atomMediaType).
            let kind = attachment.type.map(HarmlessText.line).flatMap { $0.contains(/.\/./) ? $0 : nil }
            let type = kind.map { " type=\"\(escape($0))\"" } ?? ""
            lines.append("<link rel=\"enclosure\" href=\"\(escape(url))\"\(type)/>")
        }
        let text = escape(HarmlessText.cut(parts.text, to: 5_000))
        // In a feed a digest is read as a whole (RFC 4287 §4.1.3). What leads nowhere has a content (§4.1.2).
        if let page = DigestPage(content) {
            if !text.isEmpty { lines.append("<summary>\(text)</summary>") }
            lines.append("<content type=\"html\">\(escape(looks.fragment(of: page)))</content>")
        } else if parts.link == nil {
            lines.append("<content>\(text.isEmpty ? escape(HarmlessText.cut(parts.title, to: 500)) : text)</content>")
        } else if !text.isEmpty {
            lines.append("<summary>\(text)</summary>")
        }
        self.init(lines: lines.map { $0 + "\n" }.joined())
    }

    /// An identifier as a URN (RFC 9562, version 8: a hash).
    static func name(of identifier: String) -> String {
        var digits = Array(IdentifierToken.token(of: identifier).prefix(32))
        digits[12] = "8"
        digits[16] = "a"
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
        return "urn:uuid:" + parts.joined(separator: "-")
    }
}
