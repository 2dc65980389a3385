import CrierFetch
import CrierTesting
import Foundation
import GRDB
import Testing

@testable import CrierStore

/// What is to be obeyed after a power cut, too.
@Suite struct PaceDurabilityTests {
    /// No machine starts within five seconds: a shorter gap is over by then.
    @Test(arguments: [(gap: 2, synchronous: 1), (gap: 5, synchronous: 2), (gap: 3600, synchronous: 2)])
    func theStartOfARequestOutlivesAPowerCutWhereTheGapDoes(gap: Int, synchronous: Int) async throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.file("crier.sqlite"))
        try await store.writer.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    CREATE TEMP TABLE note (synchronous INTEGER);
                    CREATE TEMP TRIGGER started AFTER INSERT ON host BEGIN
                    INSERT INTO note SELECT synchronous FROM pragma_synchronous; END
                    """)
        }
        let (transport, clock) = (ScriptedTransport(), ManualClock())
        transport.script("http://h.example/feed", status: 304)
        let hosts = HostPaces(named: ["h.example": HostPace(gap: .seconds(gap))])
        let fetcher = ContentFetcher(
            store: store, transport: transport, clock: clock, userAgent: "crier-test/1", hosts: hosts)
        let scheduler = FetchScheduler(fetcher: fetcher, store: store, clock: clock)
        let source = Source(name: "news", address: .url("http://h.example/feed"), sinks: ["stdout"])
        _ = try await scheduler.fetch([source]) { _ in }
        let noted = try await store.writer.read { try Int.fetchAll($0, sql: "SELECT synchronous FROM note") }
        #expect(noted == [synchronous])
    }
}
