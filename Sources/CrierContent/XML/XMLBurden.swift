/// Finds documents made to waste time: what libxml2 does with many attributes or namespaces takes time that grows with
/// the square of their number; and at each double hyphen in a comment, an error, it copies the comment so far.
///
/// Tags are told apart as in a well-formed document: libxml2 comes no further than to the first error either.
struct XMLBurden {
    private static let attributeBound = 512
    /// Feeds declare up to some twenty namespaces, at their root.
    private static let richTag = 32
    private static let richTagBound = 64

    private let bytes: UnsafeBufferPointer<UInt8>
    private var richTags = 0
    /// Bytes of comments that errors copy: some tenths of a second.
    private static let copyBound = 500_000_000
    private var copied = 0

    /// Whether a document is to be kept from libxml2 as it is.
    static func isExcessive(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var burden = XMLBurden(bytes: bytes)
        return burden.isExcessive()
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private mutating func isExcessive() -> Bool {
        var index = 0
        while let open = ByteText.index(of: UInt8(ascii: "<"), in: bytes, from: index), open + 1 < bytes.count {
            let markup = XMLMarkup(in: bytes, at: open)
            switch markup.kind {
            case .startTag(let attributes):
                if attributes > XMLBurden.attributeBound { return true }
                if attributes > XMLBurden.richTag { richTags += 1 }
                if richTags > XMLBurden.richTagBound { return true }
            case .comment:
                copied += copies(ofComment: open + 4..<max(open + 4, markup.end - 3))
                if copied > XMLBurden.copyBound { return true }
            case .declaration: if ByteText.has("<!attlist", in: bytes, at: open) { return true }
            case .endTag, .instruction, .section: break
            }
            index = markup.end
        }
        return false
    }

    private func copies(ofComment comment: Range<Int>) -> Int {
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
