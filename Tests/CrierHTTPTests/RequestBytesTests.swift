import CrierHTTP
import CrierTesting
import Testing

/// What stands on the wire.
@Suite struct RequestBytesTests {
    private func head(of request: (ScriptedOrigin) -> HTTPRequest) async throws -> [String] {
        let origin = try await ScriptedOrigin()
        await origin.handle { _ in ScriptedAnswer(body: "x") }
        _ = try await CurlTransport().send(request(origin))
        let received = try #require(await origin.requests.first)
        let lines = String(decoding: received.head, as: UTF8.self).split(separator: "\r\n").map(String.init)
        return lines.filter { !$0.hasPrefix("Host: 127.0.0.1:") && !$0.hasPrefix("Accept-Encoding: ") }
    }

    @Test func aBareRequestHasHostAcceptAndAcceptEncoding() async throws {
        #expect(try await head { HTTPRequest(url: $0.url("/a?b=c#d")) } == ["GET /a?b=c HTTP/1.1", "Accept: */*"])
    }

    @Test func theContentCodingsOfLibcurlAreOfferedButDeflate() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(body: "x")])
        _ = try await CurlTransport().send(HTTPRequest(url: origin.url()))
        let codings = await origin.requests.first?.fields["Accept-Encoding"]?.components(separatedBy: ", ") ?? []
        #expect(codings.contains("gzip") && !codings.contains("deflate"))
    }

    @Test func fieldsAreSentAsTheyAre() async throws {
        var fields: HTTPFields = [
            "User-Agent": "crier/1.0 (+https://example.org)", "Accept": "application/atom+xml;q=0.9, */*;q=0.1",
            "X-Empty": "", "x-lower": " two  blanks",
        ]
        fields.append("If-None-Match", [0x22, 0xe9, 0xff, 0x22])
        let lines = try await head { HTTPRequest(url: $0.url("/"), fields: fields) }
        #expect(
            lines == [
                "GET / HTTP/1.1", "User-Agent: crier/1.0 (+https://example.org)",
                "Accept: application/atom+xml;q=0.9, */*;q=0.1", "X-Empty:", "x-lower:  two  blanks",
                "If-None-Match: \"\u{fffd}\u{fffd}\"",
            ])
    }

    @Test func bytesOfAFieldStayBytes() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(body: "x")])
        var request = HTTPRequest(url: origin.url())
        request.fields.append("If-None-Match", [0x22, 0xe9, 0xff, 0x22])
        _ = try await CurlTransport().send(request)
        let head = try #require(await origin.requests.first?.head)
        #expect(head.firstRange(of: Array("If-None-Match: ".utf8) + [0x22, 0xe9, 0xff, 0x22, 0x0d, 0x0a]) != nil)
    }

    @Test func aPOSTHasItsLengthAndNothingThatTheCallerDidNotSay() async throws {
        let lines = try await head {
            HTTPRequest(method: "POST", url: $0.url("/hook"), body: [UInt8](repeating: 0x61, count: 3_000_000))
        }
        #expect(lines == ["POST /hook HTTP/1.1", "Accept: */*", "Content-Length: 3000000"])
    }

    @Test func aPOSTWithoutABodyHasLengthZero() async throws {
        let lines = try await head { HTTPRequest(method: "POST", url: $0.url("/"), fields: ["Content-Type": "a/b"]) }
        #expect(lines == ["POST / HTTP/1.1", "Accept: */*", "Content-Type: a/b", "Content-Length: 0"])
    }

    @Test(arguments: ["PUT", "DELETE", "OPTIONS", "PROPFIND"]) func otherMethodsAreSentAsNamed(method: String)
        async throws
    {
        let lines = try await head { HTTPRequest(method: method, url: $0.url("/")) }
        #expect(lines == ["\(method) / HTTP/1.1", "Accept: */*"])
    }

    @Test func aBodyGoesWithAnyMethodByteForByte() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer()])
        let body: [UInt8] = [0, 1, 0xff, 0x0d, 0x0a, 0]
        _ = try await CurlTransport().send(HTTPRequest(method: "PUT", url: origin.url(), body: body))
        #expect(await origin.requests.first?.body == body)
    }

    @Test func aHEADRequestGetsTheFieldsAlone() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(fields: ["Content-Length": "999999999999"])])
        let response = try await CurlTransport().send(HTTPRequest(method: "HEAD", url: origin.url()))
        #expect(response.fields["Content-Length"] == "999999999999")
        #expect(response.body.isEmpty)
    }

    @Test func credentialsInTheURLBecomeBasicAuthorization() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(body: "x")])
        let url = "http://me%40home:p%3Aw@127.0.0.1:\(origin.port)/"
        let response = try await CurlTransport().send(HTTPRequest(url: url))
        #expect(await origin.requests.first?.fields["Authorization"] == "Basic bWVAaG9tZTpwOnc=")
        #expect(response.url == origin.url())
    }

    @Test func aChallengeIsNotAnswered() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script(
            "/", [ScriptedAnswer(status: 401, fields: ["WWW-Authenticate": "Digest realm=\"a\", nonce=\"b\""])])
        let response = try await CurlTransport().send(HTTPRequest(url: "http://u:p@127.0.0.1:\(origin.port)/"))
        #expect(response.status == 401)
        #expect(await origin.requests.count == 1)
    }

    @Test(arguments: [("X-A", "a\r\nX-B: b"), ("X-A", "a\u{0}b"), ("X A", "b"), ("X:A", "b"), ("", "b")])
    func aFieldThatWouldSaySomethingElseIsRefused(name: String, value: String) async throws {
        let origin = try await ScriptedOrigin()
        let request = HTTPRequest(url: origin.url(), fields: [name: value])
        await #expect(throws: HTTPError.self) { try await CurlTransport().send(request) }
        #expect(await origin.connections == 0)
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nX:", "", "G T"]) func aMethodThatIsNoneIsRefused(method: String) async throws {
        let origin = try await ScriptedOrigin()
        let request = HTTPRequest(method: method, url: origin.url())
        await #expect(throws: HTTPError.self) { try await CurlTransport().send(request) }
        #expect(await origin.connections == 0)
    }
}
