/// Watches a body on its way in, before chunks and content coding are taken off, for what libcurl leaves unchecked:
/// libcurl 7.88 takes a compressed body that stops in the middle as whole.
struct WireContent {
    /// Bytes received, framing included.
    private(set) var wireBytes = 0
    /// The length of the body on the wire, where the header tells it.
    private(set) var announcedLength: Int?
    /// Whether the header gives lengths that differ: nobody can tell which is right (RFC 9112 §6.3).
    private(set) var hasSeveralLengths = false
    /// Whether the coding is none of those that are in use: servers name the charset there (`UTF-8`), or what a body was
    /// uploaded in (`aws-chunked`), and send it as it is.
    private(set) var isUnknown = false
    var isHTTP1 = true
    private var coding: String?
    private var framing = Framing.open
    /// The first two bytes of the coded body.
    private var head: [UInt8] = []
    /// The last bytes of the coded body.
    private var tail: [UInt8] = []
    /// The last bytes of it that are no padding, and the first that are behind them.
    private var ending: [UInt8] = []
    private var codedBytes = 0
    private var zstd = ZstandardFrames()

    private enum Framing {
        case open
        case length(Int)
        case chunked(ChunkScanner)
    }

    mutating func begin(_ fields: HTTPFields) {
        let codings = (fields.combined("Content-Encoding") ?? "").split(separator: ",")
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" && $0 != "none" }
        isUnknown = codings.count == 1 && !Self.known.contains(codings[0])
        let lengths = fields.combined("Content-Length")?.split(separator: ",").map { String($0).trimmingBlanks } ?? []
        hasSeveralLengths = Set(lengths).count > 1
        coding = codings.isEmpty || isUnknown ? nil : codings.joined(separator: ", ")
        if isHTTP1, let transfer = fields.combined("Transfer-Encoding"), transfer.lowercased().contains("chunked") {
            framing = .chunked(ChunkScanner())
        } else if let length = fields["Content-Length"].flatMap({ Int($0) }) {
            framing = .length(length)
            announcedLength = length
        }
    }

