/// Dates in the digits of other scripts, and in the full-width forms of ASCII.
enum DecimalDigits {
    /// 1900 to 2199, in seconds since 1970: Iran, Thailand and others write those digits with calendars of their own too,
    /// whose years of today are outside.
    static let ourTimes = -2_208_988_800.0..<7_258_118_400

    /// The text with ASCII digits in place of others (Unicode's general category Nd), and with ASCII in place of its
    /// full-width forms; nil where it has no such digits.
    static func asASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return nil }
        var hasDigits = false
        var text = String.UnicodeScalarView()
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar.isASCII {
                text.append(scalar)
            } else if scalar.properties.generalCategory == .decimalNumber, let value = scalar.properties.numericValue {
                hasDigits = true
                text.append(Unicode.Scalar(0x30 + UInt8(value)))
            } else if 0xFF01...0xFF5E ~= scalar.value, let narrow = Unicode.Scalar(scalar.value - 0xFEE0) {
                text.append(narrow)
            } else {
                text.append(scalar)
            }
        }
        return hasDigits ? String(text) : nil
    }
}
