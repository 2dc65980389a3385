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
            switch bytes[open + 1] {
            case UInt8(ascii: "/"): index = open + 2
            case UInt8(ascii: "?"): index = end(of: "?>", from: open + 2)
            case UInt8(ascii: "!"):
                if ByteText.has("<!--", in: bytes, at: open) {
                    index = end(of: "-->", from: open + 4)
                    copied += copies(ofComment: open + 4..<max(open + 4, index - 3))
                    if copied > XMLBurden.copyBound { return true }
                } else if ByteText.has("<![cdata[", in: bytes, at: open) {
                    index = end(of: "]]>", from: open + 9)
                } else if ByteText.has("<!attlist", in: bytes, at: open) {
                    return true
                } else {
                    index = open + 2
                }
            default:
                let tag = tag(from: open + 1)
                if tag.attributes > XMLBurden.attributeBound { return true }
                if tag.attributes > XMLBurden.richTag { richTags += 1 }
                if richTags > XMLBurden.richTagBound { return true }
                index = tag.end
            }
        }
        return false
    }

    /// Where a start tag ends, and how many quoted values it has.
    private func tag(from start: Int) -> (end: Int, attributes: Int) {
        var index = start
        var attributes = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ">"), UInt8(ascii: "<"): return (index, attributes)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                attributes += 1
                index = ByteText.index(of: bytes[index], in: bytes, from: index + 1) ?? bytes.count
            default: break
            }
            index += 1
        }
        return (bytes.count, attributes)
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

    private func end(of closer: StaticString, from start: Int) -> Int {
        ByteText.find(closer, in: bytes, from: start).map { $0 + closer.utf8CodeUnitCount } ?? bytes.count
    }
}
