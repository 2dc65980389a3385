/// Makes bytes that claim to be UTF-8 so.
enum UTF8Repair {
    /// U+FFFD.
    static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

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
    fileprivate static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
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
        guard lead >= 0xC2, lead <= 0xF4 else { return nil }
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard length <= bytes.count - index else { return nil }
        let second = bytes[index + 1]
        // Not in more bytes than it takes, no surrogate, nothing beyond Unicode.
        let isSecond =
            switch lead {
            case 0xE0: second >= 0xA0 && second <= 0xBF
            case 0xED: second >= 0x80 && second <= 0x9F
            case 0xF0: second >= 0x90 && second <= 0xBF
            case 0xF4: second >= 0x80 && second <= 0x8F
            default: second & 0xC0 == 0x80
            }
        guard isSecond else { return nil }
        if length > 2, bytes[index + 2] & 0xC0 != 0x80 { return nil }
        if length > 3, bytes[index + 3] & 0xC0 != 0x80 { return nil }
        return length
    }
}

extension String {
    /// As `init(decoding:as:)` makes it, which looks at each byte of a text that is not all ASCII: a third of what reading
    /// a feed's texts took.
    init(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        if #available(macOS 26, *), bytes.count > 15, let isASCII = UTF8Repair.isASCII(bytes) {
            let text = unsafe UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII)
            self.init(copying: text)
        } else {
            self.init(decoding: bytes, as: UTF8.self)
        }
    }
}
