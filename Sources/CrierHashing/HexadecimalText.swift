extension Sequence<UInt8> {
    /// Two lower-case digits for each byte.
    package var hexadecimal: String { Array(self).hexadecimalDigits }
}

extension [UInt8] {
    // Apart, as the compiler makes nothing quick of what may be any sequence.
    fileprivate var hexadecimalDigits: String {
        String(unsafeUninitializedCapacity: count * 2) { digits in
            for (place, byte) in enumerated() {
                digits[place * 2] = Self.digit(byte >> 4)
                digits[place * 2 + 1] = Self.digit(byte & 15)
            }
            return count * 2
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x61 - 10 + value }
}
