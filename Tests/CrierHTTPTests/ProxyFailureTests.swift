import CrierTesting
import Testing

@testable import CrierHTTP

/// What a proxy refuses says nothing about the origin.
@Suite struct ProxyFailureTests {
    private func error(_ url: String, _ proxy: String, caFile: String? = nil) async throws -> HTTPError {
        let request = HTTPRequest(url: url, proxy: proxy, caFile: caFile)
        let error = await #expect(throws: HTTPError.self) { try await CurlTransport(environment: [:]).send(request) }
        return try #require(error)
    }

    private func failure(_ url: String, _ proxy: String, caFile: String? = nil) async throws -> String {
        let error = try await error(url, proxy, caFile: caFile)
        #expect(error.kind == .connect && !error.hasReachedHost, "\(error)")
        let trouble = try #require(error.proxyTrouble)
        let host = try WebURL(url).authority
        #expect(error.description == "no connection to \(host): \(trouble)")
        return trouble
    }

    @Test func anotherKindOfProxyCannotBeUsed() async throws {
        let expected = "the proxy ftp://127.0.0.1:1 cannot be used, as it is not the address of an HTTP or SOCKS proxy"
        #expect(try await failure("http://far.example/", "ftp://me:s3cret@127.0.0.1:1") == expected)
    }

    @Test func aProxyThatIsNotThereIsNamedWithoutItsPassword() async throws {
        let refusal = "connection refused by the proxy http://127.0.0.1:1"
        #expect(try await failure("http://far.example/", "http://me:secret@127.0.0.1:1") == refusal)
        let name = "could not find the proxy http://proxy.invalid:1"
        #expect(try await failure("https://far.example/", "http://me:secret@proxy.invalid:1") == name)
    }

    @Test(arguments: [407, 502, 503]) func aTunnelThatIsRefused(status: Int) async throws {
        let proxy = try await ScriptedOrigin()
        await proxy.handle { _ in ScriptedAnswer(status: status, body: "no") }
        let trouble = try await failure("https://far.example/", proxy.url(""))
        #expect(trouble == "the proxy \(proxy.url("")) answers HTTP \(status)")
        #expect(await proxy.requests.map(\.target) == ["far.example:443"])
        await proxy.stop()
    }

    @Test func aTunnelThatIsNotAnswered() async throws {
        let proxy = try await ScriptedOrigin()
        await proxy.handle { _ in ScriptedAnswer(steps: [.close]) }
        let trouble = try await failure("https://far.example/", proxy.url(""))
        #expect(trouble == "the proxy \(proxy.url("")) closed the connection")
        await proxy.stop()
    }

    @Test func aTunnelThatTakesTooLong() async throws {
        let proxy = try await ScriptedOrigin()
        await proxy.handle { _ in .hang }
        let limits = HTTPLimits(connect: .milliseconds(300))
        let request = HTTPRequest(url: "https://far.example/", limits: limits, proxy: proxy.url(""))
        let error = await #expect(throws: HTTPError.self) { try await CurlTransport().send(request) }
        #expect(error?.kind == .connect)
        #expect(error?.proxyTrouble == "none came about through the proxy \(proxy.url("")) within 300 ms")
        await proxy.stop()
    }

    @Test func aProxyThatWantsAnotherPasswordForWhatItIsSentAsItIs() async throws {
        let proxy = try await ScriptedOrigin()
        await proxy.handle { _ in ScriptedAnswer(status: 407, body: "who are you?") }
        let trouble = try await failure("http://far.example/", "http://me:s3cret@127.0.0.1:\(proxy.port)")
        #expect(trouble == "the proxy \(proxy.url("")) answers HTTP 407")
        // An origin may say so too, and what else a proxy answers may be the origin's.
        let direct = try await CurlTransport().send(HTTPRequest(url: proxy.url(), proxy: ""))
        #expect(direct.status == 407)
        await proxy.handle { _ in ScriptedAnswer(status: 502) }
        let other = HTTPRequest(url: "http://far.example/", proxy: proxy.url(""))
        #expect(try await CurlTransport().send(other).status == 502)
        await proxy.stop()
    }

    @Test(
        arguments: [
            (503, ["X-Squid-Error": "ERR_DNS_FAIL 0", "Server": "squid/5.7"], true),
            (403, ["X-Squid-Error": "ERR_ACCESS_DENIED 0"], true),
            // The origin was asked, and may have taken the request.
            (504, ["X-Squid-Error": "ERR_READ_TIMEOUT 0"], false),
            (502, ["X-Squid-Error": "ERR_ZERO_SIZE_OBJECT 0"], false),
            (200, ["X-Squid-Error": "ERR_DNS_FAIL 0"], false), (503, ["Server": "squid/5.7"], false), (404, [:], false),
        ] as [(Int, HTTPFields, Bool)])
    func aProxyThatAnswersInPlaceOfTheOriginIsNamed(status: Int, fields: HTTPFields, isProxys: Bool) async throws {
        let proxy = try await ScriptedOrigin()
        await proxy.handle { _ in ScriptedAnswer(status: status, fields: fields, body: "x") }
        if isProxys {
            let trouble = try await failure("http://far.example/", proxy.url(""))
            #expect(trouble == "the proxy \(proxy.url("")) answers HTTP \(status)")
        } else {
            let request = HTTPRequest(url: "http://far.example/", proxy: proxy.url(""))
            #expect(try await CurlTransport().send(request).status == status)
        }
        await proxy.stop()
    }

