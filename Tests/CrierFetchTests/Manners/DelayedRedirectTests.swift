import CrierHTTP
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// A redirect may ask to be waited for (RFC 9110 §10.2.3): "the minimum time before issuing the redirected request".
@Suite struct DelayedRedirectTests {
    private func bench(_ answers: ScriptedAnswer...) async throws -> MannersBench {
        let bench = try await MannersBench(nil)
        await bench.origin.script("/a", answers)
        await bench.origin.script("/b", [ScriptedAnswer(body: MannersBench.rss(""))])
        return bench
    }

    private func redirect(_ retryAfter: String, _ status: Int = 301) -> ScriptedAnswer {
        ScriptedAnswer(status: status, fields: ["Location": "/b", "Retry-After": retryAfter])
    }

    @discardableResult
    private func fetch(_ bench: MannersBench, isForced: Bool = false) async throws -> FetchReport? {
        try await bench.scheduler.fetch([bench.source("a")], isForced: isForced) { _ in }.first
    }

    @Test(
        arguments: [301, 302, 303, 307, 308],
        [("9000", 9000.0), ("99999999999", 86_400), ("Wed, 15 Nov 2023 00:43:20 GMT", 9000)])
    func isFollowedOnceTheWaitIsOverAndNotBefore(_ status: Int, _ retryAfter: (String, Double)) async throws {
        let bench = try await bench(redirect(retryAfter.0, status))
        let start = bench.clock.now
        let report = try #require(try await fetch(bench))
        #expect(await bench.origin.requests.map(\.target) == ["/a"])
        #expect(report.status == status)
        #expect(report.failure?.cause.contains("not to be followed before") == true)
        #expect(report.nextFetch == start.addingTimeInterval(retryAfter.1))
        #expect(report.nextFetchReason == "the origin's Retry-After")
        #expect(try await fetch(bench, isForced: true)?.refusal?.reason == .retryAfter)
        #expect(await bench.origin.requests.count == 1)
        try await bench.clock.sleep(until: start.addingTimeInterval(retryAfter.1))
        #expect(try await fetch(bench)?.result == .newData)
        #expect(await bench.origin.requests.map(\.target) == ["/a", "/a", "/b"])
        #expect(try bench.state("a").wishes.refusedUntil == nil)
        #expect(try bench.state("a").failures == 0)
        await bench.origin.stop()
    }

    @Test(arguments: ["0", "-5", "soon", "", "1.", "Tue, 14 Nov 2023 22:13:19 GMT"])
    func isFollowedAtOnceWhereThereIsNothingToWaitFor(_ retryAfter: String) async throws {
        let bench = try await bench(redirect(retryAfter))
        #expect(try await fetch(bench)?.result == .newData)
        await bench.origin.stop()
    }

    @Test func aWaitForSomethingElseIsNoWaitForTheRedirect() async throws {
        let bench = try await bench(
            ScriptedAnswer(status: 503, fields: ["Retry-After": "5000"]), redirect("5000"))
        try await fetch(bench)
        try await bench.clock.sleep(until: bench.clock.now.addingTimeInterval(5000))
        #expect(try await fetch(bench)?.status == 301)
        #expect(await bench.origin.requests.map(\.target) == ["/a", "/a"])
        await bench.origin.stop()
    }

    @Test func isAdoptedAfterThreeSightingsAllTheSame() async throws {
        let bench = try await bench(redirect("5000", 308))
        for _ in 0..<6 {
            try await fetch(bench)
            try await bench.clock.sleep(until: bench.clock.now.addingTimeInterval(86_400))
        }
        #expect(try bench.state("a").adoptedURL(of: bench.source("a")) == bench.origin.url("/b"))
        await bench.origin.stop()
    }

    @Test func aTrialAndADiscoveryDoNotPressOnEither() async throws {
        let bench = try await bench(redirect("5000"))
        let fetcher = ContentFetcher(
            store: bench.store, transport: CurlTransport(), clock: bench.clock, userAgent: "t")
        let report = try await fetcher.fetch(bench.source("a"), purpose: .trial)
        #expect(
            report.failure?.cause
                == "HTTP status 301, moved permanently, and not to be followed before 1 h 23 min have passed")
        #expect(await bench.origin.requests.map(\.target) == ["/a"])
        #expect(try bench.store.states().isEmpty)
        await bench.origin.stop()
    }
}
