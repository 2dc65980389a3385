import CrierTesting
import Foundation
import Testing

@testable import CrierStore

/// A document at which the processor would work for hours.
@Suite(.timeLimit(.minutes(2))) struct ReadingLimitTests {
    /// Also at the first document of a process, whose timer has the number 0.
    @Test(arguments: [0, 1]) func itEndsTheProcessAndIsToldOfByTheNext(others: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("crier.sqlite")
        await #expect(processExitsWith: .exitCode(EX_SOFTWARE)) { [path = path as String, others = others as Int] in
            let lock = try RunLock(statePath: path)
            lock.readings.limit(to: 1)
            for _ in 0..<others { lock.readings.during("short") {} }
            lock.readings.during("endless") { while true {} }
        }
        let lock = try RunLock(statePath: path)
        let readings = lock.readings
        #expect(readings.unfinished == ["endless"])
    }

    @Test func whatIsReadInTimeEndsNothing() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let lock = try RunLock(statePath: folder.file("crier.sqlite"))
            lock.readings.limit(to: 1)
            lock.readings.during("a") { lock.readings.during("b") {} }
            // More of the processor's time than a document has.
            let end = clock() + 3 * CLOCKS_PER_SEC / 2
            while clock() < end {}
        }
    }
}
