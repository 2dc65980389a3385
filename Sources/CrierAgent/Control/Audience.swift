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

    /// What has been shown to those who watch: a notification goes to several sinks and is shown once.
    private static let remembered = 1000
    private static let patience = Duration.seconds(2)

    private var listeners: [Int: Listener] = [:]
    private var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    private var lastNumber = 0
    private var shown: Set<String> = []
    private var shownInOrder: [String] = []
    private var isClosed = false

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
    }

    /// Nobody listens any more.
    func close() {
        isClosed = true
        for number in listeners.keys { leave(number) }
    }

    func send(_ event: AgentEvent, to number: Int) {
        listeners[number]?.messages.yield(Message(event: event, receipt: nil))
    }

    func acknowledge(_ receipt: Int, isShown: Bool = true) { settle(receipt, isShown: isShown) }

    /// Shows notifications to those who watch, unless they have seen them.
    ///
    /// - Returns: Whether somebody at a terminal has them before their eyes.
    func show(_ attempts: [DeliveryAttempt], sink: String) async -> Bool {
        let watchers = listeners.filter { if case .watch = $0.value.role { true } else { false } }
        guard !watchers.isEmpty else { return false }
        let terminals = watchers.filter { $0.value.role == .watch(isTerminal: true) }.keys
        let raised = attempts.filter { remember($0.idempotencyKey) }.map { RaisedNotification($0, sink: sink) }
        guard let last = raised.last else { return !terminals.isEmpty }
        for number in watchers.keys {
            // One who has the last has them all.
            for raised in terminals.contains(number) ? raised.dropLast() : raised[...] {
                send(AgentEvent(raised: raised), to: number)
            }
        }
        var isShown = false
        for number in terminals where await offer(last, to: number) { isShown = true }
        return isShown
    }

    /// Lets one who has asked for a run print it.
    ///
    /// - Returns: Whether one has.
    func print(_ attempt: DeliveryAttempt, sink: String) async -> Bool {
        guard let number = listeners.filter({ $0.value.role == .run }).keys.min() else { return false }
        return await offer(RaisedNotification(attempt, sink: sink), to: number)
    }

    private func offer(_ raised: RaisedNotification, to number: Int) async -> Bool {
        lastNumber += 1
        let receipt = lastNumber
        // One who does not read, such as a stopped process, is not waited for; nothing else ends this task.
        let patience = Task(executorPreference: QuietLane.shared) {
            await QuietTimer.wait(for: Self.patience)
            await self.settle(receipt, isShown: false)
        }
        defer { patience.cancel() }
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

    /// False where it was remembered already.
    private func remember(_ key: String) -> Bool {
        guard shown.insert(key).inserted else { return false }
        shownInOrder.append(key)
        if shownInOrder.count > Self.remembered { shown.remove(shownInOrder.removeFirst()) }
        return true
    }
}

/// A sink of the agent, whose notifications are also shown to those who listen.
struct AttendedSink: NotificationSink {
    let name: String
    let kind: SinkKind
    let base: any NotificationSink
    let audience: Audience

    var isOrdered: Bool { base.isOrdered }
    var outlivesPowerCut: Bool { base.outlivesPowerCut }
    var batchLimit: Int { base.batchLimit }
    var capabilities: SinkCapabilities { get async { await base.capabilities } }

    func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        switch kind {
        case .desktop:
            // The app in the foreground gets the notification itself.
            if await audience.show([attempt], sink: name) { return .delivered() }
        case .stdout:
            if await audience.print(attempt, sink: name) {
                _ = await audience.show([attempt], sink: name)
                return .delivered()
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
        let outcome = await base.deliver(attempts)
        if case .delivered = outcome { _ = await audience.show(attempts, sink: name) }
        return outcome
    }
}