    /// Why such a body cannot be told from its half: only the end of the connection ends it, and its coding has no
    /// end that can be seen from outside (brotli, deflate), or there are several codings.
    var refusal: String? {
        guard let coding, !["gzip", "x-gzip", "zstd"].contains(coding) else { return nil }
        if coding.contains(",") { return "has several content codings: \(coding)" }
        guard isHTTP1, case .open = framing else { return nil }
        return "is compressed with \(coding) and does not say where it ends"
    }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        wireBytes += bytes.count
        guard let coding else { return }
        switch framing {
        case .open:
            receiveCoded(bytes[...], coding)
        case .length(let left):
            framing = .length(left - min(left, bytes.count))
            receiveCoded(bytes.prefix(left), coding)
        case .chunked(var scanner):
            scanner.scan(bytes) { receiveCoded($0, coding) }
            framing = .chunked(scanner)
        }
    }

    /// Whether the coded body came to its own end.
    func isComplete(_ decoded: [UInt8]) -> Bool {
        switch coding {
        case "gzip", "x-gzip": codedBytes == 0 || endsWithSize(decoded.count)
        case "deflate": codedBytes == 0 || !isZlib || endsWithAdler32(of: decoded)
        case "zstd": zstd.isAtEnd
        default: true
        }
    }

    /// A gzip member ends with the size of what it holds (RFC 1952 §2.3.1). zlib has compared that size and the check
    /// sum if it came so far.
    private func endsWithSize(_ size: Int) -> Bool {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: size).littleEndian) { tail.elementsEqual($0) }
            && codedBytes >= Self.leastGzipBytes
    }

    /// Whether nothing but padding has come behind the end of a gzip body: zeros, which tools for gzip pass over, or white
    /// space.
    ///
    /// Only check sum and size tell where the end is (RFC 1952 §2.3.1), as they may end in zeros themselves. They are those of
    /// what was read, so that the end of a second member, of which libcurl reads nothing, is none.
    func isPaddedGzip(_ decoded: [UInt8]) -> Bool {
        guard coding == "gzip" || coding == "x-gzip", codedBytes > Self.leastGzipBytes else { return false }
        let end = [CRC32.of(decoded), UInt32(truncatingIfNeeded: decoded.count)].flatMap { number in
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        return ending.indices.dropLast(end.count).contains { start in
            ending[start...].starts(with: end) && ending[(start + end.count)...].allSatisfy(Self.isPadding)
        }
    }

    private static func isPadding(_ byte: UInt8) -> Bool { byte == 0 || byte == 0x20 || (0x09...0x0d).contains(byte) }

    /// RFC 1950 §2.2. What has no such header is bare deflate (RFC 1951), whose end cannot be seen from outside.
    private var isZlib: Bool {
        head.count == 2 && head[0] & 0x0f == 8 && (Int(head[0]) << 8 | Int(head[1])) % 31 == 0
    }

    private func endsWithAdler32(of bytes: [UInt8]) -> Bool {
        var low: UInt32 = 1
        var high: UInt32 = 0
        // So many sums fit into 32 bits before the remainder has to be taken.
        for start in stride(from: 0, to: bytes.count, by: 5552) {
            for byte in bytes[start..<min(start + 5552, bytes.count)] {
                low &+= UInt32(byte)
                high &+= low
            }
            low %= 65521
            high %= 65521
        }
        return withUnsafeBytes(of: (high << 16 | low).bigEndian) { tail.elementsEqual($0) }
    }

    private mutating func receiveCoded(_ bytes: Slice<UnsafeRawBufferPointer>, _ coding: String) {
        codedBytes += bytes.count
        if coding == "zstd" { return zstd.scan(bytes) }
        head.append(contentsOf: bytes.prefix(2 - head.count))
        tail.append(contentsOf: bytes.suffix(Self.tailBytes))
        tail.removeFirst(max(0, tail.count - Self.tailBytes))
        var padding = bytes
        if let last = bytes.lastIndex(where: { !Self.isPadding($0) }) {
            ending.append(contentsOf: bytes[...last].suffix(Self.endBytes))
            ending.removeFirst(max(0, ending.count - Self.endBytes))
            padding = bytes[(last + 1)...]
        }
        // One more than may be of the end.
        ending.append(contentsOf: padding.prefix(2 * Self.endBytes + 1 - ending.count))
    }

    /// Those of the registry that change bytes (https://www.iana.org/assignments/http-parameters), for bodies.
    private static let known: Set = ["gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress", "dcb", "dcz"]
    private static let tailBytes = 4
    /// The check sum and the size of gzip.
    private static let endBytes = 8
    /// The header of 10 bytes, and the check sum and size of 8.
    private static let leastGzipBytes = 18
}

/// The check sum of gzip (RFC 1952 §8).
enum CRC32 {
    static func of(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 != 0 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }
}

/// Finds the data in a chunked body (RFC 9112 §7.1). libcurl refuses what is malformed.
struct ChunkScanner {
    private enum State {
        case size(Int)
        case sizeExtension(Int)
        case data(Int)
        case dataEnd
        case trailer
    }

    private var state = State.size(0)

    mutating func scan(_ bytes: UnsafeRawBufferPointer, data: (Slice<UnsafeRawBufferPointer>) -> Void) {
        var rest = bytes[...]
        while let byte = rest.first {
            switch state {
            case .data(let left):
                data(rest.prefix(left))
                let count = min(left, rest.count)
                state = left > count ? .data(left - count) : .dataEnd
                rest.removeFirst(count)
                continue
            case .size(let size):
                if let digit = Character(Unicode.Scalar(byte)).hexDigitValue {
                    state = .size((size &* 16) &+ digit)
                } else {
                    state = byte == 0x0a ? Self.after(size) : .sizeExtension(size)
                }
            case .sizeExtension(let size):
                if byte == 0x0a { state = Self.after(size) }
            case .dataEnd:
                if byte == 0x0a { state = .size(0) }
            case .trailer:
                return
            }
            rest.removeFirst()
        }
    }

    private static func after(_ size: Int) -> State { size > 0 ? .data(size) : .trailer }
}
