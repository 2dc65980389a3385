extension String {
    /// All bytes but letters, digits and `-._~` (RFC 3986 §2.3).
    package var percentEncoded: String {
        let digits = Array("0123456789ABCDEF")
        return utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: String(Unicode.Scalar(byte))
            default: "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }.joined()
    }
}
