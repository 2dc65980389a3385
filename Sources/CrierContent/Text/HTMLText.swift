/// Reads the text out of HTML in one pass over its bytes, without a tree.
///
/// Every search that can fail remembers that it has, so that hostile input costs no more than its length.
struct HTMLText {
    private(set) var writer: TextWriter
    private(set) var hasSkippedImage = false
    var showsImages: Bool

    private var cursor: ByteCursor
    private var nextTag = NextByte(0x3C)
    private var nextReference = NextByte(0x26)
    private let keepsUnknownElements: Bool
    /// Whether a tag with quoted attributes was found to have no end: then quotes no longer count.
    private var quotesAreBroken = false
    private var hasNoMoreTagEnds = false
    /// Whether a title was found to speak of an element that is dropped, without its end: then it drops none.
    private var speaksOfDropped = false
    /// What was found to have no end, or to be spoken of: then what follows is for all readers.
    private var endless: Set<UInt128> = []
    /// The number of the next item of each open list, nil where items are not counted.
    private var lists: [Int?] = []
    /// How many `<pre>` are open.
    private var preformattedDepth = 0
    private static let listBound = 32

    init(_ bytes: UnsafeBufferPointer<UInt8>, keepsLines: Bool, keepsUnknownElements: Bool) {
        cursor = ByteCursor(bytes)
        writer = TextWriter(keepsLines: keepsLines, capacity: bytes.count)
        showsImages = keepsLines
        self.keepsUnknownElements = keepsUnknownElements
    }

    mutating func read() {
        var run = 0
        while true {
            skipPlain()
            if cursor.isAtEnd { break }
            if cursor.current == 0x26, let reference = CharacterReference.read(cursor) {
                flush(from: run)
                writer.append(reference.text)
                cursor.index += reference.length
                run = cursor.index
            } else if cursor.current == 0x3C, isMarkup {
                let start = cursor.index
                flush(from: run)
                run = markup() ? cursor.index : start
            } else {
                cursor.index += 1
            }
        }
        flush(from: run)
    }

    /// Moves to the next byte that can begin markup or a reference.
    private mutating func skipPlain() {
        let tag = nextTag.place(in: cursor.bytes, from: cursor.index)
        cursor.index = min(tag, nextReference.place(in: cursor.bytes, from: cursor.index))
    }

    private mutating func flush(from run: Int) {
        writer.append(
            cursor.bytes, from: run, to: min(cursor.index, cursor.end), breaksAtNewlines: preformattedDepth > 0)
    }

    /// `<` is markup only where a tag, a comment or a declaration can begin: `a < b` is text.
    private var isMarkup: Bool {
        switch cursor.peek(1) {
        case 0x21, 0x3F: true
        case 0x2F: cursor.peek(2).isASCIILetter
        case let byte: byte.isASCIILetter
        }
    }

    /// Reads what begins with `<`; false where it is text after all, with the cursor behind the `<`.
    private mutating func markup() -> Bool {
        switch cursor.peek(1) {
        case 0x21: return declaration()
        case 0x3F: return skipTo(tagEndFrom: cursor.index + 2)
        default: return tag()
        }
    }

    // MARK: Comments and declarations

    private mutating func declaration() -> Bool {
        if cursor.peek(2) == 0x2D, cursor.peek(3) == 0x2D {
            cursor.index = ByteText.find("-->", in: cursor.bytes, from: cursor.index + 4).map { $0 + 3 } ?? cursor.end
            return true
        }
        if isCharacterData {
            let start = cursor.index + 9
            let close = ByteText.find("]]>", in: cursor.bytes, from: start)
            writer.append(
                cursor.bytes, from: start, to: close ?? cursor.end, breaksAtNewlines: preformattedDepth > 0)
            cursor.index = close.map { $0 + 3 } ?? cursor.end
            return true
        }
        return skipTo(tagEndFrom: cursor.index + 2)
    }

    /// `<![CDATA[`, which feeds wrap once too often; what it holds is text.
    private var isCharacterData: Bool {
        guard cursor.index + 9 <= cursor.end else { return false }
        return cursor.bytes[cursor.index + 2..<cursor.index + 9].elementsEqual("[CDATA[".utf8)
    }

    // MARK: Tags

