/// Eight bytes looked at together: searches that rarely find go eight times as fast.
///
/// What ``matches(_:)`` finds is a mask in which the high bit of every such byte is set, the first byte's lowest.
struct ByteWord {
    private let bits: UInt64

    /// The bytes at `index` and behind it, which must be there.
    init(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
        bits = UInt64(littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    private static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    private static let high = repeated(0x80)

    /// The bytes that are that one.
    func matches(_ byte: UInt8) -> UInt64 {
        let difference = bits ^ Self.repeated(byte)
        return ~(((difference & ~Self.high) &+ ~Self.high) | difference) & Self.high
    }

    /// Whether some byte is beyond ASCII.
    var isWide: Bool { bits & Self.high != 0 }

    /// How many bytes stand before the first that is below a bound of ASCII or beyond ASCII; 8 where none is.
    func firstOutside(from bound: UInt8) -> Int {
        outside(from: bound).trailingZeroBitCount / 8
    }

    /// Whether one is in this word or another.
    func hasOutside(from bound: UInt8, or other: ByteWord) -> Bool {
        outside(from: bound) | other.outside(from: bound) != 0
    }

    /// A byte that is not outside borrows nothing from the next; behind the first that is, anything may be set.
    private func outside(from bound: UInt8) -> UInt64 { ((bits &- Self.repeated(bound)) | bits) & Self.high }

    /// Whether some byte is a control character of ASCII.
    var hasControl: Bool {
        // Of ASCII, what is below a space borrows, and 0x7F carries over; the first that does so is right.
        let borrows = bits &- Self.repeated(0x20)
        let carries = (bits & ~Self.high) &+ Self.repeated(0x01)
        return (borrows | carries) & ~bits & Self.high != 0
    }

    /// The place of the next of two bytes, else the end.
    static func next(
        _ first: UInt8, or second: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
    ) -> Int {
        var index = start
        while index + 8 <= end {
            let word = ByteWord(bytes, at: index)
            let found = word.matches(first) | word.matches(second)
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < end, bytes[index] != first, bytes[index] != second { index += 1 }
        return index
    }
}
