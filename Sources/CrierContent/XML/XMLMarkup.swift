/// One piece of markup, told apart as in a well-formed document.
struct XMLMarkup {
    enum Kind {
        /// - Parameter attributes: how many quoted values it has.
        case startTag(attributes: Int)
        case endTag, instruction, comment, section
        /// A document type up to its `[`, and what stands in one.
        case declaration
    }

    let kind: Kind
    /// Behind its `>`, or at the `<` or the end of the document that ends it.
    let end: Int

    /// The markup whose `<` is at `open`.
    init(in bytes: UnsafeBufferPointer<UInt8>, at open: Int) {
        func end(of closer: StaticString, from start: Int) -> Int {
            ByteText.find(closer, in: bytes, from: start).map { $0 + closer.utf8CodeUnitCount } ?? bytes.count
        }
        switch open + 1 < bytes.count ? bytes[open + 1] : 0 {
        case UInt8(ascii: "/"):
            kind = .endTag
            let index = ByteWord.next(
                UInt8(ascii: ">"), or: UInt8(ascii: "<"), in: bytes, from: min(open + 2, bytes.count), to: bytes.count)
            self.end = index < bytes.count && bytes[index] == UInt8(ascii: ">") ? index + 1 : index
        case UInt8(ascii: "?"):
            kind = .instruction
            self.end = end(of: "?>", from: open + 2)
        case UInt8(ascii: "!"):
            if ByteText.has("<!--", in: bytes, at: open) {
                kind = .comment
                self.end = end(of: "-->", from: open + 4)
            } else if ByteText.has("<![cdata[", in: bytes, at: open) {
                kind = .section
                self.end = end(of: "]]>", from: open + 9)
            } else {
                kind = .declaration
                self.end = XMLMarkup.declaration(in: bytes, from: min(open + 2, bytes.count))
            }
        default:
            let tag = XMLMarkup.tag(in: bytes, from: open + 1)
            kind = .startTag(attributes: tag.attributes)
            self.end = tag.end
        }
    }

    /// What is quoted in a declaration is no markup where it stands.
    private static func declaration(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ">"), UInt8(ascii: "["): return index + 1
            case UInt8(ascii: "<"): return index
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                index = ByteText.index(of: bytes[index], in: bytes, from: index + 1) ?? bytes.count
            default: break
            }
            index += 1
        }
        return bytes.count
    }

    private static func tag(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> (end: Int, attributes: Int) {
        var index = start
        var attributes = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ">"): return (index + 1, attributes)
            case UInt8(ascii: "<"): return (index, attributes)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                attributes += 1
                index = ByteText.index(of: bytes[index], in: bytes, from: index + 1) ?? bytes.count
            default: break
            }
            index += 1
        }
        return (bytes.count, attributes)
    }
}
