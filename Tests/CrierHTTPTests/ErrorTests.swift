import CrierHTTP
import CrierTesting
import Testing

@Suite struct ErrorTests {
    private func error(_ url: String) async throws -> HTTPError {
        let error = await #expect(throws: HTTPError.self) { try await CurlTransport().send(HTTPRequest(url: url)) }
        return try #require(error)
    }

    @Test func aHostThatIsNotThere() async throws {
        let error = try await error("http://user:secret@host.invalid/path")
        #expect(error == HTTPError(.resolve, "could not find the host host.invalid"))
    }

    @Test func aPortWhereNobodyListens() async throws {
        let origin = try await ScriptedOrigin()
        let port = origin.port
        await origin.stop()
        #expect(
            try await error("http://127.0.0.1:\(port)/")
                == HTTPError(.connect, "connection refused by 127.0.0.1:\(port)", hasReachedHost: true))
    }

    @Test func aHostThatIsNotThereBehindARedirect() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(status: 302, fields: ["Location": "http://host.invalid/"])])
        let expected = HTTPError(.resolve, "could not find the host host.invalid", hasReachedHost: true)
        #expect(try await error(origin.url()) == expected)
    }

    @Test func aProxyThatIsNotThereSaysNothingOfTheHost() async throws {
        let origin = try await ScriptedOrigin()
        let proxy = origin.url()
        await origin.stop()
        let error = await #expect(throws: HTTPError.self) {
            try await CurlTransport().send(HTTPRequest(url: "http://a.example/", proxy: proxy))
        }
        #expect(error?.kind == .connect)
        #expect(error?.hasReachedHost == false)
    }

    @Test func aConnectionClosedWithoutAnAnswer() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(steps: [.close])])
        let expected = "127.0.0.1:\(origin.port) closed the connection without an answer"
        #expect(try await error(origin.url()) == HTTPError(.badResponse, expected))
    }

    @Test(arguments: [
        "", "feed.xml", "//a.example/", "http://", "http://a b.example/", "http://[::1", "http://a\u{0}b/",
    ])
    func noURL(_ url: String) async throws {
        #expect(try await error(url) == HTTPError(.badURL, "not a URL: \(url)"))
    }

    @Test(arguments: ["ftp://a.example/", "gopher://a.example/", "dict://a.example/"])
    func anotherScheme(_ url: String) async throws {
        let scheme = try #require(url.split(separator: ":").first)
        #expect(
            try await error(url) == HTTPError(.badURL, "\(scheme) is not supported, only http, https and file: \(url)"))
    }

    @Test(arguments: [
        ("http://me:secret@a b.example/", "not a URL: http://a b.example/"),
        ("http://me:se@cret@[::1/x@y", "not a URL: http://y"),
        ("ftp://me:secret@a.example/x", "ftp is not supported, only http, https and file: ftp://a.example/x"),
    ])
    func credentialsAreNeverShown(url: String, description: String) async throws {
        #expect(try await error(url).description == description)
    }

    @Test func whatHTTPDoesNotHaveIsNotSent() async throws {
        let origin = try await ScriptedOrigin()
        let fields: [HTTPFields] = [["X-A": "a\r\nb"], ["a b": "c"]]
        var requests = fields.map { HTTPRequest(url: origin.url(), fields: $0) }
        requests.append(HTTPRequest(method: "GET /x", url: origin.url()))
        for request in requests {
            let error = await #expect(throws: HTTPError.self) { try await CurlTransport().send(request) }
            #expect(error?.kind == .badRequest, "\(request.fields)")
        }
        #expect(await origin.connections == 0)
    }
}
