import Foundation
import Testing

@testable import crier

/// A process that was asked to end and is at something that waits for nobody.
@Suite(.timeLimit(.minutes(2))) struct LastResortTests {
    @Test func itEndsAllTheSame() async {
        await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
            let lastResort = LastResort(patience: 1)
            // Until it is there, the signal ends the process by itself.
            var action = sigaction()
            repeat { sigaction(SIGTERM, nil, &action) } while action.__sigaction_handler.sa_handler == nil
            kill(getpid(), SIGTERM)
            while true {}
            lastResort.end()
        }
    }
}
