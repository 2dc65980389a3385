/// Runs of marks that belong to the letter before them. Swift orders each run by insertion whenever it compares texts or looks them
/// up, so that a document of nothing else would keep the processor busy for hours.
///
/// Of each run the beginning is kept, as the Stream-Safe Text Format has it (UAX #15 section 13): no script needs more than that.
enum MarkRuns {
    static let limit = 30

    /// The text, unless it has a longer run.
    static func bounded(_ text: String) -> String { withUTF8(of: text, mayBeLong) ? shortened(text) : text }

    /// Whether there may be a run that is longer. Of such a run at least one character stands at every 62nd byte, as none of it is shorter
    /// than two: where the others there are none, it is not looked further.
    static func mayBeLong(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 2 * limit + 1
        while index < bytes.count {
            var end = start(of: index, in: bytes)
            if mayBeMark(bytes, at: end) {
                var count = countBefore(end, in: bytes)
                while end < bytes.count, mayBeMark(bytes, at: end) {
                    count += 1
                    if count > limit { return true }
                    end += 1
                    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
                }
                index = max(index, end)
            }
            index += 2 * limit + 2
        }
        return false
    }

    /// Of the character that a byte belongs to.
    private static func start(of index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var start = index
        while start > 0, index - start < 3, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return start
    }

    /// How many marks, at most as many as a run may have, stand right before a character.
    private static func countBefore(_ place: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var (count, place) = (0, place)
        while count < limit, place > 0 {
            let before = start(of: place - 1, in: bytes)
            guard mayBeMark(bytes, at: before) else { break }
            (count, place) = (count + 1, before)
        }
        return count
    }

    private static func mayBeMark(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        switch bytes[index] {
        case 0xCC, 0xCD, 0xD2, 0xD6...0xDF, 0xE0...0xE2, 0xEA, 0xEF, 0xF0, 0xF3: true
        // U+302A…U+302F, U+3099 and U+309A, among the letters of Japan.
        case 0xE3 where index + 2 < bytes.count:
            switch bytes[index + 1] {
            case 0x80: (0xAA...0xAF).contains(bytes[index + 2])
            case 0x82: (0x99...0x9A).contains(bytes[index + 2])
            default: false
            }
        default: false
        }
    }

    /// The text with no longer runs.
    static func shortened(_ text: String) -> String {
        var count = 0
        func isKept(_ scalar: Unicode.Scalar) -> Bool {
            count = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : count + 1
            return count <= limit
        }
        if text.unicodeScalars.allSatisfy(isKept) { return text }
        count = 0
        return String(String.UnicodeScalarView(text.unicodeScalars.filter(isKept)))
    }
}

extension String {
    /// The text of some bytes, as `init(decoding:as:)` makes it, but with no run of marks that is longer than ``MarkRuns/limit``: for all
    /// that outsiders write.
    ///
    /// That one looks at each byte of a text that is not all ASCII, which was a third of what reading a feed's texts took.
    init(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        // No more bytes than a long run has.
        let isASCII = bytes.count > 15 ? UTF8Repair.isASCII(bytes) : nil
        if isASCII != true, bytes.count > 2 * MarkRuns.limit, MarkRuns.mayBeLong(bytes) {
            self = MarkRuns.shortened(String(decoding: bytes, as: UTF8.self))
        } else if #available(macOS 26, *), let isASCII {
            let text = unsafe UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII)
            self.init(copying: text)
        } else {
            self.init(decoding: bytes, as: UTF8.self)
        }
    }

    /// The same of bytes wherever they are.
    init(utf8 bytes: some Collection<UInt8>) {
        let text = bytes.withContiguousStorageIfAvailable { String(utf8: $0) }
        self = text ?? Array(bytes).withUnsafeBufferPointer { String(utf8: $0) }
    }

    /// The same of what ends with a NUL.
    init(utf8 bytes: UnsafePointer<UInt8>) {
        var count = 0
        while bytes[count] != 0 { count += 1 }
        self.init(utf8: UnsafeBufferPointer(start: bytes, count: count))
    }
}
