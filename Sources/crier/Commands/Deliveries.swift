import ArgumentParser
import CrierAgent
import CrierNotifications
import CrierStore
import Foundation

struct Deliveries: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries", abstract: "Look at what was raised, what waits and what was given up.",
        subcommands: [ListDeliveries.self, ShowDelivery.self, RetryDeliveries.self, DropDeliveries.self],
        defaultSubcommand: ListDeliveries.self)
}

extension Delivery.State: ExpressibleByArgument {}

struct ListDeliveries: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List deliveries, newest first.",
        discussion: """
            States: pending (due, or waiting for its next attempt or until it is no longer quiet), held (waits for \
            `crier authorize`), delivered, suppressed (never raised by itself), dead (given up). Without --in: those that are \
            not over, and the dead.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(
        name: .customLong("in"), help: ArgumentHelp("Only those in this state; may be repeated.", valueName: "state"))
    var states: [Delivery.State] = []

    @Option(help: "Only those of this source.", completion: .everySource)
    var source: String?

    @Option(help: "Only those to this sink.", completion: .sinks)
    var sink: String?

    @Flag(help: "Those in every state.")
    var all = false

    @Option(help: "At most so many.")
    var limit = 50

    @Option(help: "text or json.")
    var format: OutputFormat = .text

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit must be at least 1") }
        if all, !states.isEmpty { throw ValidationError("--all lists those in every state: leave it out, or --in") }
    }

    func run() async throws {
        let wanted: Set<Delivery.State> =
            all ? Set(Delivery.State.allCases) : states.isEmpty ? [.pending, .held, .dead] : Set(states)
        let store = try options.storeToLookAt()
        try options.checkIsKnown(source: source, in: store)
        try options.checkIsKnown(sink: sink, in: store)
        // One more tells whether there are others.
        let found = try storeErrors {
            try store?.deliveries(
                in: wanted, source: source, sink: sink, limit: min(limit, .max - 1) + 1, now: SystemClock().now) ?? []
        }
        let deliveries = found.prefix(limit)
        if found.count > limit { Terminal.note("there are more than \(limit): --limit lists them") }
        if format == .json {
            for delivery in deliveries { JSONLine.write(DeliveryLine(delivery)) }
            return
        }
        if deliveries.isEmpty {
            Terminal.line(
                all || !states.isEmpty ? "No such deliveries." : "Nothing waits; --all shows what was raised.")
            return
        }
        let tellers = try storeErrors { try store?.tellers(of: Array(deliveries)) ?? [:] }
        let now = SystemClock().now
        var table = Table(["ID", "STATE", "SINK", "CREATED", "TRIES", "NOTIFICATION"])
        for delivery in deliveries {
            let trouble = delivery.reason(tellers).map { "  (\($0))" } ?? ""
            table.add([
                String(delivery.id), delivery.stateInWords, delivery.sink.shown,
                RelativeTime.words(delivery.created, from: now), String(delivery.attempts),
                delivery.request.content.title.shown.fitted(to: 60) + trouble,
            ])
        }
        for line in table.lines { Terminal.line(line) }
    }
}

extension Delivery {
    /// What waits for its sink, or for the end of quiet hours or of muting, is told from what is due.
    var stateInWords: String {
        guard state == .pending else { return state.rawValue }
        return isSinkGone ? "pending (sink gone)" : isQuieted ? "pending (quiet)" : "pending"
    }

    /// Why it is as it is.
    ///
    /// - Parameter tellers: What tells of it instead may wait still, or have come to nothing.
    func reason(_ tellers: [Int64: Delivery]) -> String? {
        guard let reason = lastError?.shown else { return nil }
        guard let teller = tellers[id], teller.state != .delivered else { return reason }
        return "\(reason): the delivery \(teller.id), which is \(teller.stateInWords)"
    }
}

/// One line of `deliveries list --format json`.
struct DeliveryLine: Encodable {
    let type = "delivery"
    let id: Int64
    let identifier: String
    let title: String
    @Nullable var source: String?
    let sink: String
    let state: String
    let attempts: Int
    let created: Date
    @Nullable var nextAttempt: Date?
    @Nullable var ended: Date?
    @Nullable var lastError: String?

    init(_ delivery: Delivery) {
        id = delivery.id
        identifier = delivery.request.identifier
        title = delivery.request.content.title
        source = delivery.source
        sink = delivery.sink
        state = delivery.state.rawValue
        attempts = delivery.attempts
        created = delivery.created
        nextAttempt = delivery.state == .pending && !delivery.isSinkGone ? delivery.nextAttempt : nil
        ended = delivery.ended
        lastError = delivery.lastError
    }
}

/// Which deliveries a command changes.
struct DeliverySelection: ParsableArguments {
    @Argument(help: "The numbers of the first column of `crier deliveries list`.")
    var ids: [Int64] = []

    @Flag(help: "All of them instead of single ones.")
    var all = false

    func validate() throws {
        if ids.isEmpty != all { throw ValidationError("name the deliveries, or say --all") }
    }

    /// Says of each of the named ones that could not be changed why; fails when none could. To be called before they are.
    ///
    /// - Parameter states: Which can be changed.
    func refusals(_ verb: String, but states: Set<Delivery.State>, in store: Store?) throws -> [String] {
        var named: Set<Int64> = []
        return try ids.filter { named.insert($0).inserted }.compactMap { id in
            guard let delivery = try storeErrors({ try store?.delivery(id) }) else {
                return "there is no delivery \(id)"
            }
            if states.contains(delivery.state) { return nil }
            return switch delivery.state {
            case .held: "the delivery \(id) waits for your permission: run `crier authorize`"
            case .delivered: "the delivery \(id) was delivered, and cannot be \(verb)"
            case .suppressed, .pending, .dead: "the delivery \(id) is over, and cannot be \(verb)"
            }
        }
    }

    /// - Parameter count: How many were changed.
    func check(_ count: Int, _ refusals: [String]) throws {
        if count == 0, let first = refusals.first { throw failure(first, ExitStatus.usage) }
        for refusal in refusals { Terminal.error(refusal) }
    }

    /// Fails when some of the named ones could not be changed, once it is told what became of the others.
    func finish(_ refusals: [String]) throws {
        if !refusals.isEmpty { throw ExitStatus.usage }
    }
}

struct RetryDeliveries: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Make deliveries due at once, with a fresh schedule.",
        discussion: """
            --all takes those that are pending or dead; by its number also one that was suppressed. Sinks that are gone or \
            paused are tried again.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var selection: DeliverySelection

    func run() async throws {
        let store = try options.existingStore()
        let refusals = try selection.refusals("tried again", but: [.pending, .dead, .suppressed], in: store)
        let count = try storeErrors {
            try store?.retryDeliveries(selection.all ? nil : selection.ids, at: SystemClock().now) ?? 0
        }
        try selection.check(count, refusals)
        if count == 0 { return Terminal.line("Nothing is to be tried again.\(try heldWords(in: store))") }
        let moment = await momentOfDelivery(from: try options.statePath())
        Terminal.line(try options.promise("\(count)", "due", moment, in: store))
        try selection.finish(refusals)
    }

    private func heldWords(in store: Store?) throws -> String {
        let held = try storeErrors { try store?.waitingCounts().held ?? 0 }
        return held == 0 ? "" : " \(held) held for your permission: run `crier authorize`."
    }
}

struct DropDeliveries: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Give deliveries up for good.", discussion: "--all takes the dead ones.")

    @OptionGroup var options: GlobalOptions
    @OptionGroup var selection: DeliverySelection

    func run() async throws {
        let store = try options.existingStore()
        let refusals = try selection.refusals("dropped", but: [.pending, .held, .dead], in: store)
        let count = try storeErrors {
            try store?.dropDeliveries(selection.all ? nil : selection.ids, at: SystemClock().now) ?? 0
        }
        try selection.check(count, refusals)
        await AgentClient.wake(try options.statePath())
        Terminal.line("\(count) dropped.")
        try selection.finish(refusals)
    }
}
