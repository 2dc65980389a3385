/// How a document that is repaired ends, which only the walk that repairs it tells from what a text speaks of.
struct DocumentEnding {
    private var hasRootEnd = false
    /// Behind the last item of those that have no root.
    private var endOfItems: Int?
    /// Whether a section, a comment or an instruction does not end: all the rest may be in it, or none.
    private var isUncertain = false
    private var isUncertainInItem = false

    /// Whether the end of the root is missing: the document is cut off, not just badly written.
    private(set) var isCut = false
    /// Whether it is cut off within an item.
    private(set) var isInItem = false
    /// Whether it is cut off behind a tag: some documents lack their last end tags each time.
    private(set) var isBehindTag = false

    /// Something begins here that does not end.
    mutating func becomeUncertain(inItem: Bool) {
        isUncertain = true
        if inItem { isUncertainInItem = true }
    }

    /// In what does not end, and in an attribute of an item, it may be a text that speaks of such an end.
    mutating func endRoot(inItem: Bool) {
        if !isUncertain, !inItem { hasRootEnd = true }
    }

    mutating func endItem(at index: Int) { endOfItems = index }

    /// It was not the root that ended before.
    mutating func beginItem() { hasRootEnd = false }

    /// - Parameters:
    ///   - isLast: whether the end of the root is the last of the document: then it is one, wherever it stands.
    ///   - isBehindTag: whether nothing stands behind the last tag.
    ///   - isBlank: whether nothing follows a place.
    mutating func settle(inItem: Bool, isLast: Bool, isBehindTag: Bool, isBlank: (Int) -> Bool) {
        // Items without a root end with the last of them.
        isCut = !hasRootEnd && !isLast && !(endOfItems.map(isBlank) ?? false)
        isInItem = isCut && (inItem || isUncertainInItem)
        self.isBehindTag = isCut && isBehindTag && !isUncertain
    }
}

extension XMLRepair {
    /// At the end of the document.
    mutating func settleEnding() {
        let last = bytes.last { !$0.isASCIISpace && $0 != 0 }
        ending.settle(
            inItem: open.hasItem, isLast: endsWithRoot(), isBehindTag: last == UInt8(ascii: ">"), isBlank: isBlank)
    }

    /// Whether a name is the root's, or what is meant for it.
    func isRoot(_ name: Range<Int>, level: Int?) -> Bool {
        let local = UnsafeBufferPointer(rebasing: bytes[localName(name)])
        return level == 0 || ByteText.equalIgnoringCase(local, "rss") || ByteText.equalIgnoringCase(local, "feed")
            || ByteText.equalIgnoringCase(local, "rdf")
    }

    private mutating func endsWithRoot() -> Bool {
        guard let tag = bytes.lastIndex(of: UInt8(ascii: "<")), tag + 1 < bytes.count,
            bytes[tag + 1] == UInt8(ascii: "/")
        else { return false }
        index = tag + 2
        defer { index = bytes.count }
        let name = name()
        skipSpace()
        return byte(0) == UInt8(ascii: ">") && isBlank(from: index + 1) && isRoot(name, level: level(of: name))
    }

    private func isBlank(from start: Int) -> Bool {
        bytes[start...].allSatisfy { $0.isASCIISpace || $0 == 0 }
    }
}
