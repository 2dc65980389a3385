import CrierHTTP
import CrierTesting
import Testing

@Suite struct BrokenAnswerTests {
    private func send(_ answer: ScriptedAnswer) async throws(HTTPError) -> HTTPResponse {
        let origin: ScriptedOrigin
        do { origin = try await ScriptedOrigin() } catch { throw HTTPError(.transfer, "\(error)") }
        await origin.script("/", [answer])
        return try await CurlTransport().send(HTTPRequest(url: origin.url()))
    }

    @Test(
        "What is not a whole answer is a bad response",
        arguments: [
            "hello, I speak no HTTP\r\n\r\n",
            "",
            "HTTP/1.1 200 OK\r\nContent-Le",
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nno colon here\r\n\r\nabc",
        ])
    func brokenAnswer(_ bytes: String) async throws {
        let error = await #expect(throws: HTTPError.self) { try await send(.raw(bytes)) }
        #expect(error?.kind == .badResponse)
    }

    @Test func theMessageNamesTheOrigin() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [.raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")])
        let error = await #expect(throws: HTTPError.self) {
            try await CurlTransport().send(HTTPRequest(url: "http://user:secret@127.0.0.1:\(origin.port)/?q"))
        }
        #expect(error?.description == "the body from 127.0.0.1:\(origin.port) is cut off")
    }

    @Test func interimAnswersAreNoAnswers() async throws {
        let response = try await send(
            .raw(
                "HTTP/1.1 103 Early Hints\r\nETag: \"early\"\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 2\r\n\r\nok"))
        #expect(response.status == 200)
        #expect(response.fields.all.map(\.name) == ["X-A", "Content-Length"])
        #expect(response.body == Array("ok".utf8))
    }

    @Test func trailersReplaceNothing() async throws {
        let response = try await send(
            .raw(
                "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "2\r\nok\r\n0\r\nETag: \"trailer\"\r\n\r\n"))
        #expect(response.fields["ETag"] == "\"a\"")
        #expect(response.body == Array("ok".utf8))
    }

    @Test func fieldsKeepTheirBytesOrderAndFolds() async throws {
        let head = Array("HTTP/1.1 200 OK\r\nETag: \t".utf8) + [0x22, 0xe9, 0x22] + Array(" \r\n".utf8)
        let rest = "Link: <a>;\r\n  rel=x\r\n\ttitle=y\r\nLink:<b>\r\nX-Empty:\r\nContent-Length: 0\r\n\r\n"
        let response = try await send(.raw(head + Array(rest.utf8)))
        #expect(response.fields.rawValue(of: "etag") == [0x22, 0xe9, 0x22])
        #expect(response.fields.combined("link") == "<a>; rel=x title=y, <b>")
        #expect(response.fields["X-Empty"] == "")
        #expect(response.fields.all.map(\.name) == ["ETag", "Link", "Link", "X-Empty", "Content-Length"])
    }

    /// To compare texts that are made of marks takes the square of their length.
    @Test func fieldsOfMarksCostNothing() async throws {
        let marks = "x" + String(repeating: "\u{301}\u{316}", count: 4_000)
        let names = ["Cache-Control", "Content-Type", "Expires", "Vary", "Retry-After", "x" + marks]
        let head = names.map { "\($0): \(marks)\r\n" }.joined()
        let response = try await send(.raw(Array("HTTP/1.1 200 OK\r\n\(head)Content-Length: 2\r\n\r\nok".utf8)))
        #expect(response.body == Array("ok".utf8))
        #expect(names.prefix(5).allSatisfy { response.fields[$0] == "" })
        #expect(response.fields.rawValue(of: "vary")?.count == marks.utf8.count)
        #expect(response.fields.all.count == 6)
    }

    @Test func aStatusLineWithoutAReasonIsEnough() async throws {
        #expect(try await send(.raw("HTTP/1.0 404\r\n\r\ngone")).status == 404)
    }

    @Test func linesThatEndCarelesslyAreRead() async throws {
        let response = try await send(.raw("HTTP/1.1 200 OK\nETag: \"a\"\nContent-Length: 2\n\nok"))
        #expect(response.body == Array("ok".utf8))
        #expect(response.fields.all.map(\.name) == ["ETag", "Content-Length"])
    }

    /// A body behind a 304, or more of one than its length says: neither is the answer to the next request.
    @Test(arguments: [
        ("HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\n", "late"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate"),
    ])
    func whatComesLateIsNotTheNextAnswer(_ answer: String, _ rest: String) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script(
            "/one",
            [ScriptedAnswer(steps: [.bytes(Array(answer.utf8)), .gate("late"), .bytes(Array(rest.utf8)), .close])])
        await origin.script("/two", [ScriptedAnswer(body: "two")])
        let transport = CurlTransport()
        _ = try await transport.send(HTTPRequest(url: origin.url("/one")))
        await origin.open("late")
        await origin.closed(1)
        #expect(try await transport.send(HTTPRequest(url: origin.url("/two"))).body == Array("two".utf8))
        await origin.stop()
    }
}
