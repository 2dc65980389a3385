import CrierNotifications
import CrierTesting
import Testing

@testable import CrierFetch

@Suite struct AsideTests {
    private func executors(
        of aside: Aside, on lane: (any TaskExecutor)?
    ) async -> (reader: (any TaskExecutor)?, patient: (any TaskExecutor)?) {
        await Task(executorPreference: lane) { (aside.executor, aside.patientExecutor) }.value
    }

    @Test func documentsAndTheStateAreReadOnTheLaneOfTheCommand() async {
        let lane = OwnThreads.shared
        #expect(await executors(of: Aside(lane), on: lane).reader is QuietLane)
        #expect(await executors(of: Aside(lane), on: QuietLane.shared).reader == nil, "it is there")
        #expect(await executors(of: Aside(nil), on: lane).reader == nil, "nobody is kept from anything")
    }

    /// One may lie on a disk that does not answer.
    @Test func filesAreWaitedForOnNoLane() async {
        let lane = OwnThreads.shared
        #expect(await executors(of: Aside(lane), on: lane).patient is PatientExecutor)
        #expect(await executors(of: Aside(nil), on: QuietLane.shared).patient is PatientExecutor)
        #expect(await executors(of: Aside(nil), on: lane).patient == nil, "it is a thread of its own")
    }
}
