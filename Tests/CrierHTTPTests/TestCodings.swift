/// Compressed bodies of our own making, small enough to be written by hand.
enum Gzip {
    private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]

    /// One stored block (RFC 1951 §3.2.4).
    static func stored(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        let count = UInt16(bytes.count)
        let block = [1] + littleEndian(count) + littleEndian(~count) + bytes
        return header + block + littleEndian(crc(bytes)) + littleEndian(UInt32(bytes.count))
    }

    /// `count` zero bytes, 1 + a multiple of 258: one literal, then copies of 258 bytes in 13 bits each.
    static func zeros(copies: Int) -> [UInt8] {
        var bits = BitWriter()
        // Last block, fixed codes; literal 0 is 00110000.
        bits.write(0b011, 3)
        bits.writeCode(0b0011_0000, 8)
        for _ in 0..<copies {
            // Length 258 is 11000101, distance 1 is 00000.
            bits.writeCode(0b1100_0101, 8)
            bits.writeCode(0, 5)
        }
        bits.writeCode(0, 7)
        let count = 1 + 258 * copies
        let sum = crc(repeatElement(0, count: count))
        return header + bits.bytes + littleEndian(sum) + littleEndian(UInt32(count))
    }

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 != 0 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }

    private static func crc(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}

private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 8

    /// Lowest bit first.
    mutating func write(_ value: Int, _ count: Int) {
        for index in 0..<count {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            bytes[bytes.count - 1] |= UInt8(value >> index & 1) << UInt8(used)
            used += 1
        }
    }

    /// A Huffman code: highest bit first.
    mutating func writeCode(_ code: Int, _ count: Int) {
        for index in (0..<count).reversed() { write(code >> index, 1) }
    }
}

enum Zstandard {
    /// One frame with one raw block (RFC 8878 §3.1.1), at most 255 bytes.
    static func raw(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        let header = UInt32(bytes.count) << 3 | 1
        return [0x28, 0xb5, 0x2f, 0xfd, 0x20, UInt8(bytes.count)]
            + [UInt8(header & 0xff), UInt8(header >> 8 & 0xff), UInt8(header >> 16)] + bytes
    }
}

enum Brotli {
    /// One uncompressed meta-block and the empty last one (RFC 7932 §9.2), at most 65536 bytes.
    static func uncompressed(_ text: String) -> [UInt8] {
        let bits = UInt32(text.utf8.count - 1) << 4 | 1 << 20
        return [UInt8(bits & 0xff), UInt8(bits >> 8 & 0xff), UInt8(bits >> 16)] + Array(text.utf8) + [3]
    }
}
