#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Small questions to UTF-8 bytes that answer without making a String.
enum ByteText {
    /// Without the ASCII white space at both ends.
    static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var start = 0
        var end = bytes.count
        while start < end, bytes[start].isASCIISpace { start += 1 }
        while end > start, bytes[end - 1].isASCIISpace { end -= 1 }
        return UnsafeBufferPointer(rebasing: bytes[start..<end])
    }

    /// nil where there are no bytes.
    static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        bytes.isEmpty ? nil : String(utf8: bytes)
    }

    static func equalIgnoringCase(_ bytes: UnsafeBufferPointer<UInt8>, _ name: StaticString) -> Bool {
        guard bytes.count == name.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count where bytes[index].asciiLowercased != name.utf8Start[index] { return false }
        return true
    }

    static func index(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        guard let base = bytes.baseAddress, start >= 0, start < bytes.count,
            let found = memchr(base + start, Int32(byte), bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Whether `pattern`, in lower case, stands at `index`, whatever the letter case of the bytes.
    static func has(_ pattern: StaticString, in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        let length = pattern.utf8CodeUnitCount
        guard index + length <= bytes.count else { return false }
        for offset in 0..<length where bytes[index + offset].asciiLowercased != pattern.utf8Start[offset] {
            return false
        }
        return true
    }

    /// Where `pattern`, which is in lower case and begins with no letter, is first found at or after `start`.
    static func find(_ pattern: StaticString, in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        var from = start
        while let index = index(of: pattern.utf8Start[0], in: bytes, from: from) {
            if has(pattern, in: bytes, at: index) { return index }
            from = index + 1
        }
        return nil
    }
}

extension String {
    /// Without ASCII white space at its ends.
    func trimmingASCIISpaces() -> String {
        guard utf8.first?.isASCIISpace == true || utf8.last?.isASCIISpace == true else { return self }
        let head = utf8.drop(while: \.isASCIISpace)
        guard let last = head.lastIndex(where: { !$0.isASCIISpace }) else { return "" }
        return String(utf8: head[...last])
    }
}
