/// The references that mean the same in every XML document: those to its five own entities and to characters (XML 1.0,
/// sections 4.1 and 4.6).
enum XMLReference {
    /// The character of the reference that the cursor stands on (at its `&`) and its length, nil where there is none.
    static func read(_ cursor: ByteCursor) -> (character: Unicode.Scalar, length: Int)? {
        if cursor.peek(1) == UInt8(ascii: "#") { return numeric(cursor) }
        return CharacterReference.common(cursor).map { (Unicode.Scalar($0.character), $0.length) }
    }

    /// A part with its references to characters replaced, as the text of an entity is kept (XML 1.0, section 4.5).
    static func charactersReplaced(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(end - start)
        var cursor = ByteCursor(bytes, from: start, to: end)
        while !cursor.isAtEnd {
            if cursor.current == UInt8(ascii: "&"), cursor.peek(1) == UInt8(ascii: "#"), let reference = numeric(cursor)
            {
                text += UTF8.encode(reference.character) ?? UTF8.encodedReplacementCharacter
                cursor.index += reference.length
            } else {
                text.append(cursor.current)
                cursor.index += 1
            }
        }
        return text
    }

    private static func numeric(_ cursor: ByteCursor) -> (character: Unicode.Scalar, length: Int)? {
        let isHex = cursor.peek(2) == UInt8(ascii: "x")
        var length = isHex ? 3 : 2
        var value: UInt32 = 0
        while let digit = cursor.peek(length).hexValue, isHex || digit < 10, value <= 0x10FFFF {
            value = value * (isHex ? 16 : 10) + digit
            length += 1
        }
        guard cursor.peek(length) == UInt8(ascii: ";"), let scalar = Unicode.Scalar(value),
            XMLCharacters.isAllowed(scalar)
        else { return nil }
        return (scalar, length + 1)
    }
}
