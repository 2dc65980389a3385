import CrierNotifications

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
        /// Messages that are not acknowledged yet.
        var receipts: Set<Int> = []
    }

    /// Of one notification, which goes to several sinks and is shown to each listener once.
    private struct Showing {
        /// Those it was sent to.
        var listeners: Set<Int> = []
        /// Whether somebody at a terminal has it before their eyes.
        var isConfirmed = false
    }

    private static let remembered = 1000
    /// For how long one who does not read is waited for.
    private let patience: Duration

    private var listeners: [Int: Listener] = [:]
    private var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    private var lastNumber = 0
    private var showings: [String: Showing] = [:]
    private var showingsInOrder: [String] = []
    /// The keys of what a receipt stands for; it counts however late it comes.
    private var keys: [Int: (number: Int, keys: [String])] = [:]
    private var isClosed = false

    init(patience: Duration = .seconds(2)) {
        self.patience = patience
    }

    func join(_ role: Role, confirms: Bool = false) -> (number: Int, messages: AsyncStream<Message>) {
        lastNumber += 1
        let (messages, continuation) = AsyncStream.makeStream(of: Message.self)
        if isClosed { continuation.finish() }
        listeners[lastNumber] = Listener(role: role, confirms: confirms, messages: continuation)
        return (lastNumber, messages)
    }

    /// What was not acknowledged has not been shown.
    func leave(_ number: Int) {
        guard let listener = listeners.removeValue(forKey: number) else { return }
        listener.messages.finish()
        for receipt in listener.receipts { settle(receipt, isShown: false) }
        keys = keys.filter { $0.value.number != number }
    }

    /// Nobody listens any more.
    func close() {
        isClosed = true
        for number in listeners.keys { leave(number) }
    }

    func send(_ event: AgentEvent, to number: Int) {
        listeners[number]?.messages.yield(Message(event: event, receipt: nil))
    }

    func acknowledge(_ receipt: Int, isShown: Bool = true) {
        if isShown { for key in keys[receipt]?.keys ?? [] { showings[key]?.isConfirmed = true } }
        keys[receipt] = nil
        settle(receipt, isShown: isShown)
    }

    /// Shows notifications to those who watch, unless they have got them: at a terminal first, elsewhere once they are raised.
    ///
    /// - Parameter isRaised: Whether a sink has accepted them.
    /// - Returns: Whether somebody at a terminal has said that they have them before their eyes.
    func show(_ attempts: [DeliveryAttempt], sink: String, isRaised: Bool = false) async -> Bool {
        let watchers = listeners.filter { if case .watch = $0.value.role { true } else { false } }
        guard !watchers.isEmpty else { return false }
        let terminals = watchers.filter { $0.value.role == .watch(isTerminal: true) }.keys
        for attempt in attempts { remember(attempt.idempotencyKey) }
        if !attempts.allSatisfy(isConfirmed) {
            for number in terminals {
                let fresh = fresh(attempts, for: number)
                let raised = fresh.map { RaisedNotification($0, sink: sink) }
                // One who has the last has them all.
                guard let last = raised.last else { continue }
                for raised in raised.dropLast() { send(AgentEvent(raised: raised), to: number) }
                _ = await offer(last, to: number, of: fresh.map(\.idempotencyKey))
            }
        }
        let isShown = !terminals.isEmpty && attempts.allSatisfy(isConfirmed)
        guard isShown || isRaised else { return false }
        for number in watchers.keys where !terminals.contains(number) {
            for attempt in fresh(attempts, for: number) {
                send(AgentEvent(raised: RaisedNotification(attempt, sink: sink)), to: number)
            }
        }
        return isShown
    }

    /// Those that a listener has not got, and gets now.
    private func fresh(_ attempts: [DeliveryAttempt], for number: Int) -> [DeliveryAttempt] {
        attempts.filter { showings[$0.idempotencyKey]?.listeners.insert(number).inserted != false }
    }

    private func isConfirmed(_ attempt: DeliveryAttempt) -> Bool {
        showings[attempt.idempotencyKey]?.isConfirmed == true
    }

    /// Lets one who has asked for a run print it.
    ///
    /// - Returns: Whether one has.
    func print(_ attempt: DeliveryAttempt, sink: String) async -> Bool {
        guard let number = listeners.filter({ $0.value.role == .run }).keys.min() else { return false }
        return await offer(RaisedNotification(attempt, sink: sink), to: number)
    }

    /// - Parameter keys: What is seen with it.
    private func offer(_ raised: RaisedNotification, to number: Int, of keys: [String] = []) async -> Bool {
        lastNumber += 1
        let receipt = lastNumber
        self.keys[receipt] = (number, keys)
        // One who does not read, such as a stopped process, is not waited for; nothing else ends this task.
        let end = Task(executorPreference: QuietLane.shared) { [patience] in
            await QuietTimer.wait(for: patience)
            await self.settle(receipt, isShown: false)
        }
        defer { end.cancel() }
        return await withCheckedContinuation { continuation in
            guard let listener = listeners[number] else { return continuation.resume(returning: false) }
            waiting[receipt] = continuation
            listeners[number]?.receipts.insert(receipt)
            var raised = raised
            raised.receipt = listener.confirms ? receipt : nil
            listener.messages.yield(
                Message(event: AgentEvent(raised: raised), receipt: listener.confirms ? nil : receipt))
        }
    }

    private func settle(_ receipt: Int, isShown: Bool) {
        for number in listeners.keys { listeners[number]?.receipts.remove(receipt) }
        waiting.removeValue(forKey: receipt)?.resume(returning: isShown)
    }

    private func remember(_ key: String) {
        guard showings[key] == nil else { return }
        showings[key] = Showing()
        showingsInOrder.append(key)
        if showingsInOrder.count > Self.remembered { showings[showingsInOrder.removeFirst()] = nil }
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
    var batchLimit: Int { base.mostAtOnce }
    var capabilities: SinkCapabilities { get async { await base.capabilities } }

    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        switch kind {
        case .desktop:
            // The app in the foreground gets the notification itself. What the desktop shows of an earlier one stays there.
            if await audience.show([attempt], sink: name) { return .delivered(receipt: attempt.receipt) }
        case .stdout:
            if await audience.print(attempt, sink: name) {
                _ = await audience.show([attempt], sink: name, isRaised: true)
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
        if case .delivered = outcome { _ = await audience.show(attempts, sink: name, isRaised: true) }
        return outcome
    }
}
