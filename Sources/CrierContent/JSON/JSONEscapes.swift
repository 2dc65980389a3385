/// The escapes within JSON's strings (RFC 8259 section 7).
package enum JSONEscapes {
    /// A text between its quotation marks, with as few escapes as there can be.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { text in
            var rest = text[...]
            while let index = rest.firstIndex(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
                bytes += rest[..<index]
                let byte = rest[index]
                if byte < 0x20 {
                    bytes += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
                } else {
                    bytes += [0x5C, byte]
                }
                rest = rest[(index + 1)...]
            }
            bytes += rest
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The length of the escape that begins at `index`; nil where JSON has no such escape.
    static func length(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
        guard index + 1 < bytes.count else { return nil }
        switch bytes[index + 1] {
        case 0x22, 0x2F, 0x5C, 0x62, 0x66, 0x6E, 0x72, 0x74: return 2
        case 0x75: return unit(in: bytes, at: index) == nil ? nil : 6
        default: return nil
        }
    }

    /// The text that a string's bytes stand for: escapes resolved, a half of a surrogate pair alone and invalid UTF-8
    /// replaced by U+FFFD.
    static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        // An escape is never shorter than what it stands for.
        String(unsafeUninitializedCapacity: bytes.count) { output in
            var count = 0
            var index = 0
            while index < bytes.count {
                let run = bytes[index...].firstIndex(of: 0x5C) ?? bytes.count
                _ = output[count...].update(fromContentsOf: bytes[index..<run])
                count += run - index
                index = run
                guard index < bytes.count else { break }
                let (scalar, length) = scalar(in: bytes, at: index)
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    output[count] = byte
                    count += 1
                }
                index += length
            }
            return count
        }
    }

    /// What the escape at `index` stands for; two are one character where they are a surrogate pair.
    private static func scalar(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (Unicode.Scalar, length: Int) {
        guard index + 1 < bytes.count else { return ("\u{FFFD}", 1) }
        switch bytes[index + 1] {
        case 0x62: return ("\u{8}", 2)
        case 0x66: return ("\u{C}", 2)
        case 0x6E: return ("\n", 2)
        case 0x72: return ("\r", 2)
        case 0x74: return ("\t", 2)
        case 0x75:
            guard let first = unit(in: bytes, at: index) else { return ("\u{FFFD}", 2) }
            if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
            guard first < 0xDC00, let second = unit(in: bytes, at: index + 6), second >= 0xDC00, second < 0xE000,
                let pair = Unicode.Scalar(0x10000 + UInt32(first - 0xD800) << 10 + UInt32(second - 0xDC00))
            else { return ("\u{FFFD}", 6) }
            return (pair, 12)
        case let byte: return (Unicode.Scalar(byte), 2)
        }
    }

    /// The number that four hexadecimal digits behind `\u` are.
    private static func unit(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == 0x5C, bytes[index + 1] == 0x75 else { return nil }
        var value: UInt16 = 0
        for byte in bytes[index + 2..<index + 6] {
            guard byte.isHexDigit else { return nil }
            value = value << 4 | UInt16(byte.isASCIIDigit ? byte - 0x30 : (byte | 0x20) - 0x57)
        }
        return value
    }
}
