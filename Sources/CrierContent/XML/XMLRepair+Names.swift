/// Names, and the blanks around them.
extension XMLRepair {
    mutating func skipSpace() {
        while let byte = byte(0), byte.isASCIISpace { index += 1 }
    }

    mutating func name() -> Range<Int> {
        let start = index
        while let byte = byte(0), isNameByte(byte) { index += 1 }
        return start..<index
    }

    /// Whatever the letter case.
    func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        guard one.count == other.count else { return false }
        for offset in 0..<one.count
        where bytes[one.lowerBound + offset].asciiLowercased != bytes[other.lowerBound + offset].asciiLowercased {
            return false
        }
        return true
    }

    func isNameStart(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
    }

    func isNameByte(_ byte: UInt8) -> Bool {
        isNameStart(byte) || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: ":") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }
}
