import CrierHTTP
import CrierTesting
import Foundation
import Synchronization
import Testing

@testable import CrierFetch
@testable import CrierStore

/// A digest whose time passed while the machine slept waits for what its sources have.
@Suite struct HeldDigestTests {
    private let transport = ScriptedTransport()

    /// On the morning after, half an hour behind the slot.
    private func bench() async throws -> DigestBench {
        let bench = try DigestBench("08:30", from: "2026-11-20T12:00:00Z")
        _ = try await bench.desk.issueDue()
        try bench.set("2026-11-21T08:00:00Z")
        return bench
    }

    private func sources(_ count: Int) -> [Source] {
        (0..<count).map { number in
            let address = SourceAddress.url("https://s\(number).example/")
            return Source(name: "s\(number)", address: address, notify: .none, first: .all, digests: ["morning"])
        }
    }

    private func answer(_ source: Source) -> ScriptedTransport.Answer {
        let body = "<rss><channel><title>T</title><item><guid>1</guid><title>x</title></item></channel></rss>"
        return .success(
            HTTPResponse(
                status: 200, fields: [:], body: Array(body.utf8), url: "https://\(source.name).example/"))
    }

    private func script(_ sources: [Source], _ answers: (Source) -> [ScriptedTransport.Answer]) {
        for source in sources { transport.script("https://\(source.name).example/", answers(source)) }
    }

    /// Runs the loop, and moves the time to each date that it sleeps for, until it has issued something.
    private func firstIssue(
        _ bench: DigestBench, _ sources: [Source], hasNetwork: Bool
    ) async throws -> (counts: [Int], wakeUps: Int) {
        let fetcher = ContentFetcher(store: bench.store, transport: transport, clock: bench.clock, userAgent: "t")
        let scheduler = FetchScheduler(
            fetcher: fetcher, store: bench.store, clock: bench.clock, network: NetworkPath { hasNetwork },
            desk: bench.desk)
        let issued = Mutex<[Int]>([])
        let loop = Task {
            try await scheduler.run(
                sources, issued: { reports in issued.withLock { $0 += reports.map(\.count) } }, report: { _ in })
        }
        var wakeUps = 0
        await bench.clock.waitForSleepers()
        while issued.withLock(\.isEmpty), wakeUps < 50 {
            wakeUps += 1
            bench.clock.advance(to: try #require(bench.clock.deadlines.first))
            await bench.clock.waitForSleepers()
        }
        loop.cancel()
        _ = try? await loop.value
        return (issued.withLock(\.self), wakeUps)
    }

    @Test func itWaitsForEachRoundInWhichItsSourcesAreAsked() async throws {
        let bench = try await bench()
        let sources = sources(FetchScheduler.roundSize + 1)
        script(sources) { [answer($0)] }
        let (counts, wakeUps) = try await firstIssue(bench, sources, hasNetwork: true)
        #expect(counts == [sources.count] && wakeUps == 1)
    }

    @Test func itWaitsForTheNetwork() async throws {
        let bench = try await bench()
        let sources = sources(2)
        script(sources) { [.failure(HTTPError(.resolve, "no address")), answer($0)] }
        let (counts, wakeUps) = try await firstIssue(bench, sources, hasNetwork: false)
        #expect(counts == [2] && wakeUps == 1)
        #expect(try bench.store.digestsHeldSince == nil)
    }

    @Test func itWaitsForAnHourAtMost() async throws {
        let bench = try await bench()
        let begin = bench.clock.now
        try bench.see("a")
        script(sources(2)) { _ in [.failure(HTTPError(.resolve, "no address"))] }
        let (counts, wakeUps) = try await firstIssue(bench, sources(2), hasNetwork: false)
        #expect(counts == [1] && bench.clock.now.timeIntervalSince(begin) == 3600)
        #expect(wakeUps == 7, "as often as it looks for the network")
        #expect(try bench.store.digestsHeldSince == nil)
    }

    @Test func soDoesEachOfOneThatIsDueEveryHour() async throws {
        let bench = try DigestBench("*:00", from: "2026-11-20T12:30:00Z")
        _ = try await bench.desk.issueDue()
        var issues: [TimeInterval] = []
        let begin = bench.clock.now
        for round in 0..<36 {
            bench.clock.advance(by: 600)
            try bench.see("\(round)")
            let reports = try await bench.desk.issueDue(awaiting: sources(1)).reports
            if !reports.isEmpty { issues.append(bench.clock.now.timeIntervalSince(begin) / 60) }
        }
        #expect(issues == [90, 210, 330], "an hour after the first that went by")
    }

    @Test func whatNeedsNoNetworkIsIssuedAtOnce() async throws {
        let bench = try await bench()
        try bench.see("a")
        var sources = sources(2)
        script(sources) { _ in [.failure(HTTPError(.resolve, "no address"))] }
        for index in sources.indices { sources[index].digests = ["evening"] }
        let (counts, wakeUps) = try await firstIssue(bench, sources, hasNetwork: false)
        #expect(counts == [1] && wakeUps == 0)
    }
}
