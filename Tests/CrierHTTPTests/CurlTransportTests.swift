import CrierHTTP
import CrierTesting
import Testing

@Suite struct CurlTransportTests {
    @Test func anAnswerHasStatusFieldsAndBody() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(status: 203, fields: ["ETag": "W/\"a\""], body: "hello")])
        let response = try await CurlTransport().send(HTTPRequest(url: origin.url("/feed")))
        #expect(response.status == 203)
        #expect(response.fields["etag"] == "W/\"a\"")
        #expect(response.body == Array("hello".utf8))
        #expect(response.url == origin.url("/feed"))
        #expect(response.redirects.isEmpty)
    }

    /// Such a connection is dead behind a sleep, and the request would wait for its answer to the end of its time.
    @Test func aKeptConnectionIsNotUsedOnceItIsForgotten() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(body: "x")])
        let transport = CurlTransport()
        var connections: [Int] = []
        for isForgotten in [false, false, true] {
            if isForgotten { transport.forgetConnections() }
            _ = try await transport.send(HTTPRequest(url: origin.url()))
            connections.append(await origin.connections)
        }
        #expect(connections == [1, 1, 2])
        await transport.shutdown()
    }

    @Test func anErrorStatusIsAnAnswer() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(status: 503, fields: ["Retry-After": "7"], body: "later")])
        let response = try await CurlTransport().send(HTTPRequest(url: origin.url()))
        #expect(response.status == 503)
        #expect(response.fields["Retry-After"] == "7")
        #expect(response.body == Array("later".utf8))
    }

    @Test(arguments: [204, 304]) func anAnswerWithoutABodyEndsWithItsHeader(status: Int) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(status: status, fields: ["Content-Encoding": "gzip"])])
        let response = try await CurlTransport().send(HTTPRequest(url: origin.url()))
        #expect(response.status == status)
        #expect(response.body.isEmpty)
    }

    /// Names below `localhost` are this machine's (RFC 6761 §6.3). The Kelvin sign is a `k` in lower case.
    @Test(arguments: [
        ("bücher", "xn--bcher-kva"), ("b%C3%BCcher", "xn--bcher-kva"), ("\u{212A}elvin", "kelvin"),
    ])
    func aNameBeyondASCIIIsUnderstoodAfterOthers(_ name: String, _ sent: String) async throws {
        let origin = try await ScriptedOrigin()
        await origin.handle { _ in ScriptedAnswer(body: "x") }
        let transport = CurlTransport()
        for url in [origin.url(), "http://\(name).localhost:\(origin.port)/"] {
            #expect(try await transport.send(HTTPRequest(url: url)).status == 200)
        }
        #expect(
            await origin.requests.map { $0.fields["Host"] }
                == ["127.0.0.1:\(origin.port)", "\(sent).localhost:\(origin.port)"])
    }

    @Test func twoRequestsOneAfterTheOtherUseOneConnection() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(body: "a"), ScriptedAnswer(body: "b")])
        let transport = CurlTransport()
        let first = try await transport.send(HTTPRequest(url: origin.url()))
        let second = try await transport.send(HTTPRequest(url: origin.url()))
        #expect([first.body, second.body] == [Array("a".utf8), Array("b".utf8)])
        #expect(await origin.connections == 1)
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["POST", "PATCH"])
    func whatMustNotBeRepeatedIsSentOnce(method: String) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(body: "a"), .raw("")])
        let transport = CurlTransport()
        let request = HTTPRequest(method: method, url: origin.url(), body: Array("x".utf8))
        #expect(try await transport.send(request).body == Array("a".utf8))
        // A server of one thread would wait on it.
        await origin.closed(1)
        await #expect(throws: HTTPError.self) { try await transport.send(request) }
        #expect(await origin.requests.count == 2)
        await origin.stop()
    }

    @Test func aKeptConnectionThatTheServerHasClosedIsReplaced() async throws {
        let origin = try await ScriptedOrigin()
        let closing = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
        await origin.script("/", [.raw(closing)])
        let transport = CurlTransport()
        for count in 1...3 {
            #expect(try await transport.send(HTTPRequest(url: origin.url())).body == Array("x".utf8))
            await origin.closed(count)
        }
        #expect(await origin.connections == 3)
    }

    @Test(
        arguments: [
            HTTPRequest(url: "", fields: ["X-One": "1", "If-None-Match": "\"a\""]),
            HTTPRequest(method: "POST", url: "", fields: ["X-One": "1"], body: Array("body".utf8)),
            HTTPRequest(method: "POST", url: ""), HTTPRequest(method: "HEAD", url: ""),
            HTTPRequest(method: "PROPFIND", url: "", body: Array("body".utf8)), HTTPRequest(url: "user:secret"),
            HTTPRequest(url: "", proxy: "itself"),
        ])
    func nothingIsKeptFromOneTransferForTheNext(request: HTTPRequest) async throws {
        let origin = try await ScriptedOrigin()
        await origin.handle { _ in ScriptedAnswer(fields: ["Set-Cookie": "a=b"], body: "x") }
        let transport = CurlTransport()
        var first = request
        if request.proxy == "itself" { first.proxy = origin.url("") }
        first.url = origin.url("/").replacing("://", with: request.url.isEmpty ? "://" : "://\(request.url)@")
        _ = try await transport.send(first)
        let plain = HTTPRequest(url: origin.url("/feed"))
        #expect(try await transport.send(plain).body == Array("x".utf8))
        let second = try #require(await origin.requests.last)
        #expect(second.method == "GET")
        #expect(second.target == "/feed")
        #expect(second.body.isEmpty)
        let names = String(decoding: second.head, as: UTF8.self).split(separator: "\r\n").dropFirst()
            .map { $0.prefix { $0 != ":" } }
        #expect(names.sorted() == ["Accept", "Accept-Encoding", "Host"])
    }

    /// libcurl repeats a request whose kept connection turns out to be dead, five times in the life of a handle.
    @Test func manyKeptConnectionsMayTurnOutToBeDead() async throws {
        let origin = try await ScriptedOrigin()
        let pair = [ScriptedAnswer(body: "x"), ScriptedAnswer(steps: [.close])]
        await origin.script("/", Array(repeating: pair, count: 8).flatMap { $0 })
        let transport = CurlTransport()
        for _ in 0..<8 {
            #expect(try await transport.send(HTTPRequest(url: origin.url("/"))).body == Array("x".utf8))
        }
        #expect(await origin.requests.count == 15)
    }

    @Test func aChallengeIsNotRememberedForOthers() async throws {
        let origin = try await ScriptedOrigin()
        let basic: HTTPFields = ["WWW-Authenticate": "Basic realm=\"x\""]
        await origin.script("/a", [ScriptedAnswer(status: 401, fields: basic, body: "a")])
        let digest: HTTPFields = ["WWW-Authenticate": "Digest realm=\"x\", nonce=\"y\""]
        await origin.script("/b", [ScriptedAnswer(status: 401, fields: digest, body: "b")])
        let transport = CurlTransport()
        #expect(try await transport.send(HTTPRequest(url: origin.url("/a"))).status == 401)
        let url = origin.url("/b").replacing("://", with: "://user:secret@")
        #expect(try await transport.send(HTTPRequest(url: url)).body == Array("b".utf8))
        #expect(await origin.requests.map(\.target) == ["/a", "/b"])
    }

    @Test func aTransferThatWasCutOffLeavesNothingToTheNext() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx")])
        await origin.script("/whole", [ScriptedAnswer(body: "whole")])
        let transport = CurlTransport()
        await #expect(throws: HTTPError.self) { try await transport.send(HTTPRequest(url: origin.url("/"))) }
        let next = HTTPRequest(url: origin.url("/whole"))
        #expect(try await transport.send(next).body == Array("whole".utf8))
    }

    @Test func twoHundredTransfersRunAtOnce() async throws {
        let origin = try await ScriptedOrigin()
        // No answer before the last request is there: the transfers must all be under way together.
        await origin.handle { ScriptedAnswer(steps: [.gate("all")] + .answer(body: $0.target)) }
        let transport = CurlTransport()
        try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for number in 0..<200 {
                let request = HTTPRequest(url: origin.url("/\(number)"))
                group.addTask { (number, try await transport.send(request).body) }
            }
            await origin.received(200)
            await origin.open("all")
            for try await (number, body) in group { #expect(body == Array("/\(number)".utf8)) }
        }
    }

    @Test func severalTransportsLiveSideBySide() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(body: "x")])
        for _ in 0..<20 { _ = try await CurlTransport().send(HTTPRequest(url: origin.url())) }
        await origin.closed(20)
        #expect(await origin.connections == 20)
    }
}

extension [ScriptedAnswer.Step] {
    static func answer(body: String) -> [ScriptedAnswer.Step] {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        return [.bytes([UInt8](text.utf8))]
    }
}
