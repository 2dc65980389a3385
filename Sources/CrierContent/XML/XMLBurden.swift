/// Finds documents made to waste time: what libxml2 does with many attributes or namespaces takes time that grows with
/// the square of their number; and at each double hyphen in a comment, an error, it copies the comment so far.
///
/// Tags are told apart as in a well-formed document: libxml2 comes no further than to the first error either.
struct XMLBurden {
    private static let attributeBound = 512
    /// Feeds declare up to some twenty namespaces, at their root.
    private static let richTag = 32
    private static let richTagBound = 64
    /// Bytes of comments that errors copy: some tenths of a second.
    private static let copyBound = 500_000_000

    /// Whether the document is to be kept from libxml2 as it is.
    private(set) var isExcessive = false
    private var richTags = 0
    private var copied = 0
    /// Whether it weighs the text of an entity, which may be named many times.
    private var isEntity = false

    /// Whether a document is to be kept from libxml2 as it is.
    static func isExcessive(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var burden = XMLBurden()
        burden.add(bytes, from: 0)
        return burden.isExcessive
    }

    /// Adds all markup from `start` on.
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
        var index = start
        while !isExcessive, let open = ByteText.index(of: UInt8(ascii: "<"), in: bytes, from: index),
            open + 1 < bytes.count
        {
            let markup = XMLMarkup(in: bytes, at: open)
            add(markup, in: bytes, at: open)
            index = markup.end
        }
    }

    /// - Parameter open: where the markup begins.
    mutating func add(_ markup: XMLMarkup, in bytes: UnsafeBufferPointer<UInt8>, at open: Int) {
        switch markup.kind {
        case .startTag(let attributes):
            if attributes > XMLBurden.richTag { richTags += 1 }
            if attributes > (isEntity ? XMLBurden.richTag : XMLBurden.attributeBound) { isExcessive = true }
            if richTags > XMLBurden.richTagBound { isExcessive = true }
        case .comment:
            copied += copies(ofComment: open + 4..<max(open + 4, markup.end - 3), in: bytes)
            if copied > XMLBurden.copyBound { isExcessive = true }
        case .declaration:
            if ByteText.has("<!attlist", in: bytes, at: open) { isExcessive = true }
            if ByteText.has("<!entity", in: bytes, at: open) { addEntity(in: bytes, from: open + 8, to: markup.end) }
        case .endTag, .instruction, .section: break
        }
    }

    /// Adds the texts of an entity, which becomes markup wherever the entity is named.
    private mutating func addEntity(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) {
        // Parameter entities that declare others are in no feed.
        guard !isEntity else {
            isExcessive = true
            return
        }
        isEntity = true
        defer { isEntity = false }
        var index = start
        while !isExcessive, let quote = bytes[index..<end].firstIndex(where: { $0 == 0x22 || $0 == 0x27 }) {
            let close = bytes[(quote + 1)..<end].firstIndex(of: bytes[quote]) ?? end
            // As libxml2 keeps it (XML 1.0 section 4.5).
            XMLReference.charactersReplaced(in: bytes, from: quote + 1, to: close).withUnsafeBufferPointer {
                add($0, from: 0)
            }
            index = min(close + 1, end)
        }
    }

    private func copies(ofComment comment: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var copied = 0
        var index = comment.lowerBound
        while copied <= XMLBurden.copyBound, index < comment.upperBound,
            let hyphens = ByteText.find("--", in: bytes, from: index), hyphens < comment.upperBound
        {
            copied += hyphens - comment.lowerBound
            index = hyphens + 1
        }
        return copied
    }
}
