import Testing

@testable import CrierHTTP

/// Bodies cut into pieces in every way, as a network may cut them.
@Suite struct WireContentTests {
    private func content(_ fields: HTTPFields, _ wire: [UInt8], pieces: Int) -> WireContent {
        var content = WireContent()
        content.begin(fields)
        for start in stride(from: 0, to: wire.count, by: pieces) {
            wire[start..<min(start + pieces, wire.count)].withUnsafeBytes { content.receive($0) }
        }
        return content
    }

    private func chunked(_ body: [UInt8], by count: Int) -> [UInt8] {
        var wire: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: count) {
            let chunk = body[start..<min(start + count, body.count)]
            wire += Array("\(String(chunk.count, radix: 16, uppercase: true));a=\"b\"\r\n".utf8) + chunk + [0x0d, 0x0a]
        }
        return wire + Array("000\r\nX-Trailer: 1f8b\r\n\r\n".utf8)
    }

    @Test(arguments: 1...30) func theEndOfGzipIsFoundThroughChunks(pieces: Int) {
        let fields: HTTPFields = ["Content-Encoding": "gzip", "Transfer-Encoding": "chunked"]
        let body = Gzip.stored("some text")
        for count in [1, 2, 7, 17, 100] {
            #expect(
                content(fields, chunked(body, by: count), pieces: pieces).isComplete([UInt8](repeating: 0, count: 9)))
            let cut = chunked(Array(body.dropLast()), by: count)
            #expect(!content(fields, cut, pieces: pieces).isComplete([UInt8](repeating: 0, count: 9)))
        }
    }

    @Test(arguments: 1...30) func theEndOfZstdIsFoundThroughFramesAndBlocks(pieces: Int) {
        let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
        // Window descriptor, content size of 2 bytes, check sum; a block of one byte repeated 1000 times, a raw one.
        let long: [UInt8] =
            magic + [0x44, 0x50, 0xea, 2] + [0x42, 0x1f, 0, 0x61] + [0x11, 0, 0, 0x62, 0x63] + [1, 2, 3, 4]
        let skippable: [UInt8] = [0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9]
        let empty: [UInt8] = magic + [0x20, 0, 1, 0, 0]
        let whole = long + skippable + empty
        let ends: Set = [0, long.count, long.count + skippable.count, whole.count]
        for kept in 0...whole.count {
            let content = content(["Content-Encoding": "zstd"], Array(whole[..<kept]), pieces: pieces)
            #expect(content.isComplete([UInt8](repeating: 0, count: 1)) == ends.contains(kept), "\(kept)")
        }
    }

    @Test func bytesBeyondTheLengthAreNotOfTheBody() {
        let body = Gzip.stored("some text")
        let fields: HTTPFields = ["Content-Encoding": "gzip", "Content-Length": "\(body.count)"]
        #expect(content(fields, body + [1, 2, 3], pieces: 5).isComplete([UInt8](repeating: 0, count: 9)))
    }

    @Test func identityIsNoCoding() {
        let content = content(["Content-Encoding": " Identity ,"], [1, 2, 3], pieces: 1)
        #expect(content.refusal == nil)
        #expect(content.isComplete([UInt8](repeating: 0, count: 3)))
        #expect(content.wireBytes == 3)
    }

    @Test(
        arguments: [(true, "is compressed with br and does not say where it ends"), (false, nil)] as [(Bool, String?)])
    func onlyHTTP1CannotSayWhereABodyEnds(isHTTP1: Bool, refusal: String?) {
        var content = WireContent()
        content.isHTTP1 = isHTTP1
        content.begin(["Content-Encoding": "br"])
        #expect(content.refusal == refusal)
    }
}
