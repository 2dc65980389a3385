import CrierHTTP
import CrierTesting
import Synchronization
import Testing

@Suite struct ContentCodingTests {
    enum Framing: CaseIterable {
        case length, chunks, close

        func answer(_ coding: String, _ body: [UInt8]) -> ScriptedAnswer {
            let start = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n"
            switch self {
            case .length: return ScriptedAnswer(fields: ["Content-Encoding": coding], body: body)
            case .close: return .raw(Array("\(start)\r\n".utf8) + body)
            case .chunks:
                var chunks: [UInt8] = []
                for byte in body { chunks += Array("1;x=y\r\n".utf8) + [byte, 0x0d, 0x0a] }
                return .raw(Array("\(start)Transfer-Encoding: chunked\r\n\r\n".utf8) + chunks + Array("0\r\n\r\n".utf8))
            }
        }
    }

    private func receive(_ answer: ScriptedAnswer) async throws -> [UInt8] {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [answer])
        return try await CurlTransport().send(HTTPRequest(url: origin.url())).body
    }

    private func expectCutOff(_ answer: ScriptedAnswer, _ location: SourceLocation = #_sourceLocation) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [answer])
        let error = await #expect(throws: HTTPError.self, sourceLocation: location) {
            try await CurlTransport().send(HTTPRequest(url: origin.url()))
        }
        #expect(error?.kind == .badResponse, sourceLocation: location)
        #expect(
            error?.description == "the compressed body from 127.0.0.1:\(origin.port) is cut off",
            sourceLocation: location)
    }

    @Test(arguments: Framing.allCases) func gzipIsUnpacked(framing: Framing) async throws {
        #expect(try await receive(framing.answer("gzip", Gzip.stored("some text"))) == Array("some text".utf8))
        #expect(try await receive(framing.answer("X-GZIP", Gzip.zeros(copies: 3))) == .init(repeating: 0, count: 775))
    }

    @Test(arguments: Framing.allCases) func zstdIsUnpacked(framing: Framing) async throws {
        #expect(try await receive(framing.answer("zstd", Zstandard.raw("some text"))) == Array("some text".utf8))
    }

    @Test(arguments: [Framing.length, .chunks]) func brotliIsUnpacked(framing: Framing) async throws {
        #expect(try await receive(framing.answer("br", Brotli.uncompressed("some text"))) == Array("some text".utf8))
    }

    @Test(arguments: Framing.allCases) func aCutGzipBodyIsRefusedWhereverItIsCut(framing: Framing) async throws {
        let whole = Gzip.stored("some text")
        for kept in [1, 5, 8, 12, 17, 24, whole.count - 8, whole.count - 4, whole.count - 1] {
            try await expectCutOff(framing.answer("gzip", Array(whole[..<kept])))
        }
    }

    @Test(arguments: Framing.allCases) func aCutZstdBodyIsRefusedWhereverItIsCut(framing: Framing) async throws {
        let whole = Zstandard.raw("some text")
        for kept in 1..<whole.count { try await expectCutOff(framing.answer("zstd", Array(whole[..<kept]))) }
    }

    @Test(arguments: [[0x61], [0x0a, 0x61], [0, 0, 0x1f], [UInt8](repeating: 0, count: 600) + [0x61]] as [[UInt8]])
    func strayBytesBehindGzipAreABadResponse(stray: [UInt8]) async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await receive(Framing.length.answer("gzip", Gzip.stored("some text") + stray))
        }
        #expect(error?.kind == .badResponse)
        #expect(error?.description.hasSuffix("is followed by something else") == true, "\(error?.description ?? "")")
    }

    @Test(arguments: Framing.allCases) func paddingBehindGzipIsPassedOver(framing: Framing) async throws {
        let paddings: [[UInt8]] = [[0x0a], [0], [0x0d, 0x0a, 0x20, 0x09], [UInt8](repeating: 0, count: 600)]
        for padding in paddings {
            let body = try await receive(framing.answer("gzip", Gzip.stored("some text") + padding))
            #expect(body == Array("some text".utf8), "\(padding.count)")
            #expect(try await receive(framing.answer("gzip", Gzip.stored("") + padding)).isEmpty, "\(padding.count)")
        }
        let long = Gzip.zeros(copies: 3) + [0, 0]
        #expect(try await receive(framing.answer("x-gzip", long)) == .init(repeating: 0, count: 775))
    }

    /// libcurl reads the first member only. They are of equal size, so that the size at the end speaks for both.
    @Test(arguments: Framing.allCases) func severalGzipMembersAreNeverReadInPart(framing: Framing) async throws {
        for second in [Gzip.stored("more text"), Gzip.stored(""), Gzip.stored("more text") + [0]] {
            let error = await #expect(throws: HTTPError.self) {
                try await receive(framing.answer("gzip", Gzip.stored("some text") + second))
            }
            #expect(error?.kind == .badResponse)
            #expect(error?.description.contains("disk") == false, "\(error?.description ?? "")")
        }
    }

    @Test(arguments: ["gzip", "br", "zstd"]) func anEmptyBodyIsEmptyInEveryCoding(coding: String) async throws {
        #expect(try await receive(Framing.length.answer(coding, [])).isEmpty)
    }

    @Test(arguments: ["br", "deflate"]) func aBodyWhoseEndNobodySaysIsRefused(coding: String) async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await receive(Framing.close.answer(coding, Brotli.uncompressed("some text")))
        }
        #expect(error?.kind == .badResponse)
        #expect(error?.description.hasSuffix("is compressed with \(coding) and does not say where it ends") == true)
    }

    @Test func severalCodingsAreRefused() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await receive(Framing.length.answer("gzip, gzip", Gzip.stored("some text")))
        }
        #expect(error?.kind == .badResponse)
    }

    @Test func garbageInsteadOfGzipIsABadResponse() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await receive(Framing.length.answer("gzip", Array("not gzip at all".utf8)))
        }
        #expect(error?.kind == .badResponse)
    }

    @Test(
        "What names no coding that anybody knows changes no byte",
        arguments: ["UTF-8", "aws-chunked", "rot13"], Framing.allCases)
    func unknownCoding(coding: String, framing: Framing) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [framing.answer(coding, Array("some text".utf8))])
        let told = Mutex<[String]>([])
        let response = try await CurlTransport().send(HTTPRequest(url: origin.url(), fields: ["X-Mine": "1"])) { url in
            told.withLock { $0.append(url) }
        }
        #expect(told.withLock(\.self) == [origin.url()], "before the second")
        #expect(response.body == Array("some text".utf8))
        #expect(response.fields["Content-Encoding"] == coding)
        let requests = await origin.requests
        #expect(requests.map { $0.fields["Accept-Encoding"] == "identity" } == [false, true], "asked once more")
        #expect(requests.map { $0.fields["X-Mine"] } == ["1", "1"])
    }

    @Test func aRedirectIsFollowedAtOnceWhateverItsBodyIs() async throws {
        let origin = try await ScriptedOrigin()
        let fields: HTTPFields = ["Content-Encoding": "UTF-8", "Location": "/there"]
        await origin.script("/", [ScriptedAnswer(status: 302, fields: fields, body: "Found")])
        await origin.script("/there", [ScriptedAnswer(body: "some text")])
        #expect(try await CurlTransport().send(HTTPRequest(url: origin.url())).body == Array("some text".utf8))
        #expect(await origin.requests.count == 2)
    }

    @Test func theNextRequestOfTheSameHandleIsUnpackedAgain() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [Framing.length.answer("UTF-8", Array("some text".utf8))])
        await origin.script("/packed", [Framing.length.answer("gzip", Gzip.stored("more text"))])
        let transport = CurlTransport()
        _ = try await transport.send(HTTPRequest(url: origin.url()))
        #expect(try await transport.send(HTTPRequest(url: origin.url("/packed"))).body == Array("more text".utf8))
    }

    @Test func nothingIsPostedTwiceForACodingThatNobodyKnows() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [Framing.length.answer("UTF-8", Array("some text".utf8))])
        let error = await CurlTransport().failure(HTTPRequest(method: "POST", url: origin.url(), body: []))
        #expect(error?.kind == .badResponse)
        #expect(await origin.requests.count == 1)
    }

    @Test(
        "An answer that is an error counts whatever its body is",
        arguments: [
            ScriptedAnswer(status: 429, fields: ["Retry-After": "7", "Content-Encoding": "gzip"], body: "no gzip"),
            ScriptedAnswer(status: 429, fields: ["Retry-After": "7", "Content-Encoding": "UTF-8"], body: "slowly"),
            ScriptedAnswer(status: 429, fields: ["Retry-After": "7"], body: String(repeating: "a", count: 5000)),
            .raw(Array("HTTP/1.1 429 Wait\r\nRetry-After: 7\r\nContent-Length: 10\r\n\r\nhalf".utf8)),
        ])
    func brokenErrorPage(answer: ScriptedAnswer) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [answer])
        let limits = HTTPLimits(bodyBytes: 1000)
        let response = try await CurlTransport().send(HTTPRequest(url: origin.url(), limits: limits))
        #expect(response.status == 429)
        #expect(response.fields["Retry-After"] == "7")
        #expect(await origin.requests.count == 1)
    }
}
