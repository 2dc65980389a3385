/// Text as a reader sees it, for places that show no markup.
///
/// Every form collapses white space (a no-break space is one), drops control characters, and is linear in its input
/// whatever that holds.
public enum PlainText {
    /// One line from HTML: markup removed, character references decoded once.
    ///
    /// - Parameter limit: the most characters, see ``cut(_:to:)``; nil is no limit.
    public static func line(html: String, limit: Int? = nil) -> String {
        let line = read(html: html, keepsLines: false)
        return limit.map { cut(line, to: $0) } ?? line
    }

    /// One line from plain text.
    public static func line(text: String, limit: Int? = nil) -> String {
        let line = read(text: text, keepsLines: false)
        return limit.map { cut(line, to: $0) } ?? line
    }

    /// Text with its line breaks from HTML: blocks and `<br>` break lines, `<pre>` keeps its lines (not its indentation
    /// nor its empty lines), list items begin with a bullet or with their number, images are their alternative text.
    ///
    /// A link is its text alone, and nothing where it has none: an address within a text says little, and the
    /// notification has the item's own.
    public static func text(html: String) -> String { read(html: html, keepsLines: true) }

    /// Text with its line breaks from plain text.
    public static func text(text: String) -> String { read(text: text, keepsLines: true) }

    /// Character references decoded once, and nothing else changed.
    static func decodingReferences(_ text: String) -> String {
        withUTF8(of: text) { bytes in
            guard var mark = ByteText.index(of: 0x26, in: bytes, from: 0) else { return text }
            var output: [UInt8] = []
            output.reserveCapacity(bytes.count)
            // Behind the last reference.
            var start = 0
            while let place = ByteText.index(of: 0x26, in: bytes, from: mark) {
                mark = place + 1
                let cursor = ByteCursor(bytes, from: place, to: bytes.count)
                guard let reference = CharacterReference.read(cursor) else { continue }
                output += bytes[start..<place]
                output += reference.text.utf8
                start = place + reference.length
                mark = start
            }
            output += bytes[start...]
            return output.withUnsafeBufferPointer { String(utf8: $0) }
        }
    }

    /// At most `limit` characters, the last of them `…` where something is cut off; between words where one ends in the
    /// second half, never within a character.
    public static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        guard limit > 0 else { return "" }
        guard let earliest = index(in: text, from: text.startIndex, offsetBy: limit / 2),
            let last = index(in: text, from: earliest, offsetBy: limit - limit / 2 - 1), last < text.endIndex,
            text.index(after: last) < text.endIndex
        else { return text }
        // Scalars, not characters, from here on: what a character is can depend on all that stands before it.
        var head = text[..<last].unicodeScalars
        if !text.unicodeScalars[head.endIndex].properties.isWhitespace,
            let gap = head[earliest...].lastIndex(where: \.properties.isWhitespace)
        {
            head = head[..<gap]
        }
        while let last = head.last, last.properties.isWhitespace { head.removeLast() }
        return String(head) + "…"
    }

    /// So many characters further; nil where there are not as many.
    private static func index(in text: String, from start: String.Index, offsetBy count: Int) -> String.Index? {
        // Letters of ASCII are a character each, up to the last, which what follows may belong to.
        let isPlain = text.utf8[start...].withContiguousStorageIfAvailable { rest in
            count < rest.count && rest[...count].allSatisfy { $0 < 0x80 && $0 != 0x0D }
        }
        return isPlain == true
            ? text.utf8.index(start, offsetBy: count) : text.index(start, offsetBy: count, limitedBy: text.endIndex)
    }

    private static func read(html: String, keepsLines: Bool) -> String {
        if withUTF8(of: html, isPlain) { return html }
        return withUTF8(of: html) { read(html: $0, keepsLines: keepsLines, keepsUnknownElements: false) }
    }

    /// Whether HTML is as the text that it makes.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        ByteWord.next(0x3C, or: 0x26, in: bytes, from: 0, to: bytes.count) == bytes.count && TextWriter.isClean(bytes)
    }

    /// - Parameter keepsUnknownElements: Whether only elements that HTML has are removed, so that `vector<int>` stays, as of a title that
    ///   may or may not be HTML.
    static func read(html bytes: UnsafeBufferPointer<UInt8>, keepsLines: Bool, keepsUnknownElements: Bool) -> String {
        if isPlain(bytes) { return String(utf8: bytes) }
        var reader = HTMLText(bytes, keepsLines: keepsLines, keepsUnknownElements: keepsUnknownElements)
        reader.read()
        if reader.writer.isEmpty, reader.hasSkippedImage {
            // A title that is nothing but an image is best told by its alternative text.
            reader = HTMLText(bytes, keepsLines: keepsLines, keepsUnknownElements: keepsUnknownElements)
            reader.showsImages = true
            reader.read()
        }
        return reader.writer.string
    }

    private static func read(text: String, keepsLines: Bool) -> String {
        if withUTF8(of: text, TextWriter.isClean) { return text }
        return withUTF8(of: text) { bytes in
            var writer = TextWriter(keepsLines: keepsLines, capacity: bytes.count)
            writer.append(bytes, breaksAtNewlines: true)
            return writer.string
        }
    }
}