    private mutating func tag() -> Bool {
        let start = cursor.index
        let isClosing = cursor.peek(1) == 0x2F
        let nameStart = start + (isClosing ? 2 : 1)
        let element = element(at: nameStart)
        let isKept = keepsUnknownElements && (element == .unknown || element == .dropped && speaksOfDropped)
        guard let element, !isKept else {
            cursor.index = start + 1
            return false
        }
        guard skipTo(tagEndFrom: nameStart) else { return false }
        switch element {
        case .inline, .unknown: break
        case .block, .lineBreak: writer.lineBreak()
        case .cell: writer.space()
        case .preformatted:
            writer.lineBreak()
            preformattedDepth = max(0, preformattedDepth + (isClosing ? -1 : 1))
        case .listItem:
            writer.endLine()
            if !isClosing { beginListItem(number: number(in: "value", ofTagAt: nameStart)) }
        case .orderedList, .list:
            writer.endLine()
            if isClosing {
                _ = lists.popLast()
            } else if lists.count < HTMLText.listBound {
                lists.append(element == .orderedList ? number(in: "start", ofTagAt: nameStart) ?? 1 : nil)
            }
        case .image: image(from: nameStart)
        case .replaced:
            writer.part()
            if !isClosing { skipFallback(of: nameStart) }
        case .dropped:
            if isClosing || skipContent(of: nameStart) || !keepsUnknownElements { break }
            speaksOfDropped = true
            cursor.index = start + 1
            return false
        }
        return true
    }

    /// - Parameter number: what the item is counted as, where it says so.
    private mutating func beginListItem(number given: Int?) {
        if let last = lists.indices.last, let next = lists[last] {
            let number = given ?? next
            writer.mark("\(number).")
            lists[last] = number + 1
        } else {
            writer.mark("•")
        }
    }

    /// A number of an attribute of the tag that was just read; more than nine digits are none.
    private func number(in attribute: String, ofTagAt nameStart: Int) -> Int? {
        let nameEnd = nameEnd(from: nameStart)
        guard nameEnd < cursor.index - 1 else { return nil }
        var attributes = HTMLAttributes(ByteCursor(cursor.bytes, from: nameEnd, to: cursor.index - 1))
        guard let value = attributes.value(of: attribute), value.utf8.count <= 10 else { return nil }
        return Int(value.trimmingPrefix { $0.isWhitespace })
    }

    /// Where a name that begins at `start` ends.
    private func nameEnd(from start: Int) -> Int {
        var end = start
        while end < cursor.end, cursor.bytes[end].isASCIILetter || cursor.bytes[end].isASCIIDigit { end += 1 }
        return end
    }

    /// Nil where that is no tag but an address or a file between angle brackets.
    private func element(at start: Int) -> HTMLElement? {
        let end = nameEnd(from: start)
        let next = end < cursor.end ? cursor.bytes[end] : 0x3E
        let isLong = end - start > HTMLElement.longestName
        let element = isLong ? .unknown : HTMLElement.named(HTMLElement.key(cursor.bytes[start..<end]))
        if next == 0x3E || next == 0x20 { return element }
        if next == 0x2E, isFile(element, from: start, dot: end) { return nil }
        if isAddress(from: end, orFile: element == .unknown) { return nil }
        // `o:p` and `my-button` are no elements of HTML, and still no text.
        return next == 0x3A || next == 0x2D ? .inline : element
    }

    /// Whether it is the name of a file that begins as an element's does: `<time.h>`, `<script.js>`. A slip such as `<br.>` is none.
    private func isFile(_ element: HTMLElement, from start: Int, dot: Int) -> Bool {
        // What follows would not be read.
        if element == .dropped || element == .replaced { return true }
        let end = nameEnd(from: dot + 1)
        guard end < cursor.end, cursor.bytes[end] == 0x3E else { return false }
        return (1...5).contains(end - dot - 1) && (dot - start > 2 || element == .inline)
    }

    /// Whether a name goes on as that of no element does: `<joe@example.org>`, `<https://example.org>`.
    ///
    /// - Parameter orFile: Whether it may be that of a file, too: `<stdio.h>`, `<sys/stat.h>`.
    private func isAddress(from end: Int, orFile mayBeFile: Bool) -> Bool {
        var (index, isFile) = (end, false)
        while index < cursor.end {
            switch cursor.bytes[index] {
            case 0x40: return true
            case 0x2E: isFile = mayBeFile
            case 0x2F:
                let isScheme = index > end && cursor.bytes[index - 1] == 0x3A
                if isScheme, index + 1 < cursor.end, cursor.bytes[index + 1] == 0x2F { return true }
                if !mayBeFile { return false }
            case 0x3E: return isFile
            case 0...0x20, 0x22, 0x27, 0x3C, 0x3D: return false
            default: break
            }
            index += 1
        }
        return false
    }

