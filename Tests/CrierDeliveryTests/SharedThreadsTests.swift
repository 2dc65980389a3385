import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery
@testable import CrierStore

/// A program shares its threads with Crier.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SharedThreadsTests {
    @Test func aStateThatAnotherProcessWritesKeepsNoOtherTaskFromRunning() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("crier.sqlite")
        let centers = try (0..<2 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
            UserNotificationCenter(store: try Store(path: path), sinks: [], clock: ManualClock())
        }
        let other = try Store(path: path)
        let (isWriting, isOver) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            try? other.writer.write { db in
                try db.execute(sql: "DELETE FROM mark")
                isWriting.continuation.finish()
                isOver.wait()
            }
        }
        for await _ in isWriting.stream {}
        let adding = centers.enumerated().map { number, center in
            Task.detached {
                let content = NotificationContent(title: "T")
                try await center.add(NotificationRequest(identifier: "\(number)", content: content), to: ["a"])
            }
        }
        // Where each of them held one of the threads, this would go on when they have given up.
        for _ in 0..<1_000 { await Task.yield() }
        isOver.signal()
        for task in adding { try await task.value }
        #expect(try other.deliveryCounts() == [.pending: centers.count])
    }
}
