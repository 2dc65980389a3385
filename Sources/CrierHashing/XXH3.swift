import CXXHash

/// XXH3 of 128 bits in its canonical form, big-endian: as fast as memory is read. Whoever wants to makes two documents of one hash,
/// so it tells only whether something is as it was.
package enum XXH3 {
    /// Of what ``hash(_:)`` gives.
    package static let byteCount = 16

    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: byteCount)
        crier_xxh3_128(bytes.count, bytes, &hash)
        return hash
    }
}