    /// Moves behind the `>` that ends a tag; where there is none the `<` is text.
    private mutating func skipTo(tagEndFrom start: Int) -> Bool {
        let open = cursor.index
        if !hasNoMoreTagEnds, let end = tagEnd(from: start) {
            cursor.index = end + 1
            return true
        }
        hasNoMoreTagEnds = true
        cursor.index = open + 1
        return false
    }

    private mutating func tagEnd(from start: Int) -> Int? {
        if !quotesAreBroken {
            if let end = quotedTagEnd(from: start) { return end }
            quotesAreBroken = true
        }
        return cursor.bytes[start..<cursor.end].firstIndex(of: 0x3E)
    }

    /// The `>` outside quoted attribute values; a quote opens a value only after `=`.
    private func quotedTagEnd(from start: Int) -> Int? {
        var quote: UInt8 = 0
        var previous: UInt8 = 0
        for index in start..<cursor.end {
            let byte = cursor.bytes[index]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == 0x3E {
                return index
            } else if previous == 0x3D, byte == 0x22 || byte == 0x27 {
                quote = byte
            }
            if !byte.isASCIISpace { previous = byte }
        }
        return nil
    }

    /// Moves to the closing tag of an element whose content is no text; false where there is none, at the end.
    private mutating func skipContent(of nameStart: Int) -> Bool {
        let name = cursor.bytes[nameStart..<nameEnd(from: nameStart)].map(\.asciiLowercased)
        while !cursor.isAtEnd {
            if cursor.current == 0x3C, cursor.peek(1) == 0x2F, hasName(name, at: cursor.index + 2) { return true }
            cursor.index += 1
        }
        return false
    }

    /// Moves to the end of an element that stands for something that is no text, unless it has none, as in XHTML (`<iframe/>`).
    ///
    /// Whoever speaks of such an element, as in a title, wants what stands between two of its names to be read.
    private mutating func skipFallback(of nameStart: Int) {
        let nameEnd = nameEnd(from: nameStart)
        let key = HTMLElement.key(cursor.bytes[nameStart..<nameEnd])
        if keepsUnknownElements || endless.contains(key) || isEmptyElement(from: nameEnd) { return }
        let start = cursor.index
        let name = cursor.bytes[nameStart..<nameEnd].map(\.asciiLowercased)
        // Objects stand in one another, each for those who cannot show the one around it.
        let isNested = name.elementsEqual("object".utf8)
        if skipContent(of: nameStart), isNested || !hasStart(of: name, from: start) { return }
        endless.insert(key)
        cursor.index = start
    }

    /// Whether the tag that was just read ends with `/>`, which may also be the end of an address without quotes.
    private func isEmptyElement(from nameEnd: Int) -> Bool {
        let slash = cursor.index - 2
        guard slash >= nameEnd, cursor.bytes[slash] == 0x2F else { return false }
        let before = cursor.bytes[slash - 1]
        return slash == nameEnd || before.isASCIISpace || before == 0x22 || before == 0x27
    }

    /// Whether an element of a name begins between a place and the cursor.
    private func hasStart(of name: [UInt8], from start: Int) -> Bool {
        (start..<cursor.index).contains { cursor.bytes[$0] == 0x3C && hasName(name, at: $0 + 1) }
    }

    /// Whether the name that begins at `start` is this one.
    private func hasName(_ name: [UInt8], at start: Int) -> Bool {
        guard start + name.count <= cursor.end else { return false }
        // `</scriptx>` closes no `<script>`.
        let isLonger = nameEnd(from: start) > start + name.count
        return !isLonger && zip(name, cursor.bytes[start..<start + name.count]).allSatisfy { $0 == $1.asciiLowercased }
    }

    private mutating func image(from start: Int) {
        guard showsImages else {
            hasSkippedImage = true
            return
        }
        var attributes = HTMLAttributes(ByteCursor(cursor.bytes, from: start + 3, to: cursor.index - 1))
        guard let alternative = attributes.value(of: "alt") else { return }
        let text = PlainText.decodingReferences(alternative)
        // A smiley may belong to the word beside it, a picture does not.
        let isPicture = text.contains { $0.isLetter || $0.isNumber }
        if isPicture { writer.part() }
        writer.append(text)
        if isPicture { writer.part() }
    }
}
