import CrierNotifications
import CrierProcess
import Foundation
import Testing

@testable import CrierDelivery

/// Hosts that have the system forget how their children end, each in a process of its own.
@Suite(.timeLimit(.minutes(5))) struct ChildSignalTests {
    @Test func aHostThatIgnoresTheSignalIsToldHowItsProgramsEnd() async {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD, SIG_IGN)
            let attempt = DeliveryAttempt(
                request: NotificationRequest(identifier: "1", content: NotificationContent(title: "T")), created: Date()
            )
            #expect(await ExecSink(command: ["/bin/sh", "-c", "exit 0"]).deliver(attempt) == .delivered())
            let failing = await ExecSink(command: ["/bin/sh", "-c", "exit 3"]).deliver(attempt)
            #expect(failing == .failed(reason: "/bin/sh ended with exit status 3"))
        }
    }

    @Test func aHandlerThatHasThemForgottenStaysWithoutThat() async {
        await #expect(processExitsWith: .success) {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in }
            action.sa_flags = Int32(SA_NOCLDWAIT)
            sigaction(SIGCHLD, &action, nil)
            let ending = try await BoundedProgram(["/bin/sh", "-c", "exit 3"]).run(limit: .seconds(60))
            var after = sigaction()
            sigaction(SIGCHLD, nil, &after)
            let handlers = [action, after].map { unsafeBitCast($0.__sigaction_handler.sa_handler, to: Int.self) }
            #expect(ending.exitCode == 3 && handlers[0] == handlers[1] && after.sa_flags & Int32(SA_NOCLDWAIT) == 0)
        }
    }

    @Test func anEndThatAnotherPartOfTheHostHasWaitedForIsUnknown() async {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD) { _ in while waitpid(-1, nil, WNOHANG) > 0 {} }
            // Whoever is first: it takes a few until that is the handler.
            for _ in 1...1000 {
                let ending = try await BoundedProgram(["/bin/sh", "-c", "exit 3"]).run(limit: .seconds(60))
                if ending.isUnknown { return #expect(ending.exitCode == nil) }
                #expect(ending.exitCode == 3)
            }
            Issue.record("the handler was never first")
        }
    }

    @Test func whatAProgramHasHadIsNotGivenToItAgain() {
        let outcome = ProgramOutcome.outcome(
            of: BoundedProgram.Ending(isUnknown: true), name: "tell", limit: .seconds(1))
        #expect(outcome == .delivered(remark: ProgramOutcome.unknown("tell")))
    }
}
