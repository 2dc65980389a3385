import CrierHashing

import struct Foundation.Data

/// The `webhook-signature` of Standard Webhooks (standardwebhooks.com, "Signature scheme": symmetric, `v1`).
enum WebhookSignature {
    /// - Parameter secrets: one per line; while a secret is exchanged for a new one, both are given and both sign.
    /// - Returns: the signatures separated by spaces; nil when there is no secret.
    /// - Throws: ``InvalidSecret``.
    static func header(
        id: String, timestamp: Int, body: [UInt8], secrets: String
    ) throws(InvalidSecret) -> String? {
        var message = Array("\(id).\(timestamp).".utf8)
        message += body
        var signatures: [String] = []
        for line in secrets.split(whereSeparator: { ["\n", "\r", "\r\n"].contains($0) }) {
            guard let key = try key(of: String(line)) else { continue }
            let code = SHA256.authenticationCode(for: message, key: Array(key))
            signatures.append("v1," + Data(code).base64EncodedString())
        }
        return signatures.isEmpty ? nil : signatures.joined(separator: " ")
    }

    /// What follows `whsec_` is not base64. Says nothing of the secret.
    struct InvalidSecret: Error {}

    /// Base64 after `whsec_`, as the standard writes secrets, with or without its padding. Receivers take base64 without
    /// the prefix as well; what is not base64 is taken as it is, with the spaces in it. Nil where there is none.
    private static func key(of line: String) throws(InvalidSecret) -> Data? {
        func isOutside(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isWhitespace || HarmlessText.isHarmful(scalar)
        }
        let inside = line.unicodeScalars.drop(while: isOutside)
        guard let last = inside.lastIndex(where: { !isOutside($0) }) else { return nil }
        let secret = String(inside[...last])
        let prefix = "whsec_"
        guard secret.hasPrefix(prefix) else { return Data(base64Encoded: secret) ?? Data(secret.utf8) }
        let digits = secret.dropFirst(prefix.count)
        let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
        guard let key = Data(base64Encoded: digits + padding), !key.isEmpty else { throw InvalidSecret() }
        return key
    }
}
