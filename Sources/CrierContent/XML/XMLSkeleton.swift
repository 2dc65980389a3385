/// A document as libxml2 is given it: piece by piece, since from memory it would first be copied as a whole, and without
/// its long texts.
///
/// libxml2 2.9 takes some forty instructions for each byte of a CDATA section and of a text that is not all ASCII, and
/// hundreds for a reference. A text that holds no more than characters that stand for themselves and ``XMLReference`` needs
/// no parser: an empty processing instruction takes its place, and when libxml2 tells that, the listener is told the text.
/// That saves some two fifths of the time of reading a feed.
///
/// What is text is told apart as in a well-formed document; in any other libxml2 still meets the first error.
struct XMLSkeleton {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var takesTexts: Bool
    private let isWeighed: Bool
    /// That of what libxml2 is given. Where it would be excessive, the document ends before.
    private(set) var burden = XMLBurden()
    /// Up to where the document is divided.
    private var divided = 0
    /// What libxml2 is given next, and whether a text is behind it.
    private var piece = UnsafeRawBufferPointer(start: nil, count: 0)
    private var isBeforeText = false
    /// One for each instruction that libxml2 has not told yet, nil for the document's own.
    private var texts: [XMLText?] = []
    private var toldTexts = 0
    /// Where the bytes stand that end a text or divide it.
    private var nextTag = NextByte(UInt8(ascii: "<"))
    private var nextReference = NextByte(UInt8(ascii: "&"))
    private var nextReturn = NextByte(0x0D)
    private var nextBracket = NextByte(UInt8(ascii: "]"))

    private static let instruction: StaticString = "<?t?>"
    /// Bytes below which the instruction costs as much as the text: of one that is all ASCII without references, and of any
    /// other.
    private static let shortText = 96
    private static let shortCostlyText = 16

    /// - Parameters:
    ///   - takesTexts: whether somebody asks for ``nextText()``.
    ///   - isWeighed: whether the document may be made to waste time.
    init(_ bytes: UnsafeBufferPointer<UInt8>, takesTexts: Bool, isWeighed: Bool) {
        self.bytes = bytes
        // Characters that XML forbids are for libxml2 to find.
        self.takesTexts = takesTexts && XMLCharacters.areAllowed(bytes)
        self.isWeighed = isWeighed
    }

    // MARK: What libxml2 reads

