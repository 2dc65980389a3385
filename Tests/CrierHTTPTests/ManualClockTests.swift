import CrierTesting
import Foundation
import Testing

@Suite struct ManualClockTests {
    @Test func sleepersWakeInTheOrderOfTheirDeadlines() async throws {
        let clock = ManualClock()
        let start = clock.now
        let (woken, continuation) = AsyncStream.makeStream(of: Int.self)
        for seconds in [3, 1, 2] {
            Task {
                try await clock.sleep(until: start.addingTimeInterval(Double(seconds)))
                continuation.yield(seconds)
            }
        }
        await clock.waitForSleepers(3)
        #expect(clock.deadlines == [1, 2, 3].map { start.addingTimeInterval($0) })
        var iterator = woken.makeAsyncIterator()
        for seconds in 1...3 {
            clock.advance(by: 1)
            #expect(await iterator.next() == seconds)
        }
        #expect(clock.now == start.addingTimeInterval(3))
    }

    @Test func aDeadlineThatHasPassedIsNotWaitedFor() async throws {
        let clock = ManualClock()
        try await clock.sleep(until: clock.now)
        #expect(clock.deadlines.isEmpty)
    }

    @Test func cancellingASleeperThrows() async throws {
        let clock = ManualClock()
        let task = Task { try await clock.sleep(until: clock.now.addingTimeInterval(1)) }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.deadlines.isEmpty)
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(until: clock.now.addingTimeInterval(1))
        }
        await #expect(throws: CancellationError.self) { try await early.value }
    }

    @Test func aWaitEndsWithItsTest() async throws {
        let clock = ManualClock()
        let origin = try await ScriptedOrigin()
        let waits = [Task { await clock.waitForSleepers() }, Task { await origin.received(1) }]
        for wait in waits { wait.cancel() }
        for wait in waits { await wait.value }
        #expect(clock.deadlines.isEmpty)
        #expect(await origin.requests.isEmpty)
        await origin.stop()
    }
}
