import CrierStore

extension SourceFingerprint {
    /// One of nothing but this byte.
    static func filled(_ byte: UInt8) -> SourceFingerprint {
        [UInt8](repeating: byte, count: 32).withUnsafeBytes { SourceFingerprint($0) }
    }
}
