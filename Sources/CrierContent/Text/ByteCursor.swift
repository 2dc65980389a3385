/// Reads bytes forward; beyond the end every byte is 0, so that a look ahead needs no bounds in its caller.
struct ByteCursor {
    let bytes: UnsafeBufferPointer<UInt8>
    var index: Int
    let end: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        index = 0
        end = bytes.count
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>, from index: Int, to end: Int) {
        self.bytes = bytes
        self.index = index
        self.end = end
    }

    var isAtEnd: Bool { index >= end }
    var current: UInt8 { index < end ? bytes[index] : 0 }

    func peek(_ distance: Int) -> UInt8 {
        let position = index + distance
        return position >= 0 && position < end ? bytes[position] : 0
    }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard current == byte, !isAtEnd else { return false }
        index += 1
        return true
    }

    mutating func skipSpaces() {
        while index < end, bytes[index].isASCIISpace { index += 1 }
    }

    /// The number of digits from here on.
    var digitCount: Int {
        var position = index
        while position < end, bytes[position].isASCIIDigit { position += 1 }
        return position - index
    }

    /// Reads exactly `count` digits, or nothing.
    mutating func digits(_ count: Int) -> Int? {
        guard index + count <= end else { return nil }
        var value = 0
        for position in index..<index + count {
            guard bytes[position].isASCIIDigit else { return nil }
            value = value * 10 + Int(bytes[position] &- 0x30)
        }
        index += count
        return value
    }
}

extension UInt8 {
    var isASCIIDigit: Bool { self &- 0x30 < 10 }
    var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
    /// Space, tab, line feed, vertical tab, form feed, carriage return.
    var isASCIISpace: Bool { self == 0x20 || self &- 9 < 5 }
    var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
    var isHexDigit: Bool { isASCIIDigit || (self | 0x20) &- 0x61 < 6 }
    /// nil for what is no hexadecimal digit.
    var hexValue: UInt32? {
        if isASCIIDigit { return UInt32(self &- 0x30) }
        return isHexDigit ? UInt32((self | 0x20) &- 0x57) : nil
    }
    init(ascii: Unicode.Scalar) { self = UInt8(truncatingIfNeeded: ascii.value) }
}

/// Runs `body` over the UTF-8 of a string, without a copy where its storage is contiguous (it nearly always is).
func withUTF8<Result>(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
    return Array(text.utf8).withUnsafeBufferPointer(body)
}
