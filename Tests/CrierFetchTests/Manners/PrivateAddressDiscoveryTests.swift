import CrierContent
import CrierHTTP
import CrierTesting
import Testing

@testable import CrierFetch

/// A page may not lead the discovery of feeds into a private network.
@Suite struct PrivateAddressDiscoveryTests {
    private static let feed = """
        <feed xmlns="http://www.w3.org/2005/Atom"><title>Inside</title><id>urn:f</id>
        <updated>2023-11-14T00:00:00Z</updated><entry><id>urn:1</id><title>One</title>
        <updated>2023-11-14T00:00:00Z</updated></entry></feed>
        """

    private func page(_ link: String) -> ScriptedAnswer {
        ScriptedAnswer(
            fields: ["Content-Type": "text/html"],
            body: "<html><head><link rel='alternate' type='application/atom+xml' href='\(link)'></head></html>")
    }

    private func discover(
        _ url: String, environment: [String: String] = [:]
    ) async throws -> FeedDiscovery.Discovery {
        let transport = CurlTransport(environment: environment)
        let discovery = FeedDiscovery(transport: transport, clock: ManualClock(), userAgent: "crier-test/1")
        return try await discovery.discover(url, mapping: ContentMapping())
    }

    @Test func aPageOnAPrivateHostMayNameAFeedOnTheSameHost() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/", [page("/feed")])
        await origin.script("/feed", [ScriptedAnswer(body: Self.feed)])
        #expect(try await discover(origin.url()).url == origin.url("/feed"))
    }

    @Test func butNotOneOnAnotherPrivateHost() async throws {
        let origin = try await ScriptedOrigin()
        let inside = try await ScriptedOrigin()
        await inside.handle { _ in ScriptedAnswer(body: Self.feed) }
        for link in [inside.url("/feed"), "http://localhost:\(inside.port)/feed", "file:///etc/hostname"] {
            await origin.script("/", [page(link)])
            await #expect(throws: DiscoveryFailure.self) { try await discover(origin.url()) }
        }
        #expect(await inside.connections == 0)
    }

    /// The page of a public host comes through a proxy; the link is then asked directly, as after DNS rebinding.
    @Test(arguments: ["http://localhost", "http://127.0.0.1", "http://[::ffff:127.0.0.1]"])
    func aPageOnAPublicHostMayNotNameAPrivateOne(host: String) async throws {
        let proxy = try await ScriptedOrigin()
        let inside = try await ScriptedOrigin()
        await inside.handle { _ in ScriptedAnswer(body: Self.feed) }
        let answer = page("\(host):\(inside.port)/feed")
        await proxy.handle { _ in answer }
        let environment = ["http_proxy": proxy.url(), "no_proxy": "localhost,127.0.0.1,::ffff:127.0.0.1"]
        let failure = await #expect(throws: DiscoveryFailure.self) {
            try await discover("http://public.example/", environment: environment)
        }
        #expect(failure?.description.contains("is on a private network") == true)
        #expect(await inside.connections == 0)
    }
}
