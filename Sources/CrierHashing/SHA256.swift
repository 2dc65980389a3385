import CNettle

/// SHA-256 (FIPS 180-4), which Nettle computes.
package enum SHA256 {
    /// Of what is computed here.
    private static let byteCount = 32

    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: byteCount)
        crier_sha256(bytes.count, bytes, &hash)
        return hash
    }

    /// Of the text's UTF-8.
    package static func hash(_ text: String) -> [UInt8] { hash(Array(text.utf8)) }

    /// HMAC-SHA-256 (RFC 2104): shows who shares the key that a message is from one of them, and whole.
    ///
    /// - Parameter key: Of any length.
    package static func authenticationCode(for message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: byteCount)
        crier_hmac_sha256(key.count, key, message.count, message, &code)
        return code
    }
}
