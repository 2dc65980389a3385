import CrierFetch
import CrierNotifications
import CrierStore
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Keeps the first queue moving: what is due by its schedule, and between two rounds what somebody asks for. There is one
/// such service, so no source is visited twice at once. What they make is raised by the ``DeliveryService``.
struct FetchService: Service {
    let desk: AgentDesk
    private let outage: Outage
    private let toldDigests = ToldDigests()

    init(desk: AgentDesk) {
        self.desk = desk
        outage = Outage(store: desk.store, clock: desk.clock) { [bell = desk.deliveryBell] in bell.ring() }
    }

    /// - Throws: ``StoreError`` where the state cannot be used.
    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await work() }
        } catch is CancellationError {
            // A fetch that was under way is made again by the next agent: nothing of it is written.
        }
    }

    private func work() async throws {
        try await withThrowingDiscardingTaskGroup { answers in try await work(answering: &answers) }
    }

    private func work(answering answers: inout ThrowingDiscardingTaskGroup<any Error>) async throws {
        var told: BackgroundRest?
        var patience = Patience()
        while true {
            if Task.isCancelled { throw CancellationError() }
            _ = desk.fetchBell.take()
            var isOver = false
            try await desk.patiently {
                // Each by itself: one that fails leaves none behind it unanswered until the rest is over.
                while let request = await desk.nextRequest() {
                    try await desk.patiently { try await serve(request, in: &answers) }
                }
                // Before the rest of what they go by: what is decided meanwhile is news then.
                let rest = try await desk.rest()
                let wiring = try await desk.wiringForVisits()
                if wiring.hasUnfinished {
                    for report in try await wiring.settleUnfinished() { desk.logger.tell(report) }
                }
                if rest != told, let rest { desk.logger.notice("\(rest.words)") }
                told = rest
                let sources = rest == nil ? wiring.configuration.sources : []
                try await wiring.scheduler.run(sources, until: desk.fetchBell) { [desk] digests in
                    for digest in digests where toldDigests.isNews(digest) { desk.logger.tell(digest) }
                    desk.deliveryBell.ring()
                } report: { report in
                    note(report)
                    if !report.requests.isEmpty { desk.deliveryBell.ring() }
                }
                isOver = true
            }
            if isOver { continue }
            let pause = patience.pause(at: desk.clock.now)
            try await desk.clock.sleep(until: desk.clock.now.addingTimeInterval(pause), orRingOf: desk.fetchBell)
        }
    }

    /// How long it rests after an error that passes by itself. What was fetched meanwhile could not be written down, so each trial
    /// may ask the origins for the same again.
    private struct Patience {
        private static let longest: TimeInterval = 3600
        private var last = (date: Date.distantPast, pause: TimeInterval.zero)

        /// In seconds: twice as long where the trial right after the last rest failed as well, and as long where one was made
        /// before its end.
        mutating func pause(at now: Date) -> TimeInterval {
            let pause: TimeInterval =
                switch now.timeIntervalSince(last.date) - last.pause {
                case ..<0: last.pause
                case ..<(2 * AgentDesk.pause): min(2 * last.pause, Self.longest)
                default: AgentDesk.pause
                }
            last = (now, pause)
            return pause
        }
    }

    /// Makes the visits of a run. They have been made when it returns; the answer to whoever asked waits for the sinks as well.
    private func serve(
        _ request: AgentDesk.Request, in answers: inout ThrowingDiscardingTaskGroup<any Error>
    ) async throws {
        await desk.reload()
        let (center, audience, listener) = (desk.center, desk.audience, request.listener)
        let number = await center.follow()
        do {
            var wiring = try await desk.wiringForVisits()
            if request.order.expires { wiring = await desk.expired(wiring) }
            let sources = try wiring.configuration.sources(named: request.order.sources)
            let run = OneShot(wiring, isScheduled: request.order.scheduled)
            let report = try await run.run(sources, selection: request.order.selection, deliveries: .byAgent) {
                report in
                note(report)
                if !report.requests.isEmpty { desk.deliveryBell.ring() }
                await audience.send(AgentEvent(visited: VisitAccount(report)), to: listener)
            }
            await audience.endVisits(of: listener, at: await center.close(number))
            answers.addTask { await answer(listener, report, whoseRequestsAreOf: number) }
        } catch let error as Configuration.UnknownName {
            await center.unfollow(number)
            await audience.send(AgentEvent(refused: error.description, status: EX_USAGE), to: listener)
        } catch {
            await center.unfollow(number)
            await refuse(listener, error)
            throw error
        }
    }

    private func answer(_ listener: Int, _ report: OneShot.Report, whoseRequestsAreOf number: Int) async {
        var report = report
        do {
            report.delivery = try await desk.center.outcome(of: number)
            await desk.audience.send(AgentEvent(ended: RunAccount(report)), to: listener)
        } catch {
            await refuse(listener, error)
        }
    }

    private func refuse(_ listener: Int, _ error: any Error) async {
        let failure = error as? StoreError
        let refusal = AgentEvent(
            refused: failure?.description ?? "the agent is about to end", status: failure?.exitStatus)
        await desk.audience.send(refusal, to: listener)
    }

    private func note(_ report: FetchReport) {
        desk.meter.note(report)
        if let words = outage.words(after: report) { desk.logger.notice("\(words)") }
        desk.logger.tell(report)
    }
}

/// What was told of digests that cannot be issued: each is tried again all the while, and told once.
final class ToldDigests: Sendable {
    private let failures = Mutex<[String: String]>([:])

    /// Also takes note of it.
    func isNews(_ report: DigestReport) -> Bool {
        failures.withLock { failures in
            let told = failures.updateValue(report.failure ?? "", forKey: report.digest) ?? ""
            return report.failure == nil || report.failure != told
        }
    }
}

extension Logger {
    fileprivate func tell(_ report: DigestReport) {
        let metadata: Metadata = ["digest": "\(report.digest)", "items": "\(report.count)"]
        if let failure = report.failure {
            warning("digest not issued: \(failure)", metadata: metadata)
        } else if report.request == nil {
            debug("nothing for the digest", metadata: metadata)
        } else {
            info("digest issued", metadata: metadata)
        }
        if let remark = report.remark {
            warning("items of the digest could not be judged and are told, \(remark)", metadata: metadata)
        }
    }

    fileprivate func tell(_ report: FetchReport) {
        var metadata: Metadata = ["source": "\(report.source)"]
        if let next = report.nextFetch { metadata["next"] = "\(next.ISO8601Format())" }
        if report.networkIsDown {
            debug("the network is down: \(report.failure?.cause ?? "")", metadata: metadata)
        } else if let failure = report.failure {
            warning("fetch failed: \(failure)", metadata: metadata)
        } else {
            metadata["new"] = "\(report.newItemCount)"
            log(level: report.result == .newData ? .info : .debug, "fetched", metadata: metadata)
        }
    }
}