    /// Fills as much of `buffer` as there is, and gives how much that is: none at the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while filled < buffer.count {
            if piece.isEmpty {
                guard nextPiece() else { break }
            }
            let part = piece.prefix(buffer.count - filled)
            UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: part))
            filled += part.count
            piece = UnsafeRawBufferPointer(rebasing: piece[part.endIndex...])
        }
        return filled
    }

    /// What the instruction that libxml2 tells stands for; nil where it is the document's own.
    mutating func nextText() -> XMLText? {
        guard toldTexts < texts.count else { return nil }
        let text = texts[toldTexts]
        toldTexts += 1
        if toldTexts == texts.count || toldTexts == 1024 {
            texts.removeFirst(toldTexts)
            toldTexts = 0
        }
        return text
    }

    private mutating func nextPiece() -> Bool {
        if isBeforeText {
            isBeforeText = false
            let mark = XMLSkeleton.instruction
            piece = UnsafeRawBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount)
            return true
        }
        while piece.isEmpty, !isBeforeText {
            guard divided < bytes.count else { return false }
            divide()
        }
        return piece.isEmpty ? nextPiece() : true
    }

    // MARK: Dividing

    /// Goes on to the next text that is taken out, or over a few thousand bytes without one.
    private mutating func divide() {
        guard takesTexts else { return keepRest(from: divided) }
        var index = divided
        while index < bytes.count, index - divided < 4096 {
            if bytes[index] != UInt8(ascii: "<") {
                let text = text(from: index)
                if !isShort(text) { return take(text, at: index, upTo: index + text.bytes.count) }
                index = behindOther(at: index + text.bytes.count)
                continue
            }
            let markup = XMLMarkup(in: bytes, at: index)
            if isWeighed { burden.add(markup, in: bytes, at: index) }
            if burden.isExcessive { return end(at: index) }
            switch markup.kind {
            case .section:
                if let text = text(ofSection: index..<markup.end) { return take(text, at: index, upTo: markup.end) }
            case .instruction:
                if index > 0 || !beginsWithDeclaration { texts.append(nil) }
            case .declaration:
                // Entities may be declared, of which text and markup can be made that nobody sees from here.
                takesTexts = false
                return keepRest(from: markup.end)
            case .startTag, .endTag, .comment: break
            }
            index = markup.end
        }
        keep(upTo: index)
    }

    private mutating func keep(upTo end: Int) {
        piece = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[divided..<end]))
        divided = end
    }

    /// - Parameter start: up to where the markup is weighed.
    private mutating func keepRest(from start: Int) {
        if isWeighed { burden.add(bytes, from: start) }
        if burden.isExcessive { end(at: divided) } else { keep(upTo: bytes.count) }
    }

    private mutating func end(at end: Int) {
        keep(upTo: end)
        divided = bytes.count
    }

    /// - Parameter place: where the text begins, or its section.
    private mutating func take(_ text: XMLText, at place: Int, upTo end: Int) {
        keep(upTo: place)
        divided = end
        isBeforeText = true
        texts.append(text)
    }

    /// An XML declaration looks like an instruction, and is not told.
    private var beginsWithDeclaration: Bool {
        bytes.count > 5 && bytes.starts(with: "<?xml".utf8) && bytes[5].isASCIISpace
    }

    // MARK: Texts

    /// The text that begins at `start`, up to what libxml2 has to look at: markup, a reference of another kind, a carriage
    /// return, which becomes a line feed, and `]]>`, which is an error.
    private mutating func text(from start: Int) -> XMLText {
        var end = min(nextTag.place(in: bytes, from: start), nextReturn.place(in: bytes, from: start))
        end = firstDoubleBracket(in: start..<end) ?? end
        var hasReferences = false
        var index = start
        while case let place = nextReference.place(in: bytes, from: index), place < end {
            guard let reference = XMLReference.read(ByteCursor(bytes, from: place, to: end)) else {
                end = place
                break
            }
            hasReferences = true
            index = place + reference.length
        }
        return XMLText(bytes: UnsafeBufferPointer(rebasing: bytes[start..<end]), hasReferences: hasReferences)
    }

    private mutating func firstDoubleBracket(in range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while case let place = nextBracket.place(in: bytes, from: index), place < range.upperBound {
            if place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "]") { return place }
            index = place + 1
        }
        return nil
    }

    private func isShort(_ text: XMLText) -> Bool {
        let count = text.bytes.count
        if count < XMLSkeleton.shortCostlyText || count >= XMLSkeleton.shortText {
            return count < XMLSkeleton.shortCostlyText
        }
        return !text.hasReferences && UTF8Repair.firstWide(in: text.bytes) == count
    }

    /// What a section holds; nil where that is short, or holds a carriage return.
    private mutating func text(ofSection section: Range<Int>) -> XMLText? {
        let whole = UnsafeBufferPointer(rebasing: bytes[section])
        guard whole.count >= 12 + XMLSkeleton.shortCostlyText, whole.starts(with: "<![CDATA[".utf8),
            whole.suffix(3).elementsEqual("]]>".utf8),
            nextReturn.place(in: bytes, from: section.lowerBound) >= section.upperBound
        else { return nil }
        return XMLText(bytes: UnsafeBufferPointer(rebasing: whole[9..<whole.count - 3]), hasReferences: false)
    }

    /// Behind the reference or the carriage return at which a text ends; behind all text where it ends at an error.
    private mutating func behindOther(at start: Int) -> Int {
        guard start < bytes.count else { return start }
        switch bytes[start] {
        case UInt8(ascii: "<"): return start
        case 0x0D: return start + 1
        case UInt8(ascii: "&"):
            let end = bytes[start...].firstIndex { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "<") || $0 <= 0x20 }
            guard let end else { return bytes.count }
            return bytes[end] == UInt8(ascii: ";") ? end + 1 : end
        default: return nextTag.place(in: bytes, from: start)
        }
    }
}

/// A text as it stands in a document.
struct XMLText {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Whether it holds references, each of them an ``XMLReference``; else an ampersand is one.
    let hasReferences: Bool

    /// Tells the text piece by piece: each reference's apart, as libxml2 would.
    func forEachPiece(_ tell: (UnsafeBufferPointer<UInt8>) -> Void) {
        guard hasReferences else { return tell(bytes) }
        var index = 0
        while index < bytes.count {
            let place = ByteText.index(of: UInt8(ascii: "&"), in: bytes, from: index) ?? bytes.count
            if place > index { tell(UnsafeBufferPointer(rebasing: bytes[index..<place])) }
            guard place < bytes.count,
                let reference = XMLReference.read(ByteCursor(bytes, from: place, to: bytes.count))
            else { return }
            XMLText.tell(reference.character, tell)
            index = place + reference.length
        }
    }

    private static func tell(_ character: Unicode.Scalar, _ tell: (UnsafeBufferPointer<UInt8>) -> Void) {
        guard character.isASCII else { return withUTF8(of: String(character), tell) }
        withUnsafePointer(to: UInt8(truncatingIfNeeded: character.value)) {
            tell(UnsafeBufferPointer(start: $0, count: 1))
        }
    }
}
