/// Makes bytes that claim to be UTF-8 so.
enum UTF8Repair {
    /// U+FFFD.
    static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    /// With a space for each NUL. Readers of HTML pass over it (WHATWG HTML, 13.2.5), and libxml2 stops there in silence.
    static func withoutNUL(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.contains(0) ? bytes.map { $0 == 0 ? 0x20 : $0 }[...] : bytes
    }

    /// The same bytes where they are valid. Bytes that are invalid become U+FFFD, unless not one character beyond ASCII
    /// is valid: then the document is in windows-1252 and only says that it is UTF-8.
    static func repaired(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let (characters, errors) = survey(bytes)
        if errors == 0 { return bytes }
        if characters == 0, let converted = CharacterConversion.utf8(bytes, from: "CP1252") { return converted[...] }
        return Array(String(decoding: bytes, as: UTF8.self).utf8)[...]
    }

    static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { firstWide(in: $0) == $0.count || survey(bytes).errors == 0 }
    }

    /// Whether most of what is beyond ASCII in it is UTF-8. Not all: one item that was cut within a character makes it no other text.
    static func isMostlyWide(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.withUnsafeBufferPointer({ firstWide(in: $0) == $0.count }) { return false }
        let (characters, errors) = survey(bytes)
        return characters > errors
    }

    /// Where ASCII ends.
    static func firstWide(in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int {
        var index = start
        while index + 8 <= bytes.count {
            let narrow = ByteWord(bytes, at: index).firstOutside(from: 0)
            index += narrow
            if narrow < 8 { return index }
        }
        while index < bytes.count, bytes[index] < 0x80 { index += 1 }
        return index
    }

    /// Whether all is ASCII; nil where it is not even UTF-8.
    static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
        var index = firstWide(in: bytes)
        let isASCII = index == bytes.count
        while index < bytes.count {
            guard let length = sequenceLength(bytes, at: index) else { return nil }
            index += length
            if index < bytes.count, bytes[index] < 0x80 { index = firstWide(in: bytes, from: index) }
        }
        return isASCII
    }

    /// How many characters beyond ASCII are valid, and how many bytes are not.
    private static func survey(_ bytes: ArraySlice<UInt8>) -> (characters: Int, errors: Int) {
        bytes.withUnsafeBufferPointer { bytes in
            var characters = 0
            var errors = 0
            var index = 0
            while index < bytes.count {
                if bytes[index] < 0x80 {
                    index += 1
                } else if let length = sequenceLength(bytes, at: index) {
                    characters += 1
                    index += length
                } else {
                    errors += 1
                    index += 1
                }
            }
            return (characters, errors)
        }
    }

    /// The length of the character of two to four bytes that begins at `index`; nil where none does (RFC 3629 section 4).
    static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
        let lead = bytes[index]
        let rest = bytes.count - index
        func isTail(_ offset: Int) -> Bool { bytes[index + offset] & 0xC0 == 0x80 }
        switch lead {
        case 0xE0...0xEF:
            guard rest > 2, isTail(1), isTail(2) else { return nil }
            // In more bytes than it takes; a surrogate.
            if lead == 0xE0, bytes[index + 1] < 0xA0 { return nil }
            if lead == 0xED, bytes[index + 1] > 0x9F { return nil }
            return 3
        case 0xC2...0xDF: return rest > 1 && isTail(1) ? 2 : nil
        case 0xF0...0xF4:
            guard rest > 3, isTail(1), isTail(2), isTail(3) else { return nil }
            // In more bytes than it takes; beyond Unicode.
            if lead == 0xF0, bytes[index + 1] < 0x90 { return nil }
            if lead == 0xF4, bytes[index + 1] > 0x8F { return nil }
            return 4
        default: return nil
        }
    }
}
