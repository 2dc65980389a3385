/// What is known of an element by its name alone, where nesting cannot be trusted.
enum RepairElement {
    /// An item, which is never in another.
    case item
    /// A part that holds text only, so that the next part ends it.
    case leaf
    /// A part that holds text or HTML.
    case body
    /// A part that holds text, or a person's name and addresses.
    case person
    /// A part of a person.
    case personPart
    /// HTML without an end tag, standing unescaped in a feed.
    case void
    case other

    /// Prefix and letter case do not matter.
    init(_ name: Slice<UnsafeBufferPointer<UInt8>>) {
        let colon = name.lastIndex(of: UInt8(ascii: ":"))
        let local = name[(colon.map { $0 + 1 } ?? name.startIndex)...]
        let isKnown = local.count <= RepairElement.longestName
        let kind = isKnown ? RepairElement.known[HTMLElement.key(local)] ?? .other : .other
        self = kind == .void && colon != nil ? .other : kind
    }

    /// Whether the start of a part ends this one, whose own end is missing.
    func isEnded(by next: RepairElement) -> Bool {
        switch (self, next) {
        case (.item, _), (.void, _), (.other, _), (_, .void), (_, .other): false
        case (_, .personPart): self == .personPart
        default: true
        }
    }

    private static let longestName = 11

    private static let known: [UInt128: RepairElement] = {
        var known: [UInt128: RepairElement] = [:]
        for (names, kind) in [
            ("item entry", .item),
            (
                "title link guid pubdate id updated published comments date modified issued category creator subject",
                .leaf
            ),
            ("description summary content encoded", .body), ("author", .person), ("name email uri", .personPart),
            ("br hr img input", .void),
        ] as [(String, RepairElement)] {
            for name in names.split(separator: " ") { known[HTMLElement.key(name.utf8)] = kind }
        }
        return known
    }()
}
