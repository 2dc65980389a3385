import CrierDelivery
import CrierNotifications
import CrierTesting
import Foundation
import GRDB
import Synchronization
import Testing

@testable import CrierStore

/// Sinks that write to this machine's own files: what an attempt at them costs, and how lasting its record is.
@Suite struct LocalWriteTests {
    let folder: TemporaryFolder
    let store: Store
    let clock = SleepCounter()

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.file("crier.sqlite"))
        try store.setNotificationSettings(.authorized, at: clock.now)
        try store.writer.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    CREATE TEMP TABLE note (synchronous INTEGER);
                    CREATE TEMP TRIGGER delivered AFTER UPDATE ON delivery WHEN new.state = 'delivered' BEGIN
                    INSERT INTO note SELECT synchronous FROM pragma_synchronous; END
                    """)
        }
    }

    /// Delivers three notifications; gives how many timers were set, and SQLite's `synchronous` at each record.
    private func deliver(to sink: any NotificationSink) async throws -> (timers: Int, synchronous: [Int]) {
        for identifier in ["1", "2", "3"] {
            let content = NotificationContent(title: "T \(identifier)")
            try store.add(NotificationRequest(identifier: identifier, content: content), to: ["a"], at: clock.now)
        }
        let center = UserNotificationCenter(
            store: store, sinks: [NamedSink(name: "a", sink: sink, retries: .webhook)], clock: clock)
        #expect(try await center.deliverDue().delivered == ["a": 3])
        let synchronous = try await store.writer.read { try Int.fetchAll($0, sql: "SELECT synchronous FROM note") }
        return (clock.count, synchronous)
    }

    /// A line that is with the kernel is lost in a power cut; then its record has to be, too, or it is never told.
    @Test func whatWentToStandardOutputIsRecordedAsLastinglyAsItWasWritten() async throws {
        let path = folder.file("output")
        try Data().write(to: URL(fileURLWithPath: path))
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        let (timers, synchronous) = try await deliver(
            to: StdoutSink(format: .text, output: DescriptorWriter(output.fileDescriptor)))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "T 1\nT 2\nT 3\n")
        #expect(timers == 0)
        #expect(synchronous == [1, 1, 1])
    }

    @Test func aFileIsOnTheDiskAndSoIsItsRecord() async throws {
        let (timers, synchronous) = try await deliver(to: FileSink(path: folder.file("log.jsonl")))
        #expect(timers == 0)
        #expect(synchronous == [2, 2, 2])
    }

    @Test func everyOtherAttemptIsWatched() async throws {
        let (timers, synchronous) = try await deliver(to: RecordingSink())
        #expect(timers == 3)
        #expect(synchronous == [2, 2, 2])
    }
}

/// Counts who sleeps, and lets nobody do it for long.
final class SleepCounter: WallClock {
    private let sleeps = Mutex(0)
    let now = Date(timeIntervalSince1970: 1_700_000_000)

    var count: Int { sleeps.withLock { $0 } }

    func sleep(until deadline: Date) async throws {
        sleeps.withLock { $0 += 1 }
        // Until the task is cancelled.
        let (stream, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        throw CancellationError()
    }
}
