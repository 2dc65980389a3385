/// Tells what a document is by its content; what a server calls it is often wrong.
enum ContentSniffer {
    enum Kind: Equatable {
        case empty
        /// RSS, Atom or RDF.
        case feed
        case json
        case html
        case xml(root: String)
        /// What it is, as in "a PNG image".
        case binary(String)
        case text
    }

    /// - Parameter bytes: UTF-8 or something near it.
    static func kind(_ bytes: UnsafeBufferPointer<UInt8>) -> Kind {
        if let magic = magics.first(where: { bytes.starts(with: $0.bytes) }) { return .binary(magic.name) }
        guard let first = bytes.firstIndex(where: { !$0.isASCIISpace && $0 != 0 }) else { return .empty }
        switch bytes[first] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
        default: break
        }
        if let root = firstTag(bytes, from: first) {
            if root == "html" || root == "head" || root == "body" { return isBeforeFeed(bytes) ? .feed : .html }
            if isFeed(root) || isItem(root) || feedRoot(bytes) != nil { return .feed }
            return isHTMLByItsType(bytes) ? .html : .xml(root: root)
        }
        return feedRoot(bytes) != nil ? .feed : .text
    }

    /// Whether a feed follows a page, as where a proxy puts one before what it hands on.
    private static func isBeforeFeed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let end = ByteText.find("</html", in: bytes), end < junkBound else { return false }
        return feedRoot(bytes, from: end) != nil
    }

    private static func isItem(_ name: String) -> Bool { name == "item" || name == "entry" }

    /// Whether a text begins with an item's start tag.
    static func beginsItem(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        var index = start
        while index < bytes.count, bytes[index].isASCIISpace { index += 1 }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "<") else { return false }
        return localName(bytes, at: index + 1).map(isItem) ?? false
    }

    /// Where the items of a document begin that has no root.
    static func bareItems(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var from = 0
        while let index = ByteText.index(of: UInt8(ascii: "<"), in: bytes, from: from), index < junkBound {
            if let name = localName(bytes, at: index + 1) { return isItem(name) ? index : nil }
            from = index + 1
        }
        return nil
    }

    /// HTML may leave out all of `html`, `head` and `body`.
    private static func isHTMLByItsType(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        ByteText.find("<!doctype html", in: UnsafeBufferPointer(rebasing: bytes.prefix(1024))) != nil
    }

    /// How far junk before a feed may reach.
    private static let junkBound = 256 * 1024

    /// Where the first start tag is, outside comments, that could be a feed's root.
    static func feedRoot(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        var from = start
        // A comment without end is none, nor is any after it.
        var isInLastComment = false
        while let index = ByteText.index(of: UInt8(ascii: "<"), in: bytes, from: from), index < junkBound {
            if let name = localName(bytes, at: index + 1), isFeed(name) { return index }
            from = index + 1
            if !isInLastComment, ByteText.has("<!--", in: bytes, at: index) {
                let end = ByteText.find("-->", in: bytes, from: index + 4)
                isInLastComment = end == nil
                from = end ?? from
            }
        }
        return nil
    }

    /// Whether an element's name is that of a feed or a channel.
    static func isFeed(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        localName(bytes, at: start).map(isFeed) ?? false
    }

    private static func isFeed(_ name: String) -> Bool {
        name == "rss" || name == "feed" || name == "rdf" || name == "channel"
    }

    /// The first start tag's local name, in lower case, after instructions, comments and a document type.
    private static func firstTag(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> String? {
        var index = start
        while index + 1 < bytes.count {
            guard bytes[index] == UInt8(ascii: "<") else {
                index += 1
                continue
            }
            if bytes[index + 1] == UInt8(ascii: "!"), bytes[(index + 2)...].starts(with: "--".utf8) {
                index = ByteText.find("-->", in: bytes, from: index + 4).map { $0 + 3 } ?? bytes.count
            } else if bytes[index + 1] == UInt8(ascii: "?") {
                index = ByteText.find("?>", in: bytes, from: index + 2).map { $0 + 2 } ?? bytes.count
            } else if let name = localName(bytes, at: index + 1) {
                return name
            } else {
                index += 1
            }
        }
        return nil
    }

    private static func localName(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> String? {
        var name: [UInt8] = []
        var index = start
        while index < bytes.count, index - start < 64 {
            let byte = bytes[index]
            if byte == UInt8(ascii: ":") {
                name.removeAll()
            } else if byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") {
                name.append(byte | 0x20)
            } else if !name.isEmpty,
                byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            {
                name.append(byte)
            } else {
                break
            }
            index += 1
        }
        return name.isEmpty ? nil : String(utf8: name)
    }

    private static let magics: [(bytes: [UInt8], name: String)] = [
        ([0x89, 0x50, 0x4E, 0x47], "a PNG image"), ([0xFF, 0xD8, 0xFF], "a JPEG image"),
        (Array("GIF8".utf8), "a GIF image"), (Array("RIFF".utf8), "a RIFF file (image, sound or video)"),
        (Array("%PDF-".utf8), "a PDF document"), ([0x1F, 0x8B], "gzip-compressed data"),
        ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd-compressed data"),
        ([0x00, 0x00, 0x01, 0x00], "an icon"), (Array("OggS".utf8), "an Ogg file"), (Array("ID3".utf8), "an MP3 file"),
        ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    ]
}
