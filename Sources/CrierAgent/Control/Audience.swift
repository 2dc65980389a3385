import CrierDelivery
import CrierNotifications

import struct Foundation.Date

/// Those who listen to the agent while notifications are raised: `crier watch`, and `crier fetch` while its run goes on.
actor Audience {
    enum Role: Sendable, Hashable {
        /// Sees everything that is raised. At a terminal it is the foreground, as an app is on iOS.
        case watch(isTerminal: Bool)
        /// Has asked for a run: standard output is its own.
        case run
    }

    struct Message: Sendable {
        let event: AgentEvent
        /// To be acknowledged when it has been written; nil needs none, or the listener gives it.
        let receipt: Int?
    }

    private struct Listener {
        let role: Role
        /// Whether it says itself what it has shown: what was written to it may still not be.
        let confirms: Bool
        let messages: AsyncStream<Message>.Continuation
        /// Whether it has let a question wait in vain, and acknowledged nothing since: nobody waits for it.
        var isSilent = false
        /// Of a run: what is made later is not its own.
        var visitsEnded = Date.distantFuture

        /// Of sinks that do not work it is told as well: its own attempts may have shown that.
        func mayHaveMade(_ attempt: DeliveryAttempt) -> Bool {
            attempt.created <= visitsEnded || SinkNotice.isOne(attempt.request)
        }
    }

    /// What a listener has been given and has not acknowledged yet.
    private struct Offer {
        let number: Int
        /// Of the notifications that are seen with it.
        let keys: [String]
    }

    /// Somebody waits to hear whether one of several offers was shown.
    private struct Question {
        var receipts: Set<Int>
        let continuation: CheckedContinuation<Bool, Never>
    }

    /// Of one notification, which goes to several sinks and is shown to each listener once.
    private struct Showing {
        /// Those it was sent to.
        var listeners: Set<Int> = []
        /// Whether somebody at a terminal has it before their eyes.
        var isConfirmed = false
    }

    /// So many offers, and messages to one who watches and does not read.
    private static let remembered = 1000
    /// So many notifications: one sink may take what another has taken long after it.
    private static let rememberedShowings = 10_000
    /// For how long one who does not read is waited for.
    private let patience: Duration
    private let clock: any WallClock

    private var listeners: [Int: Listener] = [:]
    private var lastNumber = 0
    /// By receipt; one counts however late it comes.
    private var offers: [Int: Offer] = [:]
    private var questions: [Int: Question] = [:]
    private var showings: [String: Showing] = [:]
    private var showingsInOrder: [String] = []
    private var isClosed = false

    init(patience: Duration = .seconds(2), clock: any WallClock = SystemClock()) {
        self.patience = patience
        self.clock = clock
    }

    func join(_ role: Role, confirms: Bool = false) -> (number: Int, messages: AsyncStream<Message>) {
        lastNumber += 1
        // A run is to hear of its end, and is offered nothing more where it does not answer.
        let (messages, continuation) = AsyncStream.makeStream(
            of: Message.self, bufferingPolicy: role == .run ? .unbounded : .bufferingNewest(Self.remembered))
        if isClosed { continuation.finish() }
        listeners[lastNumber] = Listener(role: role, confirms: confirms, messages: continuation)
        return (lastNumber, messages)
    }

    /// What was not acknowledged has not been shown.
    func leave(_ number: Int) {
        guard let listener = listeners.removeValue(forKey: number) else { return }
        listener.messages.finish()
        for (receipt, offer) in offers where offer.number == number { settle(receipt, isShown: false) }
    }

    /// Nobody listens any more.
    func close() {
        isClosed = true
        for number in listeners.keys { leave(number) }
    }

    /// Has a run print no more than what was made by then.
    func endVisits(of number: Int, at date: Date) {
        listeners[number]?.visitsEnded = date
    }

    func send(_ event: AgentEvent, to number: Int) {
        listeners[number]?.messages.yield(Message(event: event, receipt: nil))
    }

    func acknowledge(_ receipt: Int, isShown: Bool = true) {
        guard let offer = offers[receipt] else { return }
        listeners[offer.number]?.isSilent = false
        if isShown { for key in offer.keys { showings[key]?.isConfirmed = true } }
        settle(receipt, isShown: isShown)
    }

    /// Shows a notification that is yet to be raised to those who watch at a terminal, and once it is seen there to all who watch.
    ///
    /// - Returns: Whether somebody at a terminal has said that they have it before their eyes.
    func show(_ attempt: DeliveryAttempt, sink: String) async -> Bool {
        let terminals = listeners.filter { $0.value.role == .watch(isTerminal: true) }.keys
        guard !terminals.isEmpty else { return false }
        for number in terminals { give([attempt], sink: sink, to: number) }
        guard await isSeen(attempt.idempotencyKey) else { return false }
        tell([attempt], sink: sink)
        return true
    }

    /// Tells those who watch of what a sink has accepted, unless they have got it. It waits for nobody, as that is not recorded yet.
    func tell(_ attempts: [DeliveryAttempt], sink: String) {
        for (number, listener) in listeners where listener.role != .run { give(attempts, sink: sink, to: number) }
    }

    /// Lets one who has asked for a run print it: the first of those whose run may have made it.
    ///
    /// - Returns: Whether one has.
    func print(_ attempt: DeliveryAttempt, sink: String) async -> Bool {
        let printers = listeners.filter { _, listener in
            listener.role == .run && !listener.isSilent && listener.mayHaveMade(attempt)
        }
        guard let number = printers.keys.min(),
            let receipt = offer(RaisedNotification(attempt, sink: sink), to: number)
        else { return false }
        return await isAnyShown(of: [receipt])
    }

    /// Sends one who watches those that they have not got.
    private func give(_ attempts: [DeliveryAttempt], sink: String, to number: Int) {
        let fresh = attempts.filter { isFresh($0.idempotencyKey, for: number) }
        var raised = fresh.map { RaisedNotification($0, sink: sink) }
        // One who has the last has them all.
        let last = listeners[number]?.role == .watch(isTerminal: true) ? raised.popLast() : nil
        for raised in raised { send(AgentEvent(raised: raised), to: number) }
        if let last { _ = offer(last, to: number, of: fresh.map(\.idempotencyKey)) }
    }

    private func isFresh(_ key: String, for number: Int) -> Bool {
        remember(key)
        return showings[key]?.listeners.insert(number).inserted != false
    }

    /// Whether somebody at a terminal has it before their eyes, be it another sink's.
    private func isSeen(_ key: String) async -> Bool {
        if showings[key]?.isConfirmed == true { return true }
        return await isAnyShown(of: Set(offers.filter { $0.value.keys.contains(key) }.keys))
    }

    /// - Parameter keys: What is seen with it.
    /// - Returns: The receipt that is to be acknowledged.
    private func offer(_ raised: RaisedNotification, to number: Int, of keys: [String] = []) -> Int? {
        guard let listener = listeners[number] else { return nil }
        lastNumber += 1
        let receipt = lastNumber
        offers[receipt] = Offer(number: number, keys: keys)
        if offers.count > Self.remembered, let oldest = offers.keys.min() { settle(oldest, isShown: false) }
        var raised = raised
        raised.receipt = listener.confirms ? receipt : nil
        listener.messages.yield(
            Message(event: AgentEvent(raised: raised), receipt: listener.confirms ? nil : receipt))
        return receipt
    }

    /// Waits until one of the offers was shown, none will be, or the patience is over.
    private func isAnyShown(of receipts: Set<Int>) async -> Bool {
        let receipts = receipts.filter { receipt in
            offers[receipt].map { listeners[$0.number]?.isSilent == false } ?? false
        }
        if receipts.isEmpty { return false }
        lastNumber += 1
        let question = lastNumber
        // One who does not read, such as a stopped process, is not waited for; nothing else ends this task.
        let end = Task(executorPreference: QuietLane.shared) { [clock, patience] in
            try? await clock.sleep(for: patience)
            await self.giveUp(question)
        }
        defer { end.cancel() }
        return await withCheckedContinuation { continuation in
            questions[question] = Question(receipts: receipts, continuation: continuation)
        }
    }

    /// Nobody waits any longer, and for those who were asked in vain not again before they have acknowledged something.
    private func giveUp(_ question: Int) {
        for receipt in questions[question]?.receipts ?? [] {
            if let number = offers[receipt]?.number { listeners[number]?.isSilent = true }
        }
        answer(question, isShown: false)
    }

    private func settle(_ receipt: Int, isShown: Bool) {
        offers[receipt] = nil
        for (number, question) in questions where question.receipts.contains(receipt) {
            questions[number]?.receipts.remove(receipt)
            if isShown || question.receipts.count == 1 { answer(number, isShown: isShown) }
        }
    }

    private func answer(_ question: Int, isShown: Bool) {
        questions.removeValue(forKey: question)?.continuation.resume(returning: isShown)
    }

    private func remember(_ key: String) {
        guard showings[key] == nil else { return }
        showings[key] = Showing()
        showingsInOrder.append(key)
        if showingsInOrder.count > Self.rememberedShowings { showings[showingsInOrder.removeFirst()] = nil }
    }
}

