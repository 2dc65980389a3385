import CrierHashing

/// A request's identifier where only a short ASCII token may stand.
///
/// Identifiers are made from what sources say, so they may hold any character and be of any length. Equal identifiers
/// give equal tokens, different ones different tokens.
package enum IdentifierToken {
    /// 64 lower-case hexadecimal digits: SHA-256 of the identifier's UTF-8.
    package static func token(of identifier: String) -> String {
        SHA256.hash(identifier).hexadecimal
    }
}
