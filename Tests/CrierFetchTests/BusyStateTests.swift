import CrierHTTP
import CrierNotifications
import CrierTesting
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import CrierFetch
@testable import CrierStore

/// The state makes a visit wait, as a slow disk does, or another process that writes: no other visit waits for that one.
///
/// One after the other, as each holds one of the few threads that all tasks share.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BusyStateTests {
    enum Case: CaseIterable {
        /// What is remembered of the source is read once more.
        case failure
        /// What is held for its day is read, as that has come.
        case daily
        /// That a request begins is written down first.
        case pacedHost
    }

    @Test(arguments: Case.allCases) func whoWaitsForTheStateStopsNoTransfer(_ kind: Case) async throws {
        let origin = try await ScriptedOrigin()
        switch kind {
        case .failure: await origin.script("/waits", [answer("500 Failed")])
        case .daily:
            let whole = ScriptedAnswer(fields: ["ETag": "\"a\""], body: feed(dated: "15 Nov 2023 05:00:00 GMT"))
            await origin.script("/waits", [whole, answer("304 Not Modified", "")])
        case .pacedHost:
            let elsewhere = origin.url("/elsewhere").replacingOccurrences(of: "127.0.0.1", with: "localhost")
            await origin.script("/waits", [answer("302 Found", "Location: \(elsewhere)\r\nContent-Length: 0\r\n")])
            await origin.script("/elsewhere", [ScriptedAnswer(body: feed)])
        }
        for number in 0..<3 {
            await origin.script(
                "/\(number)", [answer("302 Found", "Location: /\(number + 1)\r\nContent-Length: 0\r\n")])
        }
        await origin.script("/3", [ScriptedAnswer(body: feed)])
        let transport = CurlTransport()
        let store = try Store.inMemory()
        let clock = ManualClock()
        let paces = kind == .pacedHost ? ["localhost": HostPace(parallel: 1, gap: .zero)] : [:]
        let fetcher = ContentFetcher(
            store: store, transport: transport, clock: clock, userAgent: "crier-test/1", hosts: HostPaces(named: paces))
        let scheduler = FetchScheduler(fetcher: fetcher, store: store, clock: clock)
        var sources = [Source(name: "waits", address: .url(origin.url("/waits")), sinks: ["stdout"])]
        if kind == .daily {
            sources[0].notify = .daily
            _ = try await fetcher.fetch(sources[0])
            await origin.forgetRequests()
            clock.advance(by: 11 * 3600)
        }
        sources.append(Source(name: "goes", address: .url(origin.url("/0")), sinks: ["stdout"]))
        async let reports = scheduler.fetch(sources, isForced: false) { _ in }
        await origin.received(2)
        let (isFree, isBusy) = (DispatchSemaphore(value: 0), AsyncStream.makeStream(of: Void.self))
        let wait = Mutex<DispatchTimeoutResult?>(nil)
        store.writer.asyncWriteWithoutTransaction { _ in
            isBusy.continuation.finish()
            // So that a failure ends, too.
            let end = isFree.wait(timeout: .now() + 120)
            wait.withLock { $0 = end }
        }
        for await _ in isBusy.stream {}
        await origin.open("busy")
        await origin.received(5)
        isFree.signal()
        #expect(try await reports.count == 2)
        #expect(wait.withLock { $0 == .success }, "the state was busy all the time")
        await transport.shutdown()
        await origin.stop()
    }

    /// As on a disk that is away: here a pipe that nobody writes into.
    @Test func whoWaitsForTheFileOfASecretStopsNoTransfer() async throws {
        let folder = try TemporaryFolder()
        let token = folder.file("token")
        #expect(mkfifo(token, 0o600) == 0)
        let origin = try await ScriptedOrigin()
        await origin.script("/secret", [ScriptedAnswer(body: feed)])
        await origin.script("/plain", [ScriptedAnswer(body: feed)])
        let transport = CurlTransport()
        let (store, clock) = (try Store.inMemory(), ManualClock())
        let fetcher = ContentFetcher(store: store, transport: transport, clock: clock, userAgent: "crier-test/1")
        let scheduler = FetchScheduler(fetcher: fetcher, store: store, clock: clock)
        var waiting = Source(name: "secret", address: .url(origin.url("/secret")), sinks: ["stdout"])
        waiting.request.fields = [SourceRequest.Field("X-Token", .secret(.file(token)))]
        let plain = Source(name: "plain", address: .url(origin.url("/plain")), sinks: ["stdout"])
        async let reports = scheduler.fetch([waiting, plain]) { _ in }
        await origin.received(1)
        // A pipe is no place for a secret: once its opening ends, so does the visit.
        Thread.detachNewThread { close(open(token, O_WRONLY)) }
        let results = try await reports
        #expect(Set(results.filter { $0.result == .failed }.map(\.source)) == ["secret"])
        #expect(results.count == 2)
        await transport.shutdown()
        await origin.stop()
    }

    /// Given once the state is busy.
    private func answer(_ status: String, _ fields: String = "Content-Length: 0\r\n") -> ScriptedAnswer {
        ScriptedAnswer(steps: [.gate("busy"), .bytes(Array("HTTP/1.1 \(status)\r\n\(fields)\r\n".utf8))])
    }

    private var feed: String { feed(dated: "") }

    private func feed(dated date: String) -> String {
        """
        <rss version="2.0"><channel><title>F</title><item><guid>1</guid><title>One</title><pubDate>\(date)</pubDate></item>
        </channel></rss>
        """
    }
}
