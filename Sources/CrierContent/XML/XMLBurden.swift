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
            if attributes > XMLBurden.attributeBound || richTags > XMLBurden.richTagBound { isExcessive = true }
        case .comment:
            copied += copies(ofComment: open + 4..<max(open + 4, markup.end - 3), in: bytes)
            if copied > XMLBurden.copyBound { isExcessive = true }
        case .declaration: if ByteText.has("<!attlist", in: bytes, at: open) { isExcessive = true }
        case .endTag, .instruction, .section: break
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