    /// Through a tunnel or a SOCKS proxy it is the origin that says so.
    @Test(
        arguments: [
            ("http://far.example/", "http://127.0.0.1:1", true), ("https://far.example/", "http://127.0.0.1:1", false),
            ("http://far.example/", "socks5h://127.0.0.1:1", false), ("http://far.example/", nil, false),
        ] as [(String, String?, Bool)])
    func whoAnswers(url: String, proxy: String?, isProxy: Bool) throws {
        let hop = CurlHop(
            method: "GET", url: try WebURL(url), fields: HTTPFields(), body: nil, credentials: nil, proxy: proxy,
            caFile: nil, limits: .polling, followsRedirects: true, deadline: .now + .seconds(1), mayBePrivate: true)
        #expect((ProxyFailure.answer(407, [:], to: hop) != nil) == isProxy)
        #expect((ProxyFailure.answer(503, ["X-Squid-Error": "ERR_CONNECT_FAIL 111"], to: hop) != nil) == isProxy)
    }

    @Test func behindARedirectAHostWasReached() async throws {
        let proxy = try await ScriptedOrigin()
        await proxy.handle { request in
            request.method == "CONNECT"
                ? ScriptedAnswer(status: 403)
                : ScriptedAnswer(status: 301, fields: ["Location": "https://far.example/"])
        }
        let error = try await error("http://far.example/", proxy.url(""))
        #expect(error.hasReachedHost)
        #expect(error.proxyTrouble == "the proxy \(proxy.url("")) answers HTTP 403")
        await proxy.stop()
    }

    @Test func whatFailsBehindTheTunnelIsTheOriginsFailure() async throws {
        let proxy = try await ScriptedOrigin()
        let made = Array("HTTP/1.1 200 Made\r\n\r\n".utf8)
        await proxy.handle { _ in ScriptedAnswer(steps: [.bytes(made + Array("no TLS at all".utf8)), .close]) }
        let error = try await error("https://far.example/", proxy.url(""))
        #expect(error.proxyTrouble == nil)
        #expect(error.description.contains("far.example") && !error.description.contains("127.0.0.1"), "\(error)")
        await proxy.stop()
    }

    @Test(
        arguments: [
            (1, "the proxy P does not make it: "), (2, "the proxy P does not make it: it is not allowed"),
            (4, "the proxy P does not make it: the host cannot be reached"),
            (5, "the proxy P does not make it: the host refuses the connection"),
        ] as [(UInt8, String)])
    func aSOCKSProxyThatRefuses(reply: UInt8, words: String) async throws {
        let proxy = "socks5h://127.0.0.1:\(try RefusingSOCKSProxy.start(reply: reply))"
        let trouble = try await failure("https://far.example/", proxy)
        #expect(trouble.hasPrefix(words.replacing("P", with: proxy, maxReplacements: 1)), "\(trouble)")
    }

    @Test func aNameThatIsLookedUpHereIsNotTheSOCKSProxysFailure() async throws {
        let proxy = "socks5://127.0.0.1:\(try RefusingSOCKSProxy.start(reply: 1))"
        let expected = HTTPError(.resolve, "could not find the host host.invalid")
        #expect(try await error("http://host.invalid/", proxy) == expected)
    }

    @Test(.enabled(if: TLSServer.isAvailable, "there is no openssl program on this machine"))
    func aProxyWhoseCertificateIsNotTrusted() async throws {
        let server = try await TLSServer.start()
        defer { server.stop() }
        let proxy = "https://localhost:\(server.port)"
        for url in ["http://far.example/", "https://far.example/"] {
            let trouble = try await failure(url, proxy)
            #expect(trouble.hasPrefix("the certificate of the proxy \(proxy) is not trusted: "), "\(trouble)")
        }
        // What is wrong here is a file of this machine.
        let error = try await error("https://far.example/", proxy, caFile: "/nonexistent/ca.pem")
        #expect(error.kind == .file && error.proxyTrouble == nil)
    }

    @Test func aProxyThatSpeaksNoTLS() async throws {
        let proxy = "https://me:s3cret@127.0.0.1:\(try RefusingSOCKSProxy.start(reply: 1))"
        let trouble = try await failure("https://far.example/", proxy)
        #expect(trouble.hasPrefix("no secure connection to the proxy https://127.0.0.1:"), "\(trouble)")
    }
}
