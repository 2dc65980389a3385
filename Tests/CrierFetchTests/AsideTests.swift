import CrierContent
import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Synchronization
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

    /// It shares its threads with us, and we wait for the disk.
    @Test func aProgramsTasksAreMadeOnTheLaneUnlessTheyHaveAPlaceOfTheirOwn() async throws {
        let bench = try await FetchBench(transport: CancellingTransport(body: "", isCancelling: false))
        let scheduler = FetchScheduler(fetcher: bench.fetcher, store: bench.store, clock: bench.clock)
        func place(in executor: (any TaskExecutor)?) async throws -> UnownedTaskExecutor? {
            let place = Mutex<UnownedTaskExecutor?>(nil)
            _ = try await Task(executorPreference: executor) {
                try await scheduler.fetch([bench.source]) { _ in
                    place.withLock { $0 = withUnsafeCurrentTask { $0?.unownedTaskExecutor } }
                }
            }.value
            return place.withLock(\.self)
        }
        #expect(try await place(in: nil) == QuietLane.shared.asUnownedTaskExecutor())
        #expect(try await place(in: OwnThreads.shared) == OwnThreads.shared.asUnownedTaskExecutor())
    }

    /// One may lie on a disk that does not answer.
    @Test func filesAreWaitedForOnNoLane() async {
        let lane = OwnThreads.shared
        #expect(await executors(of: Aside(lane), on: lane).patient is PatientExecutor)
        #expect(await executors(of: Aside(nil), on: QuietLane.shared).patient is PatientExecutor)
        #expect(await executors(of: Aside(nil), on: lane).patient == nil, "it is a thread of its own")
    }

    /// What is delivered meanwhile would wait for it.
    @Test(arguments: [(nil, 256 << 10), (.html, 32 << 10), (.xml, 32 << 10)] as [(ContentFormat?, Int)])
    func aLongDocumentIsReadOnTheSharedThreads(format: ContentFormat?, length: Int) async {
        let (lane, aside) = (OwnThreads.shared, Aside(OwnThreads.shared))
        func executor(_ count: Int) async -> (any TaskExecutor)? {
            let document = ContentDocument(body: [UInt8](repeating: 0x20, count: count), url: "")
            return await Task(executorPreference: lane) {
                aside.executor(reading: document, by: ContentMapping(format: format))
            }.value
        }
        #expect(await executor(length) is QuietLane)
        let long = await executor(length + 1)
        #expect(long != nil && !(long is QuietLane))
    }

    /// Answers, and has whoever asked cancelled by then.
    private struct CancellingTransport: HTTPTransport {
        let body: String
        var isCancelling = true

        func send(
            _ request: HTTPRequest, beforeRedirect: RedirectObserver
        ) async throws(HTTPError) -> HTTPResponse {
            if isCancelling { withUnsafeCurrentTask { $0?.cancel() } }
            return HTTPResponse(status: 200, body: Array(body.utf8), url: request.url)
        }
    }

    @Test func aDocumentWhoseTurnComesWhenTheRunIsCancelledIsNotRead() async throws {
        let feed = "<rss version='2.0'><channel><item><title>a</title></item></channel></rss>"
        let bench = try await FetchBench(transport: CancellingTransport(body: feed))
        let report = await Task { try await bench.fetch() }.result
        #expect(try report.get().failure == FetchFailure(.fetch, "it was stopped"))
        #expect(try bench.state().lastFetched == nil && bench.outbox().isEmpty)
        await bench.origin.stop()
    }
}
