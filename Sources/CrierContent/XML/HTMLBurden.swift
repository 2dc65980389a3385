/// Finds pages made to waste time: libxml2 compares each attribute of a tag with all that came before it.
///
/// Looks at tags as libxml2's HTML parser does, and where in doubt counts too many attributes rather than too few.
struct HTMLBurden {
    /// Comparisons: some tenths of a second. A tag of a thousand attributes is half a million.
    private static let bound = 20_000_000

    private let bytes: UnsafeBufferPointer<UInt8>
    private var comparisons = 0

    /// Whether a page is to be kept from libxml2.
    static func isExcessive(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var burden = HTMLBurden(bytes: bytes)
        return burden.isExcessive()
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private mutating func isExcessive() -> Bool {
        var index = 0
        while let open = ByteText.index(of: UInt8(ascii: "<"), in: bytes, from: index), open + 1 < bytes.count {
            guard bytes[open + 1].isASCIILetter else {
                index = open + 1
                continue
            }
            let tag = HTMLTag(in: bytes, from: open + 1)
            comparisons += min(tag.attributes * tag.attributes, Self.bound)
            if comparisons >= Self.bound { return true }
            index = tag.end
            // What looks like tags within a script is none.
            for (name, closer) in [("<script", "</script"), ("<style", "</style")] as [(StaticString, StaticString)]
            where ByteText.has(name, in: bytes, at: open) && !tag.isClosed {
                index = ByteText.find(closer, in: bytes, from: index) ?? bytes.count
            }
        }
        return false
    }
}
