/// Makes a well-formed document of one that is not, in one walk over its bytes: what a person would have meant.
///
/// Tags are balanced, stray `&` and `<` escaped, attributes quoted, CDATA becomes text, control characters, comments,
/// instructions and the document type go. Nesting is kept below what libxml2 bears.
struct XMLRepair {
    /// libxml2 refuses 256.
    private static let depthBound = 200
    /// Bytes of an attribute: libxml2 ends a document in which one has ten million.
    private static let valueBound = 1 << 20

    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0
    var output: [UInt8] = []
    var open = RepairStack()
    var entities: RepairEntities
    /// Items that stand without a root are given one.
    var isWrapped = false
    var ending = DocumentEnding()
    /// Closers that a search has not found, not to be searched for again.
    private var missing: Set<Closer> = []
    /// Where the next `]]>` and the next `<![CDATA[` are, once that is known.
    private var sectionEnd: Int?
    private var nextSection: Int?
    /// The markup that ends the parts of an item, and whether it is another's, by the keys of their names, which are few; see
    /// ``lacksEnd(_:_:)``.
    var partEnds: [UInt64: (place: Int, isMissing: Bool)] = [:]

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
    static func repaired(
        _ text: ArraySlice<UInt8>, root: StaticString? = nil
    ) -> (bytes: [UInt8], ending: DocumentEnding) {
        UTF8Repair.repaired(text).withUnsafeBufferPointer { bytes in
            var repair = XMLRepair(bytes: bytes)
            let start = root.map { ByteText.find($0, in: bytes) } ?? ContentSniffer.feedRoot(bytes)
            let items = start == nil && root == nil ? ContentSniffer.bareItems(bytes) : nil
            let first = start ?? items ?? 0
            repair.declareEntities(upTo: first)
            repair.index = first
            repair.run(items.map { ByteText.has("<entry", in: bytes, at: $0) ? "feed" : "rss" })
            return (repair.output, repair.ending)
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        entities = RepairEntities(length: bytes.count)
        output.reserveCapacity(bytes.count + bytes.count / 16)
    }

    /// - Parameter wrapper: the name of a root to be put around it all.
    private mutating func run(_ wrapper: String?) {
        isWrapped = wrapper != nil
        if let wrapper { output.append(contentsOf: "<\(wrapper)>".utf8) }
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<") {
                markup()
            } else {
                text(upTo: nextMarkup())
            }
        }
        settleEnding()
        close(downTo: 0)
        if let wrapper { output.append(contentsOf: "</\(wrapper)>".utf8) }
    }

    /// Over what stands before the root, for the declarations in it.
    private mutating func declareEntities(upTo end: Int) {
        while !entities.isFull, let found = ByteText.find("<!entity", in: bytes, from: index), found < end {
            index = found + 8
            skipSpace()
            let name = String(utf8: bytes[self.name()])
            skipSpace()
            guard let quote = byte(0), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let close = ByteText.index(of: quote, in: bytes, from: index + 1), close < end
            else { continue }
            index += 1
            // The value is repaired like any text, in place of the output.
            var value: [UInt8] = []
            swap(&value, &output)
            if close - index <= 1024 { text(upTo: close, escaping: true) }
            swap(&value, &output)
            entities.declare(name, value)
            index = close + 1
        }
    }

    // MARK: Markup

    private mutating func markup() {
        switch byte(1) {
        case UInt8(ascii: "!"):
            if let length = sectionStart() {
                index += length
                // The end that is left over is text between the items, which is nobody's.
                if isBetweenItems, ContentSniffer.beginsItem(bytes, at: index) { return }
                let section = section()
                if section.isClosed {
                    literal(upTo: section.end)
                    index += 3
                } else {
                    literal(upTo: withoutLooseEnd(section.end))
                    index = section.end
                }
            } else if ByteText.has("<!--", in: bytes, at: index) {
                skip(to: .comment, from: 4)
            } else {
                skipDeclaration()
            }
        case UInt8(ascii: "?"): skip(to: .instruction, from: 2)
        case UInt8(ascii: "/"):
            if isNameStart(byte(2)) || isLooseTag(from: index + 2) { endTag() } else { escapeOne() }
        default:
            if isNameStart(byte(1)) || isLooseTag(from: index + 1) { startTag() } else { escapeOne() }
        }
    }

    private var isBetweenItems: Bool {
        guard let parent = open.last else { return isWrapped }
        return ContentSniffer.isFeed(bytes, at: parent.name.lowerBound)
    }

    /// Whether what looks like text is `< title>`: the name of a part alone between blanks and a `>`.
    private func isLooseTag(from start: Int) -> Bool {
        var first = start
        while first < bytes.count, first < start + 8, bytes[first].isASCIISpace { first += 1 }
        var end = first
        while end < bytes.count, end < first + 32, isNameByte(bytes[end]) { end += 1 }
        guard end > first, end < bytes.count, bytes[end] == UInt8(ascii: ">"), isNameStart(bytes[first]) else {
            return false
        }
        switch RepairElement(bytes[first..<end]) {
        case .item, .leaf, .body, .person: return true
        default: return false
        }
    }

    /// The bytes of `<![CDATA[`, also of `<! [CDATA[`; nil where there is none.
    private func sectionStart() -> Int? {
        if ByteText.has("<![cdata[", in: bytes, at: index) { return 9 }
        var start = index + 2
        while start < bytes.count, start < index + 8, bytes[start].isASCIISpace { start += 1 }
        return ByteText.has("[cdata[", in: bytes, at: start) ? start + 7 - index : nil
    }

    /// The end of a section's text before an `]] >`.
    private func withoutLooseEnd(_ end: Int) -> Int {
        var last = end
        func skipSpace() { while last > index, bytes[last - 1].isASCIISpace { last -= 1 } }
        skipSpace()
        guard last > index, bytes[last - 1] == UInt8(ascii: ">") else { return end }
        last -= 1
        skipSpace()
        guard last - index >= 2, bytes[last - 1] == UInt8(ascii: "]"), bytes[last - 2] == UInt8(ascii: "]") else {
            return end
        }
        return last - 2
    }

    /// Where a section's text ends. One that is not closed, or only by the end of another one, ends with the element
    /// that it stands in.
    private mutating func section() -> (end: Int, isClosed: Bool) {
        if let known = sectionEnd, known < index { sectionEnd = nil }
        let end = sectionEnd ?? find(.cdata)
        sectionEnd = end
        if end == nil { ending.becomeUncertain(inItem: open.hasItem) }
        let bound = end ?? bytes.count
        let next = followingSection(before: bound)
        if end != nil, next == nil { return (bound, true) }
        if let element = open.last?.name, let close = endTag(of: element, upTo: next ?? bound) {
            return (close, false)
        }
        return (bound, end != nil)
    }

    /// Where the next `<![CDATA[` before `bound` begins. It is remembered: of sections that begin otherwise and do not end,
    /// there may be many before it.
    private mutating func followingSection(before bound: Int) -> Int? {
        let known = nextSection.flatMap { $0 >= index ? $0 : nil }
        let next = known ?? ByteText.find("<![cdata[", in: bytes, from: index) ?? bytes.count
        nextSection = next
        // One that the end cuts short is none.
        return next + 9 <= bound ? next : nil
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
            ending.becomeUncertain(inItem: open.hasItem)
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
        skipSpace()
        let name = self.name()
        skipTag()
        // An end tag that opens nothing means nothing, and the root stays open for what may yet follow.
        let level = level(of: name)
        guard let level, level > 0 || isWrapped else {
            if bytes[index - 1] == UInt8(ascii: ">"), isRoot(name, level: level) {
                ending.endRoot(inItem: open.hasItem)
            }
            return
        }
        close(downTo: level)
        if isWrapped, level == 0 { ending.endItem(at: index) }
    }

    private mutating func startTag() {
        let start = output.count
        index += 1
        skipSpace()
        let name = self.name()
        let kind = RepairElement(bytes[name])
        if kind == .item { ending.beginItem() }
        endUnclosed(before: kind, name)
        let isKept = open.count < XMLRepair.depthBound
        if isKept {
            output.append(UInt8(ascii: "<"))
            output.append(contentsOf: bytes[name])
        }
        let isEmpty = attributes(areKept: isKept) || kind == .void
        guard isKept else { return }
        if isEmpty {
            output.append(UInt8(ascii: "/"))
        } else {
            let lacksEnd = lacksEnd(name, kind)
            open.push(
                RepairStack.Element(
                    name: name, key: key(of: name), kind: kind, lacksEnd: lacksEnd, tag: start..<(output.count + 1)))
        }
        output.append(UInt8(ascii: ">"))
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
                // Of an address that the end of the document has cut, what is left is another's.
                let isWhole = value.upperBound < bytes.count && value.count <= XMLRepair.valueBound
                guard areKept, seen.count < 64, isWhole, !seen.contains(where: { isSame($0, name) }) else { continue }
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
            if byte(0) == nil, ByteText.index(of: UInt8(ascii: ">"), in: bytes, from: start) == nil {
                return start..<index
            }
            if byte(0) != nil, let close = quoteAfterMarkup(quote, from: index) {
                index = close + 1
                return start..<close
            }
            index = start
        }
        let start = index
        while index < bytes.count, !bytes[index].isASCIISpace, bytes[index] != UInt8(ascii: ">"),
            bytes[index] != UInt8(ascii: "<")
        {
            index += 1
        }
        return start..<index
    }

    /// Where a quoted value ends that has a `<` in it: not beyond an end tag, nor where the quote begins another value.
    private func quoteAfterMarkup(_ quote: UInt8?, from start: Int) -> Int? {
        var place = start
        while place < min(bytes.count, start + 2048), bytes[place] != quote {
            if bytes[place] == UInt8(ascii: "<"), place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "/") {
                return nil
            }
            place += 1
        }
        guard place + 1 < bytes.count, bytes[place] == quote, bytes[place - 1] != UInt8(ascii: "=") else { return nil }
        let next = bytes[place + 1]
        return next.isASCIISpace || next == UInt8(ascii: "/") || next == UInt8(ascii: ">") ? place : nil
    }

    // MARK: Looking ahead

    func byte(_ offset: Int) -> UInt8? {
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
}
