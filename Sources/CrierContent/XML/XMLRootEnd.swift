/// Looks for the end of the root element in XML of any shape.
enum XMLRootEnd {
    /// Whether the element of that name ends, prefixes aside. What sections, comments and attributes speak of is no end,
    /// except as the last of the document: badly written markup may seem to be one of these up to its end.
    static func isPresent(in bytes: UnsafeBufferPointer<UInt8>, of root: String) -> Bool {
        var root = root
        return root.withUTF8 { isLast(in: bytes, of: $0) || isFound(in: bytes, of: $0) }
    }

    private static func isLast(in bytes: UnsafeBufferPointer<UInt8>, of root: UnsafeBufferPointer<UInt8>) -> Bool {
        let text = ByteText.trimmed(bytes)
        guard let open = text.lastIndex(of: UInt8(ascii: "<")), text.last == UInt8(ascii: ">"),
            text[(open + 1)...].first == UInt8(ascii: "/")
        else { return false }
        let name = localName(in: text, at: open + 2)
        return name.elementsEqual(root) && text[name.endIndex..<text.count - 1].allSatisfy(\.isASCIISpace)
    }

    private static func isFound(in bytes: UnsafeBufferPointer<UInt8>, of root: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        var depth = 0
        while let open = ByteText.index(of: UInt8(ascii: "<"), in: bytes, from: index), open + 1 < bytes.count {
            let markup = XMLMarkup(in: bytes, at: open)
            index = markup.end
            guard bytes[markup.end - 1] == UInt8(ascii: ">") else { continue }
            switch markup.kind {
            case .startTag where bytes[markup.end - 2] != UInt8(ascii: "/"):
                if localName(in: bytes, at: open + 1).elementsEqual(root) { depth += 1 }
            case .endTag where localName(in: bytes, at: open + 2).elementsEqual(root):
                depth -= 1
                if depth <= 0 { return true }
            default: break
            }
        }
        return false
    }

    private static func localName(
        in bytes: UnsafeBufferPointer<UInt8>, at start: Int
    ) -> Slice<UnsafeBufferPointer<UInt8>> {
        let name = bytes[min(start, bytes.count)...].prefix {
            !$0.isASCIISpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
        }
        return name[(name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex)...]
    }
}
