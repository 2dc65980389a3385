/// What a repaired document says between its tags.
extension XMLRepair {
    /// Copies text, with references that mean something left alone.
    mutating func text(upTo end: Int, escaping inAttribute: Bool = false) {
        while index < end {
            copyPlain(upTo: end)
            guard index < end else { return }
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "&"): reference(upTo: end)
            case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\"") where inAttribute: output.append(contentsOf: "&quot;".utf8)
            default: if isCharacter(byte) { output.append(byte) }
            }
            index += 1
        }
    }

    /// Copies text in which nothing has a meaning.
    mutating func literal(upTo end: Int) {
        while index < end {
            copyPlain(upTo: end)
            guard index < end else { return }
            switch bytes[index] {
            case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
            case let byte: if isCharacter(byte) { output.append(byte) }
            }
            index += 1
        }
    }

    /// Copies what needs no look: nearly all text.
    private mutating func copyPlain(upTo end: Int) {
        let start = index
        while index < end, XMLRepair.isPlain(bytes[index]) { index += 1 }
        if index > start { output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index])) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x0A, 0x20, 0x21, 0x23...0x25, 0x27...0x3B, 0x3D, 0x3F...0xEE, 0xF0...0xFF: true
        default: false
        }
    }

    mutating func escapeOne() {
        output.append(contentsOf: "&lt;".utf8)
        index += 1
    }

    /// XML 1.0 allows three control characters, of which a line feed is plain; the noncharacters U+FFFE and U+FFFF are
    /// `EF BF BE` and `EF BF BF`.
    private mutating func isCharacter(_ byte: UInt8) -> Bool {
        if byte == 0xEF, self.byte(1) == 0xBF, let last = self.byte(2), last >= 0xBE {
            index += 2
            return false
        }
        return byte >= 0x20 || byte == 0x09 || byte == 0x0D
    }

    /// Copies the `&` at the index, escaped unless it begins a reference that XML or HTML knows. A reference to a control
    /// character goes like the character itself.
    private mutating func reference(upTo end: Int) {
        let bound = min(end, index + 34)
        var semicolon = index + 1
        while semicolon < bound, isNameByte(bytes[semicolon]) || bytes[semicolon] == UInt8(ascii: "#") {
            semicolon += 1
        }
        guard semicolon < bound, bytes[semicolon] == UInt8(ascii: ";") else {
            return output.append(contentsOf: "&amp;".utf8)
        }
        let name = String(utf8: bytes[(index + 1)..<semicolon])
        guard name.hasPrefix("#") else {
            if let value = entities.unfolded(name) {
                index = semicolon
                return output.append(contentsOf: value)
            }
            let isKnown = EntityNames.text(of: name) != nil
            return output.append(contentsOf: isKnown ? "&".utf8 : "&amp;".utf8)
        }
        let digits = name.dropFirst()
        let value = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let value else { return output.append(contentsOf: "&amp;".utf8) }
        index = semicolon
        let isControl = value < 0x20 && ![0x09, 0x0A, 0x0D].contains(value)
        guard !isControl, value & 0xFFFE != 0xFFFE, let scalar = Unicode.Scalar(value) else { return }
        output.append(contentsOf: "&#\(scalar.value);".utf8)
    }
}
