import CrierHashing
import Testing

@Suite("XXH3")
struct XXH3Tests {
    /// Each length takes another way: nothing, up to 3, 8, 16, 128 and 240 bytes, and beyond.
    @Test(
        "what the reference implementation gives",
        arguments: [
            (0, "99aa06d3014798d86001c324468d497f"), (2, "b519c2793d8967669093381c8763d62e"),
            (6, "3a39c51d437e58bd22454034038deb31"), (14, "85c0ec8bbe7e77b3bf47c012415a9e1c"),
            (80, "a98a3e556fb0762d3d9ade25acc03776"), (200, "dbfff5e13c798ab90497bdb3d145ccd6"),
            (100_000, "4e53faeda1b5812bb25cea78018497ff"),
        ])
    func hashesAsTheReference(count: Int, hash: String) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        #expect(XXH3.hash(bytes).hexadecimal == hash)
    }
}
