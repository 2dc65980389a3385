/// Dates in the digits of other scripts, and in the full-width forms of ASCII.
enum DecimalDigits {
    /// 1970 to 2069, in seconds since 1970. Iran, Thailand, Nepal, India and others write such digits with calendars of
    /// their own too, whose years of today are outside.
    static let ourTimes = 0.0..<3_155_760_000

    /// The text with ASCII digits in place of others (Unicode's general category Nd), and with ASCII in place of its
    /// full-width forms; nil where it has no such digits.
    static func asASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard UTF8Repair.firstWide(in: bytes) < bytes.count else { return nil }
        var hasDigits = false
        var isFullWidth = true
        var text = String.UnicodeScalarView()
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar.isASCII {
                text.append(scalar)
            } else if scalar.properties.generalCategory == .decimalNumber, let value = scalar.properties.numericValue {
                hasDigits = true
                isFullWidth = isFullWidth && 0xFF10...0xFF19 ~= scalar.value
                text.append(Unicode.Scalar(0x30 + UInt8(value)))
            } else if 0xFF01...0xFF5E ~= scalar.value {
                text.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
            } else {
                text.append(scalar)
            }
        }
        guard hasDigits else { return nil }
        return isFullWidth ? String(text) : inOurOrder(String(text))
    }

    /// Who writes those digits puts the day before the month, where the year is not first; a year of two digits may be of
    /// any calendar.
    private static func inOurOrder(_ text: String) -> String {
        guard text.contains(/[0-9]{4}/) else { return "" }
        return text.replacing(/^([0-9]{1,2})\/([0-9]{1,2})\/([0-9]{4})/) { "\($0.1).\($0.2).\($0.3)" }
    }
}
