import CrierHTTP
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// Hosts that count the requests of all their addresses together.
@Suite struct HostLimitTests {
    @Test func aHostThatForbidsMoreForItsLimitIsLeftAloneUntilThatIsSetBack() async throws {
        let bench = try await MannersBench()
        let start = bench.clock.now
        bench.transport.script(
            "https://api.example/a", status: 403,
            fields: [
                "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "\(Int(start.timeIntervalSince1970) + 7200)",
            ], body: #"{"message": "API rate limit exceeded"}"#)
        let sources = ["a", "b", "c"].map { bench.source($0, on: "api.example") }
        _ = try await bench.elsewhere.fetch(sources) { _ in }
        #expect(bench.transport.requests.count == 1)
        let failed = try bench.state("a")
        #expect(
            failed.failure?.cause == """
                HTTP status 403, forbidden, as it was asked too often; it says: API rate limit exceeded
                """)
        #expect(failed.nextFetch == start.addingTimeInterval(7200), "and not in hours, as what is forbidden otherwise")
        #expect(try bench.state("b").nextFetchReason == "api.example, which asked for fewer requests")
        #expect(try bench.store.hosts()["api.example"]?.pausedUntil == start.addingTimeInterval(7200))
        await bench.origin.stop()
    }

    @Test func whatIsForbiddenOtherwiseIsAboutOneSource() async throws {
        let bench = try await MannersBench()
        bench.transport.script(
            "https://api.example/a", status: 403, fields: ["X-RateLimit-Remaining": "7"], body: "{}")
        bench.transport.script("https://api.example/b", body: MannersBench.rss(""))
        _ = try await bench.elsewhere.fetch(["a", "b"].map { bench.source($0, on: "api.example") }) { _ in }
        #expect(bench.transport.requests.count == 2)
        #expect(try bench.state("a").failure?.cause == "HTTP status 403, forbidden")
        await bench.origin.stop()
    }
}
