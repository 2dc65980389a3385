import CrierAgent
import Foundation
import Testing

@Suite struct SimulatedTimeTests {
    private let start = Date(timeIntervalSince1970: 1_700_000_000)

    @Test func timePassesForSeveralSleepersInTheOrderOfTheirDates() async throws {
        let time = SimulatedTime(now: start)
        let woken = try await time.run { [start] in
            try await withThrowingTaskGroup(of: TimeInterval.self) { group in
                for seconds in [3600.0, 5, 86_400, 5] {
                    group.addTask {
                        try await time.sleep(until: start.addingTimeInterval(seconds))
                        return time.now.timeIntervalSince(start)
                    }
                }
                var woken: [TimeInterval] = []
                for try await moment in group { woken.append(moment) }
                return woken
            }
        }
        #expect(woken == [5, 5, 3600, 86_400])
    }

    @Test func noTimePassesWhileSomebodyIsAtWorkOrWaitsForTheWorld() async throws {
        let time = SimulatedTime(now: start)
        try await time.run { [start] in
            async let sleep: Void = time.sleep(until: start.addingTimeInterval(1))
            for _ in 0..<1000 { await Task.yield() }
            #expect(time.now == start)
            await time.outside {
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread { continuation.resume() }
                }
            }
            #expect(time.now == start)
            try await sleep
            #expect(time.now == start.addingTimeInterval(1))
        }
    }

    @Test func aSleepEndsWithItsTaskOrAtTheEndOfTime() async throws {
        let time = SimulatedTime(now: start, end: start.addingTimeInterval(100))
        try await time.run { [start] in
            let task = Task(executorPreference: time) { try await time.sleep(until: start.addingTimeInterval(50)) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(time.now == start)
            await #expect(throws: CancellationError.self) { try await time.sleep(until: .distantFuture) }
            #expect(time.now == start)
        }
    }
}
