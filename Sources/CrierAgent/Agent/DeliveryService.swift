import CrierDelivery
import CrierStore
import Logging
import ServiceLifecycle

/// Keeps the second queue moving, and says what came of it.
struct DeliveryService: Service {
    let desk: AgentDesk

    /// - Throws: ``StoreError`` where the state cannot be used.
    func run() async throws {
        var rounds = DeliveryRounds { [desk] report in
            desk.meter.note(report)
            desk.logger.tell(report)
            desk.statusBell.ring()
            await desk.dropFormerSinks()
        }
        // What is under way at the end is brought to its end; the group that this service belongs to has the patience.
        rounds.isOver = { Task.isShuttingDownGracefully }
        rounds.endures = { [desk] error in desk.endures(error) }
        rounds.pause = AgentDesk.pause
        rounds.woken = { [desk] in desk.note(.delivery) }
        try await withGracefulShutdownHandler { [rounds] in
            try await desk.center.run(rounds)
        } onGracefulShutdown: {
            desk.deliveryBell.ring()
        }
    }
}

extension Logger {
    fileprivate func tell(_ report: DeliveryReport) {
        for (sink, count) in report.delivered.sorted(by: { $0.key < $1.key }) {
            info("raised", metadata: ["sink": "\(sink)", "count": "\(count)"])
        }
        for (sink, trouble) in report.waiting.sorted(by: { $0.key < $1.key }) {
            log(
                level: trouble.isRepeated ? .debug : .warning, "not delivered yet: \(trouble.reason)",
                metadata: ["sink": "\(sink)", "count": "\(trouble.count)"])
        }
        for (sink, trouble) in report.remarks.sorted(by: { $0.key < $1.key }) {
            warning("raised, but: \(trouble.reason)", metadata: ["sink": "\(sink)", "count": "\(trouble.count)"])
        }
        for (sink, trouble) in report.dead.sorted(by: { $0.key < $1.key }) {
            error("given up: \(trouble.reason)", metadata: ["sink": "\(sink)", "count": "\(trouble.count)"])
        }
        if report.newlyHeld > 0 {
            notice(
                "notifications wait for your permission: run `crier authorize`", metadata: ["count": "\(report.held)"])
        }
    }
}
