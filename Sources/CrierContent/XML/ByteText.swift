/// Small questions to UTF-8 bytes that answer without making a String.
enum ByteText {
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
    }

    /// Without the ASCII white space at both ends.
    static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var start = 0
        var end = bytes.count
        while start < end, isSpace(bytes[start]) { start += 1 }
        while end > start, isSpace(bytes[end - 1]) { end -= 1 }
        return UnsafeBufferPointer(rebasing: bytes[start..<end])
    }

    /// nil where there are no bytes.
    static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    static func equalIgnoringCase(_ bytes: UnsafeBufferPointer<UInt8>, _ name: StaticString) -> Bool {
        guard bytes.count == name.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count where lowercased(bytes[index]) != name.utf8Start[index] { return false }
        return true
    }

    /// Where `pattern`, in lower case, first begins at or after `start`, whatever the letter case of the bytes.
    static func find(_ pattern: StaticString, in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        let length = pattern.utf8CodeUnitCount
        guard length > 0, start >= 0, bytes.count >= length else { return nil }
        var index = start
        while index <= bytes.count - length {
            var matched = 0
            while matched < length, lowercased(bytes[index + matched]) == pattern.utf8Start[matched] { matched += 1 }
            if matched == length { return index }
            index += 1
        }
        return nil
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}
