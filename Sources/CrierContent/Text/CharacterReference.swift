/// HTML character references: `&amp;`, `&#8230;`, `&#x2026;`.
enum CharacterReference {
    /// The text of the reference that the cursor stands on (at its `&`) and its length, nil where there is none.
    static func read(_ cursor: ByteCursor) -> (text: String, length: Int)? {
        if cursor.peek(1) == 0x23 { return numeric(cursor) }
        guard cursor.peek(1).isASCIILetter else { return nil }
        if let (character, length) = common(cursor) {
            return (String(Unicode.Scalar(character)), length)
        }
        var length = 1
        while length <= EntityNames.longest, cursor.peek(length).isASCIILetter || cursor.peek(length).isASCIIDigit {
            length += 1
        }
        let letters = cursor.bytes[cursor.index + 1..<cursor.index + length]
        let name = String(utf8: letters)
        if cursor.peek(length) == 0x3B, let text = EntityNames.text(of: name) { return (text, length + 1) }
        return EntityNames.unterminatedHead(of: name).map { ($0.text, $0.length + 1) }
    }

    /// Those to XML's five entities, which nearly all references are: without a look into the table.
    static func common(_ cursor: ByteCursor) -> (character: UInt8, length: Int)? {
        switch cursor.peek(1) {
        case 0x6C: cursor.peek(2) == 0x74 && cursor.peek(3) == 0x3B ? (0x3C, 4) : nil
        case 0x67: cursor.peek(2) == 0x74 && cursor.peek(3) == 0x3B ? (0x3E, 4) : nil
        case 0x61:
            switch (cursor.peek(2), cursor.peek(3), cursor.peek(4), cursor.peek(5)) {
            case (0x6D, 0x70, 0x3B, _): (0x26, 5)
            case (0x70, 0x6F, 0x73, 0x3B): (0x27, 6)
            default: nil
            }
        case 0x71:
            switch (cursor.peek(2), cursor.peek(3), cursor.peek(4), cursor.peek(5)) {
            case (0x75, 0x6F, 0x74, 0x3B): (0x22, 6)
            default: nil
            }
        default: nil
        }
    }

    private static func numeric(_ cursor: ByteCursor) -> (text: String, length: Int)? {
        let isHex = cursor.peek(2) | 0x20 == 0x78
        var length = isHex ? 3 : 2
        let first = length
        var value: UInt32 = 0
        while true {
            let byte = cursor.peek(length)
            guard let digit = byte.hexValue, isHex || digit < 10 else { break }
            // Beyond Unicode the value no longer matters, only that it does not overflow.
            if value <= 0x10FFFF { value = value * (isHex ? 16 : 10) + digit }
            length += 1
        }
        guard length > first else { return nil }
        if cursor.peek(length) == 0x3B { length += 1 }
        return (String(Character(scalar(value))), length)
    }

    /// WHATWG HTML §13.2.5.80: 0, surrogates and what Unicode lacks are U+FFFD; 0x80…0x9F mean windows-1252.
    private static func scalar(_ value: UInt32) -> Unicode.Scalar {
        let mapped = value >= 0x80 && value <= 0x9F ? windows1252[Int(value - 0x80)] : value
        guard mapped != 0, let scalar = Unicode.Scalar(mapped) else { return "\u{FFFD}" }
        return scalar
    }

    /// What is meant by a control character U+0080…U+009F: nobody writes one, and many copy windows-1252 into what is none
    /// (`&#146;` in XML). nil: nothing.
    static func meant(byControl control: UInt8) -> String? {
        let meant = scalar(UInt32(control))
        return meant.value == UInt32(control) ? nil : String(Character(meant))
    }

    private static let windows1252: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]
}
