/// What tells an address that is read in a way from all others: a SHA-256 of both.
///
/// Its 32 bytes lie in the value itself: each source has one, and each state two, so that as arrays they were a quarter of what
/// a visit takes from the heap.
public struct SourceFingerprint: Sendable, Hashable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    package static let byteCount = MemoryLayout<SourceFingerprint>.size

    /// - Parameter bytes: 32, or the program ends; more of them are left alone.
    package init(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count >= Self.byteCount)
        func word(_ index: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self) }
        words = (word(0), word(1), word(2), word(3))
    }

    /// - Parameter body: Is given the 32 bytes, for as long as it runs.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try Swift.withUnsafeBytes(of: words, body)
    }

    public static func == (one: SourceFingerprint, other: SourceFingerprint) -> Bool { one.words == other.words }

    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

extension RawStatement {
    /// - Parameter rest: Is put behind it.
    mutating func bind(_ fingerprint: SourceFingerprint?, _ rest: [UInt8]? = nil) {
        guard let fingerprint else { return bind(nil as Int64?) }
        guard let rest else { return fingerprint.withUnsafeBytes { bind($0) } }
        bind(fingerprint.withUnsafeBytes { [UInt8]($0) } + rest)
    }
}

extension RawRow {
    /// Nil where there is none, or fewer bytes, which no version has written.
    func fingerprint(_ column: Int) -> SourceFingerprint? { fingerprintAndRest(column)?.fingerprint }

    /// With what is put behind it; nil where nothing is.
    func fingerprintAndRest(_ column: Int) -> (fingerprint: SourceFingerprint, rest: [UInt8]?)? {
        withBytes(column) { bytes in
            let count = SourceFingerprint.byteCount
            guard bytes.count >= count else { return nil }
            return (SourceFingerprint(bytes), bytes.count > count ? [UInt8](bytes.dropFirst(count)) : nil)
        } ?? nil
    }
}
