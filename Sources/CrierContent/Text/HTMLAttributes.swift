/// The attributes of one tag.
struct HTMLAttributes {
    private var cursor: ByteCursor

    /// - Parameter cursor: from behind the element's name to before the `>`.
    init(_ cursor: ByteCursor) {
        self.cursor = cursor
    }

    /// The value as written, character references undecoded.
    mutating func value(of wanted: String) -> String? {
        while let (name, value) = next() {
            if name == wanted { return value }
        }
        return nil
    }

    private mutating func next() -> (name: String, value: String)? {
        while cursor.current.isASCIISpace || cursor.current == 0x2F { cursor.index += 1 }
        guard !cursor.isAtEnd else { return nil }
        let name = text { !$0.isASCIISpace && $0 != 0x3D && $0 != 0x2F }.lowercased()
        cursor.skipSpaces()
        guard cursor.skip(0x3D) else { return (name, "") }
        cursor.skipSpaces()
        let quote = cursor.current
        guard quote == 0x22 || quote == 0x27 else { return (name, text { !$0.isASCIISpace }) }
        cursor.index += 1
        let value = text { $0 != quote }
        _ = cursor.skip(quote)
        return (name, value)
    }

    private mutating func text(while isPart: (UInt8) -> Bool) -> String {
        let start = cursor.index
        while !cursor.isAtEnd, isPart(cursor.current) { cursor.index += 1 }
        return String(utf8: cursor.bytes[start..<cursor.index])
    }
}
