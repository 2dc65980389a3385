import CrierTesting
import Testing

@testable import CrierHTTP

@Suite struct PrivateAddressTests {
    @Test(arguments: [
        "127.0.0.1", "127.255.255.254", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1",
        "169.254.169.254", "100.64.0.1", "100.127.255.255", "224.0.0.1", "255.255.255.255", "::", "::1", "::127.0.0.1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::",
        "2002:a00:1::1", "fe80::1", "fe80::1%eth0", "febf::1", "fec0::1", "fc00::1", "fd12:3456::1", "ff02::1", "[::1]",
        "192.0.0.1", "::ffff:0:127.0.0.1", "2001:0:101:101::f5ff:fffe", "100::1",
    ])
    func privateAddress(_ text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPrivate)
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.0.0.1", "128.0.0.1",
        "169.253.0.1", "172.15.0.1", "172.32.0.1", "192.167.0.1", "198.18.0.1", "223.255.255.255",
        "2606:4700:4700::1111", "192.0.2.1", "::ffff:0:1.1.1.1", "2001:0:7f00:1::fefe:fefe", "::ffff:1.1.1.1",
        "64:ff9b::1.1.1.1", "2002:101:101::1", "2001:db8::1", "fe00::1",
    ])
    func publicAddress(_ text: String) throws {
        #expect(try !#require(NetworkAddress(text)).isPrivate)
    }

    @Test(arguments: ["", "example.org", "1.2.3", "1.2.3.4.5", "::g", "0x7f.1"]) func noAddress(_ text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test(arguments: ["", "."]) func aHostWithoutANameIsPrivate(host: String) {
        #expect(NetworkAddress.isPrivate(host: host))
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("127.000.000.001", "127.0.0.1"), ("127.1", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"), ("2130706433", "127.0.0.1"), ("0177.0.0.1", "127.0.0.1"),
        ("010.0.0.1", "8.0.0.1"), ("192.168.257", "192.168.1.1"), ("::1", "::1"), ("[::1]", "::1"),
        ("127.0.0.08", nil), ("127.0.0.256", nil), ("1.2.3.4.5", nil), ("0x7g", nil), ("", nil), ("1.example", nil),
    ])
    func aHostInAnotherSpellingIsTheAddressThatLibcurlConnectsTo(host: String, address: String?) {
        #expect(NetworkAddress.ofHost(host) == address.flatMap(NetworkAddress.init))
    }

    @Test func aRedirectToAPrivateAddressIsRefused() async throws {
        let origin = try await ScriptedOrigin()
        let secret = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(status: 302, fields: ["Location": secret.url("/admin")])])
        let error = await #expect(throws: HTTPError.self) {
            try await CurlTransport().send(HTTPRequest(url: origin.url()))
        }
        #expect(error?.kind == .refusedAddress)
        #expect(
            error?.description
                == "127.0.0.1:\(secret.port) is on a private network, where only an address that you give yourself may lead"
        )
        #expect(await secret.connections == 0)
    }

    @Test func aNameIsJudgedByTheAddressItHas() async throws {
        let origin = try await ScriptedOrigin()
        let location = "http://localhost:\(origin.port)/admin"
        await origin.script("/", [ScriptedAnswer(status: 302, fields: ["Location": location])])
        let error = await #expect(throws: HTTPError.self) {
            try await CurlTransport().send(HTTPRequest(url: origin.url()))
        }
        #expect(error?.kind == .refusedAddress)
        #expect(await origin.requests.count == 1)
    }

    @Test(arguments: ["0x7f000001", "2130706433", "127.1", "0177.0.0.1"])
    func otherWaysToWriteLoopbackAreLoopback(host: String) async throws {
        let origin = try await ScriptedOrigin()
        let secret = try await ScriptedOrigin()
        let location = "http://\(host):\(secret.port)/"
        await origin.script("/", [ScriptedAnswer(status: 302, fields: ["Location": location])])
        let error = await #expect(throws: HTTPError.self) {
            try await CurlTransport().send(HTTPRequest(url: origin.url()))
        }
        #expect(error?.kind == .refusedAddress)
        #expect(await secret.connections == 0)
    }

    @Test func aKeptConnectionIsNoWayAround() async throws {
        let origin = try await ScriptedOrigin()
        let secret = try await ScriptedOrigin()
        await secret.script("/", [ScriptedAnswer(body: "typed by the user")])
        await origin.script("/", [ScriptedAnswer(status: 302, fields: ["Location": secret.url("/")])])
        let transport = CurlTransport()
        _ = try await transport.send(HTTPRequest(url: secret.url()))
        let error = await #expect(throws: HTTPError.self) {
            try await transport.send(HTTPRequest(url: origin.url()))
        }
        #expect(error?.kind == .refusedAddress)
        #expect(await secret.requests.count == 1)
    }

    @Test func anAddressThatNobodyTypedIsRefusedItselfAndSoIsAFile() async throws {
        let origin = try await ScriptedOrigin()
        for url in [origin.url(), "http://localhost:\(origin.port)/", "file:///etc/hostname"] {
            let request = HTTPRequest(url: url, mayVisitPrivateAddresses: false)
            #expect(await CurlTransport().failure(request)?.kind == .refusedAddress)
        }
        #expect(await origin.connections == 0)
        #expect(try await CurlTransport().send(HTTPRequest(url: origin.url())).isFromPrivateAddress)
    }

    @Test func aProxyThatTheUserNamedMayBeAnywhere() async throws {
        let proxy = try await ScriptedOrigin()
        await proxy.handle { _ in ScriptedAnswer(body: "x") }
        let request = HTTPRequest(
            url: "http://public.example/", proxy: proxy.url(), mayVisitPrivateAddresses: false)
        let response = try await CurlTransport(environment: [:]).send(request)
        #expect(response.status == 200)
        #expect(!response.isFromPrivateAddress)
    }

    /// Behind a proxy the first answer says nothing about the network of its origin.
    @Test func aPublicOriginMayNotLeadToAPrivateOneNotEvenOnItsOwnName() async throws {
        let proxy = try await ScriptedOrigin()
        let secret = try await ScriptedOrigin()
        await proxy.handle { _ in ScriptedAnswer(status: 302, fields: ["Location": secret.url("/")]) }
        let transport = CurlTransport(environment: ["http_proxy": proxy.url(), "no_proxy": "127.0.0.1"])
        let error = await #expect(throws: HTTPError.self) {
            try await transport.send(HTTPRequest(url: "http://public.example/"))
        }
        #expect(error?.kind == .refusedAddress)
        #expect(await secret.connections == 0)
    }
}
