/// The elements that are open while a document is repaired.
struct RepairStack {
    struct Element {
        /// A range of the document.
        let name: Range<Int>
        /// Of the name, whatever its letter case.
        let key: UInt64
        let kind: RepairElement
        /// Whether its item ends, or another of its kind begins, before its own end tag.
        let lacksEnd: Bool
        /// The start tag, a range of the output.
        let tag: Range<Int>
    }

    private(set) var elements: [Element] = []
    /// How many open elements a key has, so that an end tag that ends none is soon passed over.
    private var counts: [UInt64: Int] = [:]
    private var itemCount = 0
    private var unclosedCount = 0

    var count: Int { elements.count }
    var last: Element? { elements.last }
    var hasItem: Bool { itemCount > 0 }
    var hasUnclosed: Bool { unclosedCount > 0 }

    func has(_ key: UInt64) -> Bool { counts[key] != nil }

    mutating func push(_ element: Element) {
        elements.append(element)
        counts[element.key, default: 0] += 1
        if element.kind == .item { itemCount += 1 }
        if element.lacksEnd { unclosedCount += 1 }
    }

    mutating func pop() -> Element {
        let element = elements.removeLast()
        let left = (counts[element.key] ?? 1) - 1
        counts[element.key] = left > 0 ? left : nil
        if element.kind == .item { itemCount -= 1 }
        if element.lacksEnd { unclosedCount -= 1 }
        return element
    }
}

/// Which elements end where their own end is missing.
extension XMLRepair {
    /// Bytes of a text in which tags become text again, which moves what is behind them.
    private static let textBound = 8192

    /// FNV-1a.
    func key(of name: Range<Int>) -> UInt64 {
        var key: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in name { key = (key ^ UInt64(bytes[index].asciiLowercased)) &* 0x100_0000_01B3 }
        return key
    }

    /// The innermost open element of that name.
    func level(of name: Range<Int>) -> Int? {
        let key = key(of: name)
        guard open.has(key) else { return nil }
        return open.elements.lastIndex { $0.key == key && isSame($0.name, name) }
    }

    /// Ends what the start of an element shows to have ended before.
    mutating func endUnclosed(before kind: RepairElement, _ name: Range<Int>) {
        switch kind {
        case .void, .other: return
        case .item:
            if open.hasItem, let level = open.elements.lastIndex(where: { $0.kind == .item }), isItem(level, name) {
                // An empty item within an item says nothing.
                if isEmptyElement(name) { return }
                close(downTo: level)
            }
        default: break
        }
        if open.hasUnclosed {
            let item = open.hasItem ? open.elements.lastIndex { $0.kind == .item } ?? 0 : 0
            if let level = open.elements[item...].firstIndex(where: { $0.lacksEnd && $0.kind.isEnded(by: kind) }) {
                close(downTo: level)
            }
        }
        if let last = open.last, last.kind == .leaf, kind == .item || kind == .leaf { close(downTo: open.count - 1) }
    }

    private func isItem(_ level: Int, _ name: Range<Int>) -> Bool {
        (level > 0 || isWrapped) && isSame(localName(open.elements[level].name), localName(name))
    }

    /// Closes elements. One without an end in a text is a part of the text, unless it is one of HTML's.
    mutating func close(downTo level: Int) {
        guard level < open.count else { return }
        let isText = open.elements[level].kind == .leaf
        while open.count > level {
            let element = open.pop()
            let isShort = output.count - element.tag.lowerBound <= XMLRepair.textBound
            if isText, isShort, open.count > level, element.kind == .other, !isHTML(element.name) {
                output.replaceSubrange((element.tag.upperBound - 1)..<element.tag.upperBound, with: "&gt;".utf8)
                output.replaceSubrange(element.tag.lowerBound..<(element.tag.lowerBound + 1), with: "&lt;".utf8)
                continue
            }
            output.append(contentsOf: "</".utf8)
            output.append(contentsOf: bytes[element.name])
            output.append(UInt8(ascii: ">"))
        }
    }

    private func isHTML(_ name: Range<Int>) -> Bool {
        guard name.count <= HTMLElement.longestName else { return false }
        if case .unknown = HTMLElement.named(HTMLElement.key(bytes[name])) { return false }
        return true
    }

    func localName(_ name: Range<Int>) -> Range<Int> {
        let colon = bytes[name].lastIndex(of: UInt8(ascii: ":"))
        return (colon.map { $0 + 1 } ?? name.lowerBound)..<name.upperBound
    }

    /// Whether the start tag whose name is read is all of its element: `<item/>`, `<item></item>`.
    private func isEmptyElement(_ name: Range<Int>) -> Bool {
        let near = UnsafeBufferPointer(rebasing: bytes[index..<min(bytes.count, index + 256)])
        guard let end = ByteText.index(of: UInt8(ascii: ">"), in: near).map({ index + $0 }) else { return false }
        if bytes[end - 1] == UInt8(ascii: "/") { return true }
        var next = end + 1
        while next < bytes.count, next < end + 256, bytes[next].isASCIISpace { next += 1 }
        let close = (next + 2)..<(next + 2 + name.count)
        return close.upperBound < bytes.count && bytes[next] == UInt8(ascii: "<")
            && bytes[next + 1] == UInt8(ascii: "/") && isSame(close, name) && !isNameByte(bytes[close.upperBound])
    }

    /// Whether a part's own end is missing: up to the next part of that name, or the end of the item. Each byte is looked at
    /// no more often than there are names of parts, since what is found is remembered.
    mutating func lacksEnd(_ name: Range<Int>, _ kind: RepairElement) -> Bool {
        guard kind != .other, kind != .item else { return false }
        let local = localName(name)
        let key = key(of: local)
        if let known = partEnds[key], known.place >= index { return known.isMissing }
        let found = endOfPart(local)
        partEnds[key] = found
        return found.isMissing
    }

    /// Looks ahead from a part's start tag for what ends it.
    private func endOfPart(_ local: Range<Int>) -> (place: Int, isMissing: Bool) {
        var from = index
        while let place = ByteText.index(of: UInt8(ascii: "<"), in: bytes, from: from), place + 1 < bytes.count {
            let isEnd = bytes[place + 1] == UInt8(ascii: "/")
            let start = place + (isEnd ? 2 : 1)
            var end = start
            while end < bytes.count, end < start + 64, isNameByte(bytes[end]) { end += 1 }
            from = max(end, place + 1)
            guard end > start else { continue }
            if isSame(localName(start..<end), local) { return (place, !isEnd) }
            if RepairElement(bytes[start..<end]) == .item { return (place, true) }
        }
        return (bytes.count, true)
    }
}
