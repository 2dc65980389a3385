import CrierNotifications
import CrierStore
import Foundation

/// Asks the user on the terminal, with the first notification at hand. Nil: no answer.
public typealias AuthorizationQuestion = @Sendable (_ first: NotificationRequest, _ count: Int) async -> Bool?

/// The second queue: takes due deliveries through the authorization gate to their sinks.
///
/// Crier's counterpart of Apple's `UNUserNotificationCenter`. A state has one at a time, in a process that holds its
/// ``RunLock``: a second one beside it would take, and raise, what the first is about to.
public actor UserNotificationCenter {
    let store: Store
    private(set) var sinks: [String: NamedSink]
    /// In the order of the configuration.
    private(set) var sinkNames: [String]
    /// Those of them that have not been welcomed since the configuration was taken on: what was put off because there was no such
    /// sink may wait for them, and they may lead elsewhere than when they said that they are gone.
    var newNames: [String]
    private(set) var quietHours: QuietHours
    let clock: any WallClock
    nonisolated let own: OwnNotices
    /// Nil where nobody can be asked, and after the one question.
    private var question: AuthorizationQuestion?
    /// The sinks at work: a delivery that is asked for meanwhile leaves them alone, and they look again before they stop.
    private(set) var busy: Set<String> = []
    /// What each of them raises now: taken for an attempt that is not written down yet. Whatever the user says meanwhile, it
    /// is told by itself, and no summary tells it once more.
    private var underWay: [String: Set<Int64>] = [:]
    /// Those of them for which a delivery was asked for meanwhile: they may try again what they have tried and is due again.
    private var asked: Set<String> = []
    /// What those of them have taken of late that show each notification at once.
    var floods: [String: Flood] = [:]
    /// Those of them where something waits as more has come than they show one by one.
    var crowded: Set<String> = []
    /// How many run that deliver what comes meanwhile.
    private var streams = 0
    /// How many deliveries of all that is due have begun.
    private(set) var passes = 0
    /// Those beside which ``run(report:)`` raises what they make, by number.
    var followed: [Int: FollowedRun] = [:]
    /// Has ``run(report:)`` look again at what is due.
    package nonisolated let bell = Bell()
    /// Has it look again at how long it may sleep: rung whenever there may be another date to wait for.
    nonisolated let passed = Bell()

    /// - Parameters:
    ///   - sinks: In the order in which one of them tells of another that does not work; those that reach nobody come last
    ///     (``NotificationSink/reachesPerson``).
    ///   - own: What it raises beside what it is given.
    ///   - question: How to ask, with the first notification that waits and how many do; nil where nobody can be asked. It is asked once, by
    ///     the first delivery that finds something to show, whatever is answered; a program that asks at a moment of its own stores the
    ///     answer itself (``setAuthorization(_:options:)``).
    /// - Precondition: No two sinks have one name, by which what waits for a sink is known.
    public init(
        store: Store, sinks: [NamedSink], quietHours: QuietHours = QuietHours(), clock: any WallClock,
        own: OwnNotices = [.summaries, .conditions], question: AuthorizationQuestion? = nil
    ) {
        self.store = store
        self.sinks = Self.byName(sinks)
        sinkNames = sinks.map(\.name)
        newNames = sinkNames
        self.quietHours = quietHours
        self.clock = clock
        self.own = own
        self.question = question
    }

    /// From the next attempt on, another configuration holds; attempts under way are brought to their end with theirs. What waits
    /// for a sink that there was not before is due at once, and so it is for one that is gone where that leads elsewhere now
    /// (``NotificationSink/destination``); one that is paused stays so under its name (``Store/revive(_:at:)``).
    ///
    /// - Precondition: No two sinks have one name.
    public func use(sinks: [NamedSink], quietHours: QuietHours = QuietHours()) {
        self.sinks = Self.byName(sinks)
        sinkNames = sinks.map(\.name)
        newNames = sinkNames
        self.quietHours = quietHours
        wake()
    }

    private static func byName(_ sinks: [NamedSink]) -> [String: NamedSink] {
        Dictionary(sinks.map { ($0.name, $0) }) { sink, _ in
            preconditionFailure("two sinks are called \(sink.name)")
        }
    }

    func insert(_ request: NotificationRequest, to names: [String]?) throws(StoreError) {
        // As they are spelled at the sinks, by which what waits for one is known.
        let known = names?.map { sinks[$0]?.name ?? $0 }
        try store.checkPlace()
        try store.add(request, to: known ?? sinks.keys.sorted(), isExclusive: names != nil, at: clock.now)
        wake()
    }

    /// Has ``run(report:)`` look again, where something may be due that did not come through this centre: that of a fetch, what a method
    /// of the ``Store`` has made due or unmuted, or a state that another process has written to.
    public nonisolated func wake() { bell.ring() }

    func deliver(at wakeUps: AsyncStream<Void>) async throws(StoreError) -> DeliveryReport {
        let total = Tally()
        let begun = clock.now
        await withDiscardingTaskGroup { group in
            func deliver() {
                group.addTask { await total.add { () throws(StoreError) in try await self.deliverDue(telling: nil) } }
            }
            expectMore()
            deliver()
            for await _ in wakeUps { deliver() }
            expectNoMore()
            // It has waited for more to come.
            if !crowded.isEmpty { deliver() }
        }
        let report = try await total.result.get()
        return try recounted(report.waitsForUser ? try await deliverOnceMore(total) : report, since: begun)
    }

    /// The user may have said meanwhile what was waited for.
    @inline(never)
    private func deliverOnceMore(_ total: Tally) async throws(StoreError) -> DeliveryReport {
        await total.add { () throws(StoreError) in try await self.deliverDue(telling: nil) }
        return try await total.result.get()
    }

    /// Counts once what was attempted more than once, and what has arrived since not at all.
    func recounted(_ report: DeliveryReport, since date: Date) throws(StoreError) -> DeliveryReport {
        if report.waiting.isEmpty { return report }
        var report = report
        let (refused, all) = (try store.refusedDeliveryCounts(since: date), try store.waitingDeliveryCounts())
        for (sink, trouble) in report.waiting {
            let count = min(trouble.count, refused[sink] ?? all[sink] ?? 0)
            report.waiting[sink]?.count = count
            if count == 0 { report.waiting[sink] = nil }
        }
        return report
    }

    func expectMore() { streams += 1 }
    func expectNoMore() { streams -= 1 }

    /// Where a run waits for a sink, that is not to wait for what others make.
    func isMoreExpected(at sink: String) -> Bool {
        streams > 0 && followed.values.allSatisfy { $0.due[sink] == nil }
    }

    /// - Parameters:
    ///   - tell: Called with what it came to at a sink, as soon as that has nothing more to do.
    ///   - begin: Called when it is settled what is raised now.
    func deliverDue(
        telling tell: DeliveryRounds.Report?, beginning begin: @Sendable () -> Void = {}
    ) async throws(StoreError) -> DeliveryReport {
        passes += 1
        let pass = passes
        do throws(StoreError) {
            let report = try await deliverDue(in: pass, telling: tell, beginning: begin)
            tellFollowed(lookedIn: pass)
            return report
        } catch {
            tellFollowed(lookedIn: pass, failure: error)
            throw error
        }
    }

    private func deliverDue(
        in pass: Int, telling tell: DeliveryRounds.Report?, beginning begin: @Sendable () -> Void
    ) async throws(StoreError) -> DeliveryReport {
        var report = DeliveryReport()
        // Most runs find nothing, and to look for each thing that may be done takes as long as half a visit.
        guard try store.hasWaitingDeliveries() else { return report }
        try store.checkPlace()
        let status = try store.notificationSettings().authorizationStatus
        var verdict = AuthorizationGate.verdict(status, canAsk: question != nil)
        // Whether the user's word comes now or a day later, the same comes of it.
        let heldBefore = verdict == .ask ? try store.holdPending(without: allUnderWay) : 0
        if verdict == .ask { verdict = try await answer() }
        switch verdict {
        case .deliver:
            try store.moveWaits(begunAfter: clock.now)
            let moved = try moved()
            try releaseHeld()
            report.quieted = try keepQuiet()
            begin()
            if moved.isEmpty {
                report.add(try await attemptDue(in: pass, telling: tell))
            } else {
                report.add(try await attemptDue(in: pass, beside: moved, telling: tell))
            }
            report.paused = try pauses(without: report)
            report.later = try laterAttempts(without: report)
            report.gone = try waitingForGone(without: report)
            // It may have become so meanwhile.
            if try Quiet(store, quietHours, at: clock.now) != nil { report.quieted = try quietedCount() }
        case .suppress:
            report.suppressed = try store.suppressWaiting(
                reason: "notifications are denied", at: clock.now, without: allUnderWay)
        case .hold, .ask:
            report.newlyHeld = heldBefore + (try store.holdPending(without: allUnderWay))
            report.held = try store.waitingCounts().held
        }
        return report
    }

    func dateOfNextDelivery() throws(StoreError) -> Date? {
        let now = clock.now
        return try isDue(at: now) ? now : dateOfNextDelivery(after: now)
    }

    private func isDue(at now: Date) throws(StoreError) -> Bool {
        let isAuthorized = try store.notificationSettings().authorizationStatus == .authorized
        if isAuthorized, try store.waitingCounts().held > 0 { return true }
        if try store.quietedCount() > 0, try Quiet(store, quietHours, at: now) == nil { return true }
        for sink in try store.dueSinks(at: now) where !busy.contains(sink) && !isCrowded(sink, at: now) {
            // Of those in order some may wait for one that is tried again later.
            guard sinks[sink]?.isOrdered == true else { return true }
            if try !store.dueDeliveries(at: now, sink: sink, isOrdered: true, limit: 1).isEmpty { return true }
        }
        return false
    }

    func dateOfNextDelivery(after date: Date) throws(StoreError) -> Date? {
        [try store.nextDelivery(after: date), try endOfQuiet(since: date), endOfFlood(after: date)]
            .compactMap { $0 }.min()
    }

    /// When what waits for that may be raised. While a sink worked it may have ended: then that is in the past.
    private func endOfQuiet(since date: Date) throws(StoreError) -> Date? {
        guard try store.quietedCount() > 0 else { return nil }
        if let quiet = try Quiet(store, quietHours, at: date) { return quiet.nextChange }
        let now = clock.now
        return try Quiet(store, quietHours, at: now)?.nextChange ?? now
    }

    /// What is due at a sink and not among those attempted; nil where nothing is, and the sink is at work no longer: in one
    /// step, so that what comes meanwhile is either in the batch or finds the sink idle.
    func nextBatch(at sink: String, without attempted: Set<Int64>) throws(StoreError) -> [Delivery]? {
        if !Task.isCancelled {
            let isAskedAgain = asked.remove(sink) != nil
            let now = clock.now
            // What came since the others were made to wait is not marked as waiting yet.
            let passing = try Quiet(store, quietHours, at: now)?.passing
            let due = try withoutFlood(at: sink, now: now) { () throws(StoreError) in
                try store.dueDeliveries(
                    at: now, sink: sink, isOrdered: sinks[sink]?.isOrdered ?? false,
                    // What was put off would be first each time.
                    isAlternating: sinks[sink]?.sink.defersSingly ?? false
                ).filter { delivery in
                    (isAskedAgain || !attempted.contains(delivery.id))
                        && passing?.contains(delivery.request.content.interruptionLevel) != false
                }
            }
            if !due.isEmpty { return due }
        }
        release(sink)
        return nil
    }

    /// False where it is at work already, which then looks once more at all that is due.
    func takes(_ sink: String) -> Bool {
        let isFree = busy.insert(sink).inserted
        if isFree { asked.remove(sink) } else { asked.insert(sink) }
        return isFree
    }

    /// - Parameter failure: Why it is left alone, where the state cannot be used.
    func release(_ sink: String, after failure: StoreError? = nil) {
        busy.remove(sink)
        underWay[sink] = nil
        tellFollowed(released: sink, failure: failure)
    }

    /// Takes deliveries for an attempt, in one step with the note that they are under way.
    func begin(_ deliveries: [Delivery], at sink: String) throws(StoreError) -> [Delivery] {
        let begun = try store.begin(try passing(deliveries, at: sink))
        underWay[sink, default: []].formUnion(begun.map(\.id))
        return begun
    }

    /// Writes down what became of deliveries, and takes the next ones.
    ///
    /// - Parameter isRepeated: Whether others wait for the same reason already.
    func record(
        _ ended: [EndedDelivery], at sink: String, isUnanswered: Bool = false, beginning next: [Delivery] = [],
        _ durability: Durability = .powerCut, verdict: SinkVerdict? = nil, isRepeated: Bool = false
    ) throws(StoreError) -> [Delivery] {
        // What has ended is written down whatever becomes of those.
        let passing = Result { () throws(StoreError) in try self.passing(next, at: sink) }
        let begun = try store.finish(
            ended, at: clock.now, isUnanswered: isUnanswered, beginning: (try? passing.get()) ?? [], durability,
            verdict: verdict)
        underWay[sink, default: []].subtract(ended.map(\.delivery.id))
        noteFlood(ended, at: sink)
        tellFollowed(of: ended, at: sink, isRepeated: isRepeated)
        underWay[sink, default: []].formUnion(begun.map(\.id))
        _ = try passing.get()
        return begun
    }

    /// Those that may be raised now. It may have become quiet since they were looked up: then the others are made to wait.
    private func passing(_ deliveries: [Delivery], at sink: String) throws(StoreError) -> [Delivery] {
        if deliveries.isEmpty { return [] }
        let others = underWay.count { $0.key != sink && !$0.value.isEmpty }
        try store.checkRoom(forAttempts: deliveries.count, besides: others)
        let now = clock.now
        guard let quiet = try Quiet(store, quietHours, at: now) else { return deliveries }
        let passing = deliveries.filter { quiet.passing.contains($0.request.content.interruptionLevel) }
        if passing.count < deliveries.count {
            try store.quietDeliveries(passing: quiet.passing, since: quiet.begin, at: now, without: allUnderWay)
        }
        return passing
    }

    var allUnderWay: Set<Int64> { underWay.values.reduce(into: []) { $0.formUnion($1) } }

    /// Asks in context: only when there is something to show, and once.
    private func answer() async throws(StoreError) -> AuthorizationGate.Verdict {
        guard let ask = question, let first = try store.firstHeldDelivery() else { return .hold }
        question = nil
        let count = try store.heldNotificationCount()
        let answer = await withTaskGroup(of: Bool?.self) { group in
            group.addTask { await ask(first.request, count) }
            group.addTask {
                await self.waitForDecision()
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        // What was said elsewhere while the question stood holds, whatever it is answered with then.
        let status = try store.notificationSettings().authorizationStatus
        if status != .notDetermined { return AuthorizationGate.verdict(status, canAsk: false) }
        guard let answer, !Task.isCancelled else { return .hold }
        let said: AuthorizationStatus = answer ? .authorized : .denied
        try await setAuthorization(said)
        return AuthorizationGate.verdict(said, canAsk: false)
    }

    /// Returns when the user has decided, as another process may note, or the task is cancelled.
    private func waitForDecision() async {
        while (try? store.notificationSettings().authorizationStatus) == .notDetermined {
            guard (try? await clock.sleep(for: .seconds(1))) != nil else { return }
        }
    }
}
