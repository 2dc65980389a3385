/// Where a byte stands next. It is looked for again only from behind the last place, so that all looks together cost no
/// more than the length of the text.
struct NextByte {
    private let byte: UInt8
    private var found = -1

    init(_ byte: UInt8) {
        self.byte = byte
    }

    /// The first place from `start` on, which never goes back; the end where there is none.
    mutating func place(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        if found < start { found = ByteText.index(of: byte, in: bytes, from: start) ?? bytes.count }
        return found
    }
}
