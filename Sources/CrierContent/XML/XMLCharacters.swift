/// The characters that an XML document may hold (XML 1.0 section 2.2).
enum XMLCharacters {
    static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0xFFFE, 0xFFFF: false
        default: scalar.value >= 0x20
        }
    }

    /// Whether bytes are UTF-8 and hold no other character.
    static func areAllowed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            // Two words at a time, as most of a document is plain.
            if index + 16 <= bytes.count,
                !ByteWord(bytes, at: index).hasOutside(from: 0x20, or: ByteWord(bytes, at: index + 8))
            {
                index += 16
                continue
            }
            if index + 8 <= bytes.count {
                let odd = ByteWord(bytes, at: index).firstOutside(from: 0x20)
                index += odd
                if odd == 8 { continue }
            }
            // Characters beyond ASCII stand together.
            repeat {
                guard let length = length(in: bytes, at: index) else { return false }
                index += length
            } while index < bytes.count && bytes[index] >= 0x80
        }
        return true
    }

    /// Bytes of the character at `index`; nil where it is not allowed.
    private static func length(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
        let byte = bytes[index]
        if byte < 0x80 { return isAllowed(Unicode.Scalar(byte)) ? 1 : nil }
        guard let length = UTF8Repair.sequenceLength(bytes, at: index) else { return nil }
        // U+FFFE and U+FFFF.
        return byte == 0xEF && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE ? nil : length
    }
}
