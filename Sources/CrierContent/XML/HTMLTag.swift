/// One start tag, told apart as libxml2's HTML parser does.
struct HTMLTag {
    /// Where its `>` is; the end of the page where it has none.
    let end: Int
    /// How many it has at most.
    let attributes: Int
    /// Whether it ends in `/>`.
    let isClosed: Bool

    /// - Parameter start: where its name begins.
    init(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
        var index = start
        var attributes = 0
        var before = bytes[start]
        var isAtBreak = false
        while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
            let byte = bytes[index]
            if before == UInt8(ascii: "="), byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                index = ByteText.index(of: byte, in: bytes, from: index + 1) ?? bytes.count
                before = byte
                isAtBreak = true
            } else if byte.isASCIISpace || byte == UInt8(ascii: "/") {
                isAtBreak = true
                if byte == UInt8(ascii: "/") { before = byte }
            } else {
                if isAtBreak, byte != UInt8(ascii: "="), before != UInt8(ascii: "=") { attributes += 1 }
                isAtBreak = false
                before = byte
            }
            index += 1
        }
        end = min(index, bytes.count)
        self.attributes = attributes
        isClosed = end < bytes.count && before == UInt8(ascii: "/")
    }
}
