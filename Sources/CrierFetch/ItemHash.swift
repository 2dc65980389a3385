import CrierContent

/// What makes a reader look again at an item, each part by a hash of its own, side by side: so it shows which of them has changed, and
/// one of which a document says nothing can stay as it was.
struct ItemHash: Sendable, Hashable {
    enum Part: Int, CaseIterable {
        case title, address, summary, content
    }

    /// Of a part, in bytes: no two texts of an item share so much by chance.
    private static let partLength = 7
    static let length = Part.allCases.count * partLength
    /// Of a part that an item lacks.
    private static let absent = [UInt8](repeating: 0, count: partLength)
    /// Of a part that the item's documents have not told so far.
    private static let unknown = [UInt8](repeating: 0xFF, count: partLength)

    private(set) var bytes: [UInt8]

    /// - Parameter address: Where the item's leads, whatever of it differs between two visits.
    init(of item: ContentItem, at address: String?) {
        let title = Array((item.title ?? "").utf8)
        let parts = [title, Array((address ?? "").utf8), Self.words(item.summary), Self.words(item.content)]
        bytes = parts.flatMap { $0.isEmpty ? Self.absent[...] : Fingerprint.of($0).prefix(Self.partLength) }
    }

    /// Nil of what was made in another way.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    static func words(_ text: String?) -> [UInt8] {
        let words = text?.utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) } ?? []
        return Array(words.joined(separator: [0x20]))
    }

    private subscript(part: Part) -> ArraySlice<UInt8> {
        get { bytes[range(of: part)] }
        set { bytes.replaceSubrange(range(of: part), with: newValue) }
    }

    private func range(of part: Part) -> Range<Int> {
        let start = part.rawValue * Self.partLength
        return start..<start + Self.partLength
    }

    /// Whether the item has the part, as far as is known.
    func has(_ part: Part) -> Bool { self[part] != Self.absent[...] && self[part] != Self.unknown[...] }

    /// The parts that have changed; of one that was unknown nobody can say.
    func changes(since before: ItemHash) -> Set<Part> {
        Set(Part.allCases.filter { self[$0] != before[$0] && before[$0] != Self.unknown[...] })
    }

    /// Takes a part to be as it was.
    ///
    /// - Parameter before: Nil: the item is new.
    mutating func keep(_ part: Part, of before: ItemHash?) { self[part] = before?[part] ?? Self.unknown[...] }
}
