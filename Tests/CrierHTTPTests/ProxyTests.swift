import CrierTesting
import Testing

@testable import CrierHTTP

@Suite struct ProxyTests {
    @Test func aProxyOfTheRequestGetsTheWholeURL() async throws {
        let proxy = try await ScriptedOrigin()
        await proxy.handle { _ in ScriptedAnswer(body: "from the proxy") }
        let request = HTTPRequest(url: "http://far.example/feed", proxy: proxy.url(""))
        let response = try await CurlTransport(environment: ["no_proxy": "*"]).send(request)
        #expect(response.body == Array("from the proxy".utf8))
        #expect(await proxy.requests.map(\.target) == ["http://far.example/feed"])
    }

    @Test func aHostNameBeyondASCIIIsSentInItsASCIIForm() async throws {
        let proxy = try await ScriptedOrigin()
        await proxy.handle { _ in ScriptedAnswer(body: "x") }
        let request = HTTPRequest(url: "http://bücher.example/häuser", proxy: proxy.url(""))
        _ = try await CurlTransport().send(request)
        let head = try #require(await proxy.requests.first?.head)
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n").filter { !$0.hasPrefix("Accept") }
        #expect(
            lines == [
                "GET http://xn--bcher-kva.example/h%c3%a4user HTTP/1.1", "Host: xn--bcher-kva.example",
            ])
    }

    /// Names below `localhost` are this machine's (RFC 6761 §6.3).
    @Test(arguments: ["bücher", "b%C3%BCcher"])
    func aProxysNameBeyondASCIIIsLookedUpInItsASCIIForm(_ name: String) async throws {
        let proxy = try await ScriptedOrigin()
        await proxy.handle { _ in ScriptedAnswer(body: "x") }
        let transport = CurlTransport(environment: ["http_proxy": "http://\(name).localhost:\(proxy.port)"])
        #expect(try await transport.send(HTTPRequest(url: "http://far.example/")).status == 200)
    }

    @Test func theProxyOfTheEnvironmentIsUsed() async throws {
        let proxy = try await ScriptedOrigin()
        await proxy.handle { _ in ScriptedAnswer(body: "x") }
        let transport = CurlTransport(environment: ["http_proxy": "127.0.0.1:\(proxy.port)"])
        #expect(try await transport.send(HTTPRequest(url: "http://far.example/")).status == 200)
    }

    @Test func redirectsBehindAProxyAreNotJudgedByTheProxysAddress() async throws {
        let proxy = try await ScriptedOrigin()
        await proxy.handle { request in
            request.target.contains("far")
                ? ScriptedAnswer(status: 302, fields: ["Location": "http://near.example/"]) : ScriptedAnswer(body: "x")
        }
        let transport = CurlTransport(environment: ["all_proxy": proxy.url("")])
        #expect(try await transport.send(HTTPRequest(url: "http://far.example/")).url == "http://near.example/")
    }

    /// Names it looks up itself.
    @Test(arguments: [
        "http://127.0.0.1:1/", "http://[::1]:1/", "http://0x7f.1:1/", "http://localhost:1/", "http://nas.lan./",
        "http://nas/", "https://169.254.169.254/", "http://router.home.arpa/", "http://127.0.0.1.:1/",
        "http://localhost.localdomain/",
        // Which become such names on the way.
        "http://metadata.google.ｉnternal/", "http://nas.local。/", "http://x.ｌocalhost/", "http://nas.lo\u{ad}cal/",
        "http://ｎas/",
    ])
    func aRedirectBehindAProxyDoesNotLeadToWhatIsWrittenAsPrivate(location: String) async throws {
        let proxy = try await ScriptedOrigin()
        await proxy.handle { _ in ScriptedAnswer(status: 302, fields: ["Location": "\(location)"]) }
        let transport = CurlTransport(environment: ["all_proxy": proxy.url("")])
        let error = await #expect(throws: HTTPError.self) {
            try await transport.send(HTTPRequest(url: "http://far.example/"))
        }
        #expect(error?.kind == .refusedAddress)
        #expect(await proxy.requests.count == 1)
    }

    @Test func aPrivateHostThatTheUserNamedMayLeadToItselfBehindAProxy() async throws {
        let proxy = try await ScriptedOrigin()
        await proxy.handle { request in
            request.target == "http://nas.lan/"
                ? ScriptedAnswer(status: 302, fields: ["Location": "/feed"]) : ScriptedAnswer(body: "x")
        }
        let transport = CurlTransport(environment: ["all_proxy": proxy.url("")])
        let response = try await transport.send(HTTPRequest(url: "http://nas.lan/"))
        #expect(response.url == "http://nas.lan/feed" && response.isFromPrivateAddress)
    }

    @Test func aRedirectGoesThroughTheProxyThatItsOwnHostHas() async throws {
        let (origin, proxy) = (try await ScriptedOrigin(), try await ScriptedOrigin())
        await origin.script("/", [ScriptedAnswer(status: 302, fields: ["Location": "http://far.example/feed"])])
        await proxy.handle { _ in ScriptedAnswer(body: "from the proxy") }
        let transport = CurlTransport(environment: ["http_proxy": proxy.url(""), "no_proxy": "127.0.0.1"])
        #expect(try await transport.send(HTTPRequest(url: origin.url())).body == Array("from the proxy".utf8))
        #expect(await proxy.requests.map(\.target) == ["http://far.example/feed"])
    }

    @Test func anEmptyProxyOfTheRequestIsNone() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(body: "x")])
        let transport = CurlTransport(environment: ["http_proxy": "http://127.0.0.1:1"])
        #expect(try await transport.send(HTTPRequest(url: origin.url(), proxy: "")).status == 200)
    }

    /// libcurl quotes what it cannot use, and knows no `/`, `?` and `#` in a password.
    @Test(arguments: [
        "ftp://me:s3cret@127.0.0.1:1", "sock5://me:s3cret@127.0.0.1:1", "me:s3://cret@127.0.0.1:1",
        "http://me:s3cret@[bad", "http://me:s3cret@127.0.0.1:99999", "http://me:s3 cret@127.0.0.1:1",
        "http://me:s3/cret@127.0.0.1:1", "http://me.invalid:12/cret@127.0.0.1:1", "me:s3/cret@127.0.0.1:1",
        "me:s3//cret@127.0.0.1:1", "http://me:s3#cret@127.0.0.1:1", "socks5://me:s3?cret@127.0.0.1:1",
        "socks5:me:s3cret@127.0.0.1:1", "me.invalid:12?cret@127.0.0.1:1",
    ])
    func noPasswordIsShown(proxy: String) async throws {
        for url in ["http://far.example/", "https://far.example/"] {
            let request = HTTPRequest(url: url, proxy: proxy)
            let error = await #expect(throws: HTTPError.self) { try await CurlTransport().send(request) }
            let words = try #require(error?.description)
            for part in ["s3", "cret", "12/", "me:"] { #expect(!words.contains(part), "\(words)") }
        }
    }

    @Test(arguments: [
        ("http://a.example/", "h:1"), ("https://a.example/", "s:1"), ("http://b.example/", nil),
        ("http://www.b.example/", nil), ("http://bb.example/", "h:1"), ("http://c.example:8080/", nil),
        ("http://10.1.2.3/", nil), ("http://11.1.2.3/", "h:1"), ("http://[fd00::1]/", nil),
        ("http://[fe80::1]/", "h:1"),
        ("http://192.0.2.7/", nil),
    ])
    func exceptionsAreReadAsCurlReadsThem(url: String, proxy: String?) throws {
        let environment = ProxyEnvironment([
            "http_proxy": "h:1", "HTTPS_PROXY": "s:1",
            "no_proxy": "b.example, .C.example 10.0.0.0/8,fd00::/8,192.0.2.7",
        ])
        #expect(try environment.proxy(for: WebURL(url)) == proxy)
    }

    @Test(
        arguments: [
            ("*", "http://a.example/", nil), ("b.example, *", "http://10.1.2.3/", nil),
            (".", "http://a.example/", "h:1"),
            ("10.0.0.0/33", "http://10.1.2.3/", "h:1"), ("10.0.0.0/x", "http://10.1.2.3/", "h:1"),
            ("10.0.0.0/0", "http://11.1.2.3/", nil),
        ] as [(String, String, String?)])
    func whatAnExceptionCovers(exceptions: String, url: String, proxy: String?) throws {
        let environment = ProxyEnvironment(["http_proxy": "h:1", "no_proxy": exceptions])
        #expect(try environment.proxy(for: WebURL(url)) == proxy)
    }

    @Test func aVariableThatACGIRequestCanSetIsNotRead() throws {
        #expect(try ProxyEnvironment(["HTTP_PROXY": "evil:1"]).proxy(for: WebURL("http://a.example/")) == nil)
    }
}
