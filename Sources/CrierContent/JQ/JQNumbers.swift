/// The numbers that a program writes.
enum JQNumbers {
    /// Whether a number is written that no double holds: the difference of two such is not a number, and libjq computes
    /// it while it compiles.
    static func holdInfinity(_ program: String) -> Bool {
        var opened: [Int] = []
        var depth = 0
        var isText = false
        return withUTF8(of: program) { bytes in
            var cursor = ByteCursor(bytes)
            while !cursor.isAtEnd {
                switch cursor.current {
                case 0x5C where isText && cursor.peek(1) == 0x28:
                    opened.append(depth)
                    isText = false
                    cursor.index += 1
                case 0x5C where isText: cursor.index += 1
                case 0x22: isText.toggle()
                case 0x23 where !isText:
                    // A carriage return ends a comment of jq, too.
                    while !cursor.isAtEnd, cursor.current != 0x0A, cursor.current != 0x0D { cursor.index += 1 }
                case 0x28 where !isText: depth += 1
                case 0x29 where !isText && opened.last == depth:
                    opened.removeLast()
                    isText = true
                case 0x29 where !isText: depth -= 1
                case let byte where !isText && (byte.isASCIIDigit || byte == 0x2E):
                    let start = cursor.index
                    while isNumberPart(cursor) { cursor.index += 1 }
                    if Double(String(decoding: bytes[start..<cursor.index], as: UTF8.self))?.isFinite == false {
                        return true
                    }
                    continue
                case let byte where !isText && (byte.isASCIILetter || byte == 0x5F):
                    // Digits within a name are no number.
                    while cursor.current.isASCIILetter || cursor.current.isASCIIDigit || cursor.current == 0x5F {
                        cursor.index += 1
                    }
                    continue
                default: break
                }
                cursor.index += 1
            }
            return false
        }
    }

    private static func isNumberPart(_ cursor: ByteCursor) -> Bool {
        let byte = cursor.current
        if byte.isASCIIDigit || byte == 0x2E || byte | 0x20 == 0x65 { return !cursor.isAtEnd }
        return (byte == 0x2B || byte == 0x2D) && cursor.peek(-1) | 0x20 == 0x65
    }
}
