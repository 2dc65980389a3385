/// A document as libxml2 is given it: piece by piece, since from memory it would first be copied as a whole, and without
/// its long texts.
///
/// libxml2 2.9 takes some forty instructions for each byte of a CDATA section, and of a text that is not all ASCII. A text
/// whose characters all stand for themselves needs no parser: an empty processing instruction takes its place, and when
/// libxml2 tells that, the listener is told the text. That saves a third of the time of reading a feed.
///
/// What is text is told apart as in a well-formed document; in any other libxml2 still meets the first error.
struct XMLSkeleton {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var takesTexts: Bool
    /// Up to where the document is divided.
    private var divided = 0
    /// What libxml2 is given next, and whether a text is behind it.
    private var piece = UnsafeRawBufferPointer(start: nil, count: 0)
    private var isBeforeText = false
    /// One for each instruction that libxml2 has not told yet, empty for the document's own.
    private var texts: [Range<Int>] = []
    private var toldTexts = 0

    private static let instruction: StaticString = "<?t?>"
    /// Bytes below which the instruction costs as much as the text: of one that is all ASCII, and of any other.
    private static let shortText = 96
    private static let shortWideText = 16

    /// - Parameter takesTexts: whether somebody asks for ``nextText()``.
    init(_ bytes: UnsafeBufferPointer<UInt8>, takesTexts: Bool) {
        self.bytes = bytes
        self.takesTexts = takesTexts
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
    mutating func nextText() -> UnsafeBufferPointer<UInt8>? {
        guard toldTexts < texts.count else { return nil }
        let text = texts[toldTexts]
        toldTexts += 1
        if toldTexts == texts.count || toldTexts == 1024 {
            texts.removeFirst(toldTexts)
            toldTexts = 0
        }
        return text.isEmpty ? nil : UnsafeBufferPointer(rebasing: bytes[text])
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
        guard takesTexts else { return keep(upTo: bytes.count) }
        var index = divided
        while index < bytes.count, index - divided < 4096 {
            if bytes[index] != UInt8(ascii: "<") {
                let plain = PlainRun(in: bytes, from: index, to: bytes.count, isSection: false)
                let isShort = plain.end - index < (plain.isWide ? XMLSkeleton.shortWideText : XMLSkeleton.shortText)
                if !isShort { return take(index..<plain.end, for: index..<plain.end) }
                index = behindOther(at: plain.end)
                continue
            }
            let markup = XMLMarkup(in: bytes, at: index)
            switch markup.kind {
            case .section:
                if let text = text(ofSection: index..<markup.end) { return take(text, for: index..<markup.end) }
            case .instruction:
                if index > 0 || !beginsWithDeclaration { texts.append(index..<index) }
            case .declaration:
                // Entities may be declared, of which text and markup can be made that nobody sees from here.
                takesTexts = false
                return keep(upTo: bytes.count)
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

    /// - Parameter place: the text, or its whole section.
    private mutating func take(_ text: Range<Int>, for place: Range<Int>) {
        keep(upTo: place.lowerBound)
        divided = place.upperBound
        isBeforeText = true
        texts.append(text)
    }

    /// An XML declaration looks like an instruction, and is not told.
    private var beginsWithDeclaration: Bool {
        bytes.count > 5 && bytes.starts(with: "<?xml".utf8) && ByteText.isSpace(bytes[5])
    }

    /// What a section holds; nil where that is short, or not as the listener is to be told it.
    private func text(ofSection section: Range<Int>) -> Range<Int>? {
        let whole = UnsafeBufferPointer(rebasing: bytes[section])
        guard whole.count >= 12 + XMLSkeleton.shortWideText, whole.starts(with: "<![CDATA[".utf8),
            whole.suffix(3).elementsEqual("]]>".utf8)
        else { return nil }
        let text = section.lowerBound + 9..<section.upperBound - 3
        let plain = PlainRun(in: bytes, from: text.lowerBound, to: text.upperBound, isSection: true)
        return plain.end == text.upperBound ? text : nil
    }

    /// Behind the reference or the carriage return at which a plain run ends; behind all text where it ends at an error.
    private func behindOther(at start: Int) -> Int {
        guard start < bytes.count else { return start }
        switch bytes[start] {
        case UInt8(ascii: "<"): return start
        case 0x0D: return start + 1
        case UInt8(ascii: "&"):
            let end = bytes[start...].firstIndex { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "<") || $0 <= 0x20 }
            guard let end else { return bytes.count }
            return bytes[end] == UInt8(ascii: ";") ? end + 1 : end
        default: return ByteText.index(of: UInt8(ascii: "<"), in: bytes, from: start) ?? bytes.count
        }
    }
}

/// The characters of an XML document, from one on, that stand for themselves: no markup, no reference, no carriage return,
/// which would become a line feed, and nothing that XML forbids.
private struct PlainRun {
    let end: Int
    /// Whether one is beyond ASCII.
    let isWide: Bool

    /// - Parameter isSection: whether they are in a CDATA section, whose end is `bound`.
    init(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to bound: Int, isSection: Bool) {
        var isWide = false
        var index = start
        while index < bound {
            if index + 8 <= bound {
                let odd = ByteWord(bytes, at: index).oddInXML
                index += odd == 0 ? 8 : odd.trailingZeroBitCount / 8
                if odd == 0 { continue }
            }
            // Characters beyond ASCII stand together.
            repeat {
                guard let length = PlainRun.length(in: bytes, at: index, isSection: isSection) else {
                    (end, self.isWide) = (index, isWide)
                    return
                }
                if length > 1 { isWide = true }
                index += length
            } while index < bound && bytes[index] >= 0x80
        }
        // A character that the bound divides is not valid.
        (end, self.isWide) = (min(index, bound), isWide)
    }

    /// Bytes of the character at `index`; nil where it does not stand for itself.
    private static func length(in bytes: UnsafeBufferPointer<UInt8>, at index: Int, isSection: Bool) -> Int? {
        let byte = bytes[index]
        switch byte {
        case 0x80...:
            guard let length = UTF8Repair.sequenceLength(bytes, at: index) else { return nil }
            // U+FFFE and U+FFFF.
            let isForbidden = byte == 0xEF && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE
            return isForbidden ? nil : length
        case UInt8(ascii: "<"), UInt8(ascii: "&"): return isSection ? 1 : nil
        // `]]>` is an error in a text.
        case UInt8(ascii: "]"):
            return isSection || index + 1 >= bytes.count || bytes[index + 1] != UInt8(ascii: "]") ? 1 : nil
        case 0x20..., 0x09, 0x0A: return 1
        default: return nil
        }
    }
}
