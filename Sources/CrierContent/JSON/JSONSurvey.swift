/// What has to be known of a JSON text before it is parsed.
struct JSONSurvey {
    /// Where the text begins, behind a byte order mark.
    private(set) var start = 0
    /// The deepest nesting of arrays and objects.
    private(set) var depth = 0
    /// The places of integers that a double cannot hold.
    private(set) var longIntegers: [Range<Int>] = []

    private static let exactDigits = 15

    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { start = 3 }
        var level = 0
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x22: index = Self.endOfString(bytes, from: index + 1)
            case 0x5B, 0x7B:
                level += 1
                depth = max(depth, level)
            case 0x5D, 0x7D: level -= 1
            case 0x30...0x39, 0x2D: index = number(bytes, from: index)
            default: break
            }
            index += 1
        }
    }

    /// The index of the quote that ends a string.
    private static func endOfString(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != 0x22 {
            index += bytes[index] == 0x5C ? 2 : 1
        }
        return index
    }

    /// The index of a number's last byte.
    private mutating func number(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        if bytes[index] == 0x2D { index += 1 }
        let digits = index
        while index < bytes.count, bytes[index].isASCIIDigit { index += 1 }
        let count = index - digits
        var isInteger = true
        while index < bytes.count, Self.isNumberPart(bytes[index]) {
            isInteger = false
            index += 1
        }
        if isInteger, count > Self.exactDigits { longIntegers.append(start..<index) }
        return index - 1
    }

    private static func isNumberPart(_ byte: UInt8) -> Bool {
        byte.isASCIIDigit || byte == 0x2E || byte | 0x20 == 0x65 || byte == 0x2B || byte == 0x2D
    }

    func quotingLongIntegers(in bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 2 * longIntegers.count)
        var copied = 0
        for range in longIntegers {
            output += bytes[copied..<range.lowerBound]
            output.append(0x22)
            output += bytes[range]
            output.append(0x22)
            copied = range.upperBound
        }
        return output + bytes[copied...]
    }
}
