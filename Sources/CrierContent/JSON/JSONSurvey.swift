/// What has to be known of a JSON text before it is parsed.
struct JSONSurvey {
    /// Where the text begins, behind a byte order mark.
    private(set) var start = 0
    /// The deepest nesting of arrays and objects.
    private(set) var depth = 0
    /// The places of integers that a double cannot hold.
    private(set) var longIntegers: [Range<Int>] = []
    /// The places of escapes that are half of a surrogate pair, which libjq refuses.
    private(set) var loneSurrogates: [Int] = []

    /// The first place of a word such as `nan`, which libjq reads and JSON does not have.
    private(set) var foreignWord: Int?

    /// The place of the first string with no separator from the value before it: libjq never frees it.
    private(set) var unseparated: Range<Int>?

    /// How much memory libjq's values will take, in bytes, about: its smallest object has eight slots, its smallest
    /// array sixteen.
    private(set) var cost = 0

    var needsRepair: Bool { !longIntegers.isEmpty || !loneSurrogates.isEmpty }

    private static let exactDigits = 15

    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { start = 3 }
        var level = 0
        var followsValue = false
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x22:
                let start = index
                index = endOfString(bytes, from: index + 1)
                cost += 48 + index - start
                if followsValue, unseparated == nil { unseparated = start..<min(index + 1, bytes.count) }
                followsValue = true
            case 0x5B, 0x7B:
                cost += bytes[index] == 0x7B ? 440 : 280
                level += 1
                depth = max(depth, level)
                followsValue = false
            case 0x5D, 0x7D:
                level -= 1
                followsValue = true
            case 0x2C, 0x3A:
                cost += 24
                followsValue = false
            case 0x09, 0x0A, 0x0D, 0x20: break
            case 0x30...0x39, 0x2D:
                let known = longIntegers.count
                index = number(bytes, from: index)
                // It would be a string, too.
                if followsValue, longIntegers.count > known { unseparated = unseparated ?? longIntegers.last }
                followsValue = true
            case 0x6E where Self.isNull(bytes, at: index):
                index += 3
                followsValue = true
            case 0x4E, 0x6E, 0x49, 0x69: foreignWord = foreignWord ?? index
            default: followsValue = true
            }
            index += 1
        }
    }

    /// The text up to the unseparated string, with a number at its end, for which libjq has the same words.
    static func truncated(_ bytes: [UInt8], at string: Range<Int>) -> [UInt8] {
        bytes[..<string.lowerBound] + Array(repeating: 0x20, count: max(0, string.count - 2)) + [0x30, 0x20]
    }

    private static func isNull(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        index + 4 <= bytes.count && bytes[index + 1] == 0x75 && bytes[index + 2] == 0x6C && bytes[index + 3] == 0x6C
    }

    /// The index of the quote that ends a string.
    private mutating func endOfString(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != 0x22 {
            guard bytes[index] == 0x5C else {
                index += 1
                continue
            }
            switch Self.surrogate(bytes, at: index) {
            case .high where Self.surrogate(bytes, at: index + 6) == .low: index += 12
            case .high, .low:
                loneSurrogates.append(index)
                index += 6
            case nil: index += 2
            }
        }
        return index
    }

    private enum Surrogate { case high, low }

    /// Which half the escape at `index` is, as in `\ud83d`.
    private static func surrogate(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Surrogate? {
        guard index + 6 <= bytes.count, bytes[index] == 0x5C, bytes[index + 1] == 0x75 else { return nil }
        guard bytes[index + 2] | 0x20 == 0x64, bytes[index + 4].isHexDigit, bytes[index + 5].isHexDigit else {
            return nil
        }
        switch bytes[index + 3] {
        case 0x38, 0x39, 0x41, 0x42, 0x61, 0x62: return .high
        case 0x43...0x46, 0x63...0x66: return .low
        default: return nil
        }
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

    /// Long integers quoted, lone surrogates made U+FFFD.
    func repaired(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for index in loneSurrogates { bytes.replaceSubrange(index + 2..<index + 6, with: "fffd".utf8) }
        if longIntegers.isEmpty { return bytes }
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
