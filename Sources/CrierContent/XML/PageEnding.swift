/// How a page ends, as far as HTML, which may leave out the ends of `body` and `html`, lets tell.
///
/// A page in which one of these ends is whole. One that stops within a tag is cut off. One that has begun either and ends
/// neither, and stops within an element that needs an end, a comment or a script, may be cut off or badly written: such pages
/// are many, and stop at the same text each time, which only who has seen them before knows.
enum PageEnding {
    case whole, cut, doubtful

    init(of bytes: UnsafeBufferPointer<UInt8>) {
        var walk = PageWalk(bytes: bytes)
        walk.run()
        self =
            if walk.hasEnded {
                .whole
            } else if walk.stopsInTag {
                .cut
            } else {
                walk.hasBegun && (walk.stopsInText || walk.isOpen) ? .doubtful : .whole
            }
    }
}

/// One walk over the tags of a page.
private struct PageWalk {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Whether `html` or `body` begins, and ends.
    private(set) var hasBegun = false
    private(set) var hasEnded = false
    private(set) var stopsInTag = false
    /// Within a comment, or an element whose content is text.
    private(set) var stopsInText = false
    /// The names of the open elements, and how many there are of each, so that an end that ends none is soon passed over.
    private var open: [UInt128] = []
    private var counts: [UInt128: Int] = [:]

    init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Whether an element is open that needs an end.
    var isOpen: Bool { open.contains { !Self.endless.contains($0) } }

    mutating func run() {
        var index = 0
        while let place = ByteText.index(of: UInt8(ascii: "<"), in: bytes, from: index) {
            guard let next = markup(at: place) else { return }
            index = next
        }
    }

    /// Behind the markup whose `<` is at `place`; nil where the page stops in it.
    private mutating func markup(at place: Int) -> Int? {
        let start = place + 1
        guard start < bytes.count else {
            stopsInTag = true
            return nil
        }
        switch bytes[start] {
        case UInt8(ascii: "!"), UInt8(ascii: "?"):
            let isComment = ByteText.has("<!--", in: bytes, at: place)
            let end = ByteText.find(isComment ? "-->" : ">", in: bytes, from: start + 1)
            if end == nil { (stopsInText, stopsInTag) = (isComment, !isComment) }
            return end
        case UInt8(ascii: "/"):
            let end = ByteText.index(of: UInt8(ascii: ">"), in: bytes, from: start)
            if end == nil { stopsInTag = true } else { close(name(at: start + 1)) }
            return end
        case let byte where byte.isASCIILetter: return startTag(at: start)
        default: return start
        }
    }

    private mutating func startTag(at start: Int) -> Int? {
        let name = name(at: start)
        if name == Self.html || name == Self.body { hasBegun = true }
        let tag = HTMLTag(in: bytes, from: start)
        guard tag.end < bytes.count else {
            stopsInTag = true
            return nil
        }
        if tag.isClosed || Self.void.contains(name) { return tag.end }
        if let closer = Self.texts[name] {
            let end = ByteText.find(closer, in: bytes, from: tag.end)
            if end == nil { stopsInText = true }
            return end
        }
        open.append(name)
        counts[name, default: 0] += 1
        return tag.end
    }

    private mutating func close(_ name: UInt128) {
        if name == Self.html || name == Self.body { hasEnded = true }
        guard counts[name] ?? 0 > 0 else { return }
        while let last = open.popLast() {
            counts[last, default: 1] -= 1
            if last == name { return }
        }
    }

    private func name(at start: Int) -> UInt128 {
        HTMLElement.key(
            bytes[min(start, bytes.count)...].prefix {
                !$0.isASCIISpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
            })
    }

    private static let html = HTMLElement.key("html".utf8)
    private static let body = HTMLElement.key("body".utf8)

    private static func keys(_ names: String) -> Set<UInt128> {
        Set(names.split(separator: " ").map { HTMLElement.key($0.utf8) })
    }

    /// Those that have no end.
    private static let void = keys(
        "area base basefont bgsound br col embed frame hr img input isindex keygen link meta param source track wbr")
    /// Those whose end may be left out.
    private static let endless = keys(
        "body caption colgroup dd dt head html li optgroup option p rp rt tbody td tfoot th thead tr")
    /// Those in which no tags are, with what ends them.
    private static let texts: [UInt128: StaticString] = [
        HTMLElement.key("script".utf8): "</script", HTMLElement.key("style".utf8): "</style",
        HTMLElement.key("textarea".utf8): "</textarea", HTMLElement.key("title".utf8): "</title",
    ]
}
