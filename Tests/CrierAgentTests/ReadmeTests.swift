import CrierDelivery
import CrierFetch
import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

/// README's programs, as far as a module can have them: to be compiled.
private struct Builds {
    static func main() async throws {
        let lock = try RunLock(statePath: "state.sqlite")  // two processes would raise the same
        let center = UserNotificationCenter(
            store: try Store(path: "state.sqlite"),
            sinks: [NamedSink(name: "stdout", sink: StdoutSink(format: .text), retries: .stdout)],
            clock: SystemClock())
        try await center.setAuthorization(.authorized)
        try await center.add(
            NotificationRequest(identifier: "build/7", content: NotificationContent(title: "Build 7 is done")))
        _ = try await center.deliverDue()
        _ = consume lock  // given back here; a process that ends with it is taken for one that was killed
    }
}

private struct News {
    static func main() async throws {
        let lock = try RunLock(statePath: "state.sqlite")
        let store = try Store(path: "state.sqlite")
        let clock = SystemClock()
        let center = UserNotificationCenter(
            store: store, sinks: [NamedSink(name: "stdout", sink: StdoutSink(format: .text), retries: .stdout)],
            clock: clock)
        try await center.setAuthorization(.authorized)
        let transport = CurlTransport()
        let fetcher = ContentFetcher(
            store: store, transport: transport, clock: clock, userAgent: "news/1.0 (+https://example.org)")
        let scheduler = FetchScheduler(fetcher: fetcher, store: store, clock: clock)
        // A source names its sinks: without one nobody is told.
        let source = Source(name: "swift", address: .url("https://www.swift.org/atom.xml"), sinks: ["stdout"])
        let work = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await center.run() }
                group.addTask { try await scheduler.run([source]) { _ in center.wake() } }
                for try await _ in group {}  // until the task is cancelled, or the state cannot be used
            }
        }
        signal(SIGTERM, SIG_IGN)
        let termination = DispatchSource.makeSignalSource(signal: SIGTERM)
        termination.setEventHandler { work.cancel() }
        termination.resume()
        let result = await work.result
        termination.cancel()
        await transport.shutdown()  // its thread is not to be in libcurl when the process ends
        _ = consume lock
        if case .failure(let error) = result, !(error is CancellationError) { throw error }
    }
}

@Suite struct ReadmeTests {
    @Test func itsProgramsAreThese() throws {
        let readme = try Checkout.read("README.md")
        let own = try String(contentsOfFile: #filePath, encoding: .utf8)
        let programs = own.components(separatedBy: "\nprivate ").dropFirst().map { text in
            "@main " + text.prefix(upTo: text.range(of: "\n}\n")?.upperBound ?? text.endIndex)
        }
        #expect(programs.count == 2)
        for program in programs { #expect(readme.contains(program + "```\n")) }
    }
}
