import CrierHTTP
import CrierTesting
import Testing

/// Answers that mean harm, or are broken: each ends with its cause in words.
@Suite struct HostileBytesTests {
    private func error(_ answer: ScriptedAnswer, _ limits: HTTPLimits = .polling) async throws -> HTTPError {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [answer])
        return try #require(await CurlTransport().failure(HTTPRequest(url: origin.url(), limits: limits)))
    }

    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test(
        "What never ends is ended, and said",
        arguments: [
            (ScriptedAnswer.endless("HTTP/1.1 200 OK\r\n\r\n", "a"), "is larger than 10485760 bytes"),
            (.endless(chunked, "1\r\na\r\n"), "takes more than 20971520 bytes to send"),
            (.endless(chunked + "5", ";a=b"), "takes more than 20971520 bytes to send"),
            (.endless(chunked + "0\r\nX: ", "a"), "a trailer field of the answer from"),
            (.endless(chunked + "0\r\n", "X: a\r\n"), "is larger than 262144 bytes"),
            (.endless("HTTP/1.1 200 OK\r\n", "X: a\r\n"), "is larger than 262144 bytes"),
            (.endless("HTTP/1.1 200 OK\r\nX: ", "a"), "is too large"),
            (.endless("", "HTTP/1.1 100 Continue\r\n\r\n"), "is larger than 262144 bytes"),
            (.endless("", "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"), "is larger than 262144 bytes"),
        ])
    func endless(answer: ScriptedAnswer, words: String) async throws {
        let error = try await error(answer)
        #expect(error.kind == .tooLarge || error.kind == .badResponse, "\(error)")
        #expect(error.description.contains(words), "\(error)")
    }

    @Test func anEndlessBodyBehindEachCodingIsEnded() async throws {
        for coding in ["gzip", "deflate", "br", "zstd", "identity"] {
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nTransfer-Encoding: chunked\r\n\r\n"
            let error = try await error(.endless(head, "ffff\r\n" + String(repeating: "\u{0}", count: 0xffff) + "\r\n"))
            #expect([.tooLarge, .badResponse].contains(error.kind), "\(coding): \(error)")
        }
    }

    @Test func anotherProtocolThatNobodyAskedForIsNamed() async throws {
        let error = try await error(.raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nbytes"))
        #expect(error.kind == .badResponse)
        #expect(error.description.hasSuffix("changes to another protocol, which it was not asked for (HTTP 101)"))
    }

    @Test func anOriginThatSaysNothingGaveNoAnswer() async throws {
        let error = try await error(.hang, HTTPLimits(slowFor: .seconds(1)))
        #expect(error.kind == .timeout)
        #expect(error.description.hasPrefix("no answer from 127.0.0.1:"))
        #expect(error.description.hasSuffix(" within 1 s"))
    }

    @Test func anAnswerThatHasBegunDidNotEnd() async throws {
        let half = ScriptedAnswer(steps: [.bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nha".utf8)), .hang])
        let error = try await error(half, HTTPLimits(total: .milliseconds(300)))
        #expect(error.kind == .timeout)
        #expect(error.description.hasSuffix(" did not end within 300 ms"))
    }

    @Test func lengthsThatDifferAreRefused() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"
        let error = try await error(.raw(head))
        #expect(error.kind == .badResponse)
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc"])
    func theSameLengthTwiceIsOneLength(bytes: String) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [.raw(bytes)])
        #expect(try await CurlTransport().send(HTTPRequest(url: origin.url())).body == Array("abc".utf8))
    }

    @Test(
        "The body of a redirect does not count",
        arguments: [
            ScriptedAnswer.endless("HTTP/1.1 302 Found\r\nLocation: /feed\r\n\r\n", "a"),
            .endless("HTTP/1.1 302 Found\r\nLocation: /feed\r\nTransfer-Encoding: chunked\r\n\r\n5", ";a=b"),
            .raw("HTTP/1.1 302 Found\r\nLocation: /feed\r\nContent-Length: 999999999\r\n\r\nhalf"),
            .raw("HTTP/1.1 302 Found\r\nLocation: /feed\r\nContent-Length: 10\r\n\r\nhalf"),
            ScriptedAnswer(
                status: 302, fields: ["Location": "/feed", "Content-Encoding": "gzip"], body: "not gzip at all"),
            ScriptedAnswer(status: 302, fields: ["Location": "/feed"], body: String(repeating: "a", count: 5000)),
        ])
    func redirectBody(answer: ScriptedAnswer) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [answer])
        await origin.script("/feed", [ScriptedAnswer(body: "here")])
        let limits = HTTPLimits(bodyBytes: 1000)
        let response = try await CurlTransport().send(HTTPRequest(url: origin.url(), limits: limits))
        #expect(response.body == Array("here".utf8))
        #expect(response.redirects.count == 1)
    }

    @Test func theConnectionOfAShortRedirectIsUsedAgain() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(status: 302, fields: ["Location": "/feed"], body: "moved")])
        await origin.script("/feed", [ScriptedAnswer(body: "here")])
        _ = try await CurlTransport().send(HTTPRequest(url: origin.url()))
        #expect(await origin.connections == 1)
    }

    @Test func aDeflateBodyThatIsFramedRightButCutIsNoticed() async throws {
        // zlib header, one stored block "some text", and its Adler-32.
        let whole: [UInt8] =
            [0x78, 0x01, 0x01, 9, 0, 0xf6, 0xff] + Array("some text".utf8) + [0x11, 0xe8, 0x03, 0x9a]
        let origin = try await ScriptedOrigin()
        await origin.handle { request in
            let kept = Int(request.target.dropFirst()) ?? 0
            return ScriptedAnswer(fields: ["Content-Encoding": "deflate"], body: Array(whole[..<kept]))
        }
        let transport = CurlTransport()
        let response = try await transport.send(HTTPRequest(url: origin.url("/\(whole.count)")))
        #expect(response.body == Array("some text".utf8))
        for kept in [2, 5, 9, 16, 17, 19] {
            let error = await transport.failure(HTTPRequest(url: origin.url("/\(kept)")))
            #expect(error?.kind == .badResponse, "\(kept)")
        }
    }
}