/// A sink of the agent, whose notifications are also shown to those who listen.
struct AttendedSink: BatchNotificationSink {
    let name: String
    let kind: SinkKind
    let base: any NotificationSink
    let audience: Audience

    var isOrdered: Bool { base.isOrdered }
    var defersSingly: Bool { base.defersSingly }
    var outlivesPowerCut: Bool { base.outlivesPowerCut }
    var reachesPerson: Bool { base.reachesPerson }
    var attemptLimit: Duration { base.attemptLimit }
    var batchLimit: Int { base.mostAtOnce }
    var destination: String? { get async { await base.destination } }
    var capabilities: SinkCapabilities { get async { await base.capabilities } }

    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        switch kind {
        case .desktop:
            // The app in the foreground gets the notification itself. What the desktop shows of an earlier one stays there.
            if await audience.show(attempt, sink: name) { return .delivered(receipt: attempt.receipt) }
        case .stdout:
            if await audience.print(attempt, sink: name) {
                await audience.tell([attempt], sink: name)
                return .delivered(receipt: attempt.receipt)
            }
        default: break
        }
        return await raise([attempt])
    }

    /// Desktop and standard output take one at a time.
    func deliver(_ attempts: [DeliveryAttempt]) async -> DeliveryOutcome {
        attempts.count == 1 ? await deliver(attempts[0]) : await raise(attempts)
    }

    private func raise(_ attempts: [DeliveryAttempt]) async -> DeliveryOutcome {
        let outcome = await base.deliver(together: attempts)
        if case .delivered = outcome { await audience.tell(attempts, sink: name) }
        return outcome
    }
}
