import CLibXML2

/// Makes a well-formed document of one that is not, in one walk over its bytes: what a person would have meant.
///
/// Tags are balanced, stray `&` and `<` escaped, attributes quoted, CDATA becomes text, control characters, comments,
/// instructions and the document type go. Nesting is kept below what libxml2 bears.
struct XMLRepair {
    /// libxml2 refuses 256.
    private static let depthBound = 200

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var output: [UInt8] = []
    /// The names of the open elements, as ranges of `bytes`.
    private var open: [Range<Int>] = []
    /// Closers that a search has not found, not to be searched for again.
    private var missing: Set<Closer> = []
    /// Where the next `]]>` is, once that is known.
    private var sectionEnd: Int?

    private enum Closer {
        case comment, instruction, cdata

        var text: StaticString {
            switch self {
            case .comment: "-->"
            case .instruction: "?>"
            case .cdata: "]]>"
            }
        }
    }

    /// - Parameters:
    ///   - text: may hold invalid UTF-8, which is repaired too.
    ///   - root: the name that the document begins with, in lower case with its `<`; nil is that of any feed.
    static func repaired(_ text: ArraySlice<UInt8>, root: StaticString? = nil) -> [UInt8] {
        UTF8Repair.repaired(text).withUnsafeBufferPointer { bytes in
            var repair = XMLRepair(bytes: bytes)
            repair.index = (root.map { ByteText.find($0, in: bytes) } ?? ContentSniffer.feedRoot(bytes)) ?? 0
            repair.run()
            return repair.output
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        output.reserveCapacity(bytes.count + bytes.count / 16)
    }

    private mutating func run() {
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<") {
                markup()
            } else {
                text(upTo: nextMarkup())
            }
        }
        close(downTo: 0)
    }

    // MARK: Markup

    private mutating func markup() {
        switch byte(1) {
        case UInt8(ascii: "!"):
            if ByteText.has("<![cdata[", in: bytes, at: index) {
                index += 9
                let section = section()
                literal(upTo: section.end)
                if section.isClosed { index += 3 }
            } else if ByteText.has("<!--", in: bytes, at: index) {
                skip(to: .comment, from: 4)
            } else {
                skipDeclaration()
            }
        case UInt8(ascii: "?"): skip(to: .instruction, from: 2)
        case UInt8(ascii: "/"): isNameStart(byte(2)) ? endTag() : escapeOne()
        default: isNameStart(byte(1)) ? startTag() : escapeOne()
        }
    }

    /// Where a section's text ends. One that is not closed, or only by the end of another one, ends with the element
    /// that it stands in.
    private mutating func section() -> (end: Int, isClosed: Bool) {
        if let known = sectionEnd, known < index { sectionEnd = nil }
        let end = sectionEnd ?? find(.cdata)
        sectionEnd = end
        let rest = UnsafeBufferPointer(rebasing: bytes[index..<(end ?? bytes.count)])
        let next = ByteText.find("<![cdata[", in: rest)
        if end != nil, next == nil { return (index + rest.count, true) }
        if let element = open.last, let close = endTag(of: element, upTo: index + (next ?? rest.count)) {
            return (close, false)
        }
        return (index + rest.count, end != nil)
    }

    private func endTag(of element: Range<Int>, upTo bound: Int) -> Int? {
        var from = index
        while let place = ByteText.index(of: UInt8(ascii: "<"), in: bytes, from: from), place < bound {
            let name = (place + 2)..<(place + 2 + element.count)
            if name.upperBound < bytes.count, bytes[place + 1] == UInt8(ascii: "/"), isSame(name, element),
                !isNameByte(bytes[name.upperBound])
            {
                return place
            }
            from = place + 1
        }
        return nil
    }

    /// Over a comment or an instruction; one that never ends is over with its tag.
    private mutating func skip(to closer: Closer, from length: Int) {
        index += length
        if let end = find(closer) {
            index = end + closer.text.utf8CodeUnitCount
        } else {
            skipTag()
        }
    }

    /// Over a document type, with its internal subset. One that never ends is over where an element begins.
    private mutating func skipDeclaration() {
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<") where isNameStart(byte(1)) || byte(1) == UInt8(ascii: "/"): return
            case UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">"): depth -= 1
            default: break
            }
            index += 1
            if depth <= 0 { return }
        }
    }

    /// Over the rest of a tag; where its `>` is missing, to the next one.
    private mutating func skipTag() {
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") {
            index += 1
            if bytes[index - 1] == UInt8(ascii: ">") { return }
        }
    }

    private mutating func endTag() {
        index += 2
        let name = self.name()
        skipTag()
        // An end tag that opens nothing means nothing, and the root stays open for what may yet follow.
        guard let level = open.lastIndex(where: { isSame($0, name) }), level > 0 else { return }
        close(downTo: level)
    }

    private mutating func startTag() {
        index += 1
        let name = self.name()
        let kind = RepairElement(bytes[name])
        if kind == .item, let level = open.lastIndex(where: { isSame($0, name) }), level > 0 { close(downTo: level) }
        if let last = open.last, RepairElement(bytes[last]) == .leaf, kind == .item || kind == .leaf {
            close(downTo: open.count - 1)
        }
        let isKept = open.count < XMLRepair.depthBound
        if isKept {
            output.append(UInt8(ascii: "<"))
            output.append(contentsOf: bytes[name])
        }
        let isEmpty = attributes(areKept: isKept) || kind == .void
        guard isKept else { return }
        if isEmpty { output.append(UInt8(ascii: "/")) } else { open.append(name) }
        output.append(UInt8(ascii: ">"))
    }

    private mutating func close(downTo level: Int) {
        while open.count > level {
            output.append(contentsOf: "</".utf8)
            output.append(contentsOf: bytes[open.removeLast()])
            output.append(UInt8(ascii: ">"))
        }
    }

    /// Up to and over the end of the tag; whether it ends in `/>`.
    private mutating func attributes(areKept: Bool) -> Bool {
        var seen: [Range<Int>] = []
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ">"):
                index += 1
                return false
            case UInt8(ascii: "<"): return false
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: ">"):
                index += 2
                return true
            case let first where isNameStart(first):
                let name = self.name()
                let value = attributeValue()
                guard areKept, seen.count < 64, !seen.contains(where: { isSame($0, name) }) else { continue }
                seen.append(name)
                output.append(UInt8(ascii: " "))
                output.append(contentsOf: bytes[name])
                output.append(contentsOf: "=\"".utf8)
                let end = index
                index = value.lowerBound
                text(upTo: value.upperBound, escaping: true)
                index = end
                output.append(UInt8(ascii: "\""))
            default: index += 1
            }
        }
        return false
    }

    /// Quoted, unquoted or absent. A quote that is not closed before the next tag ends with this one.
    private mutating func attributeValue() -> Range<Int> {
        skipSpace()
        guard byte(0) == UInt8(ascii: "=") else { return index..<index }
        index += 1
        skipSpace()
        let quote = byte(0)
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            index += 1
            let start = index
            while index < bytes.count, bytes[index] != quote, bytes[index] != UInt8(ascii: "<") { index += 1 }
            if byte(0) == quote {
                index += 1
                return start..<(index - 1)
            }
            index = start
        }
        let start = index
        while index < bytes.count, !ByteText.isSpace(bytes[index]), bytes[index] != UInt8(ascii: ">"),
            bytes[index] != UInt8(ascii: "<")
        {
            index += 1
        }
        return start..<index
    }

    // MARK: Text

    /// Copies text, with references that mean something left alone.
    private mutating func text(upTo end: Int, escaping inAttribute: Bool = false) {
        while index < end {
            copyPlain(upTo: end)
            guard index < end else { return }
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "&"): reference(upTo: end)
            case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\"") where inAttribute: output.append(contentsOf: "&quot;".utf8)
            default: if isCharacter(byte) { output.append(byte) }
            }
            index += 1
        }
    }

    /// Copies text in which nothing has a meaning.
    private mutating func literal(upTo end: Int) {
        while index < end {
            copyPlain(upTo: end)
            guard index < end else { return }
            switch bytes[index] {
            case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
            case let byte: if isCharacter(byte) { output.append(byte) }
            }
            index += 1
        }
    }

    /// Copies what needs no look: nearly all text.
    private mutating func copyPlain(upTo end: Int) {
        let start = index
        while index < end, XMLRepair.isPlain(bytes[index]) { index += 1 }
        if index > start { output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index])) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x0A, 0x20, 0x21, 0x23...0x25, 0x27...0x3B, 0x3D, 0x3F...0xEE, 0xF0...0xFF: true
        default: false
        }
    }

    private mutating func escapeOne() {
        output.append(contentsOf: "&lt;".utf8)
        index += 1
    }

    /// XML 1.0 allows three control characters; the noncharacters U+FFFE and U+FFFF are `EF BF BE` and `EF BF BF`.
    private mutating func isCharacter(_ byte: UInt8) -> Bool {
        if byte == 0xEF, self.byte(1) == 0xBF, let last = self.byte(2), last >= 0xBE {
            index += 2
            return false
        }
        return byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Copies the `&` at the index, escaped unless it begins a reference that XML or HTML knows. A reference to a control
    /// character goes like the character itself.
    private mutating func reference(upTo end: Int) {
        let bound = min(end, index + 34)
        var semicolon = index + 1
        while semicolon < bound, isNameByte(bytes[semicolon]) || bytes[semicolon] == UInt8(ascii: "#") {
            semicolon += 1
        }
        guard semicolon < bound, bytes[semicolon] == UInt8(ascii: ";") else {
            return output.append(contentsOf: "&amp;".utf8)
        }
        let name = String(decoding: bytes[(index + 1)..<semicolon], as: UTF8.self)
        guard name.hasPrefix("#") else {
            let isKnown = name == "apos" || htmlEntityLookup(name) != nil
            return output.append(contentsOf: isKnown ? "&".utf8 : "&amp;".utf8)
        }
        let digits = name.dropFirst()
        let value = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let value else { return output.append(contentsOf: "&amp;".utf8) }
        index = semicolon
        let isControl = value < 0x20 && ![0x09, 0x0A, 0x0D].contains(value)
        guard !isControl, value & 0xFFFE != 0xFFFE, let scalar = Unicode.Scalar(value) else { return }
        output.append(contentsOf: "&#\(scalar.value);".utf8)
    }

    // MARK: Looking ahead

    private func byte(_ offset: Int) -> UInt8? {
        index + offset < bytes.count ? bytes[index + offset] : nil
    }

    private func nextMarkup() -> Int {
        ByteText.index(of: UInt8(ascii: "<"), in: bytes, from: index) ?? bytes.count
    }

    private mutating func find(_ closer: Closer) -> Int? {
        guard !missing.contains(closer) else { return nil }
        let found = ByteText.find(closer.text, in: bytes, from: index)
        if found == nil { missing.insert(closer) }
        return found
    }

    private mutating func skipSpace() {
        while let byte = byte(0), ByteText.isSpace(byte) { index += 1 }
    }

    private mutating func name() -> Range<Int> {
        let start = index
        while let byte = byte(0), isNameByte(byte) { index += 1 }
        return start..<index
    }

    private func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        one.count == other.count && bytes[one].elementsEqual(bytes[other])
    }

    private func isNameStart(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        isNameStart(byte) || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: ":") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }
}

/// What is known of an element by its name alone, where nesting cannot be trusted.
enum RepairElement {
    /// An item, which is never in another.
    case item
    /// A part of an item that holds text only, so that the next part ends it.
    case leaf
    /// HTML without an end tag, standing unescaped in a feed.
    case void
    case other

    init(_ name: Slice<UnsafeBufferPointer<UInt8>>) {
        guard name.count <= 9 else {
            self = .other
            return
        }
        self = RepairElement.known[String(decoding: name, as: UTF8.self)] ?? .other
    }

    private static let known: [String: RepairElement] = [
        "item": .item, "entry": .item, "atom:entry": .item,
        "title": .leaf, "link": .leaf, "guid": .leaf, "pubDate": .leaf, "id": .leaf, "updated": .leaf,
        "published": .leaf, "comments": .leaf, "dc:date": .leaf, "modified": .leaf, "issued": .leaf,
        "br": .void, "hr": .void, "img": .void, "BR": .void, "HR": .void, "IMG": .void, "input": .void,
    ]
}
