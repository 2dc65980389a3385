import CrierDelivery
import CrierNotifications
import CrierStore
import Foundation
import Logging
import ServiceLifecycle

/// Keeps the second queue moving: delivers what is due, sleeps until something is, or until somebody rings.
struct DeliveryService: Service {
    let desk: AgentDesk
    let clock: any WallClock

    /// It looks again after so many seconds at the latest, and forgets what is old.
    private static let longestSleep: TimeInterval = 86_400

    /// - Throws: ``StoreError`` where the state cannot be used.
    func run() async throws {
        do {
            try await withGracefulShutdownHandler {
                // What is under way at the end is brought to its end; the group that this service belongs to has the patience.
                try await withThrowingDiscardingTaskGroup { group in try await work(in: &group) }
            } onGracefulShutdown: {
                desk.deliveryBell.ring()
            }
        } catch is CancellationError {}
    }

    private func work(in group: inout ThrowingDiscardingTaskGroup<any Error>) async throws {
        let passed = Bell()
        var since = Date.distantPast
        var isDue = true
        while !Task.isShuttingDownGracefully, !group.isCancelled {
            if Task.isCancelled { throw CancellationError() }
            if isDue {
                since = clock.now
                // Each in a task of its own: a sink that takes its time delays no other.
                group.addTask {
                    defer { passed.ring() }
                    try await desk.patiently {
                        let report = try await desk.center.deliverDue()
                        desk.meter.note(report)
                        desk.logger.tell(report)
                        desk.statusBell.ring()
                    }
                }
            }
            var next = clock.now.addingTimeInterval(AgentDesk.pause)
            try await desk.patiently {
                let latest = clock.now.addingTimeInterval(Self.longestSleep)
                next = min(try await desk.center.nextDelivery(after: since) ?? latest, latest)
                try desk.store.prune(at: clock.now)
            }
            try await clock.sleep(until: next, orRingOf: desk.deliveryBell, passed)
            _ = passed.take()
            let isRung = desk.deliveryBell.take()
            isDue = isRung || next <= clock.now
            if isDue, !isRung { desk.note(.delivery) }
        }
    }
}

extension Logger {
    fileprivate func tell(_ report: DeliveryReport) {
        for (sink, count) in report.delivered.sorted(by: { $0.key < $1.key }) {
            info("raised", metadata: ["sink": "\(sink)", "count": "\(count)"])
        }
        for (sink, trouble) in report.waiting.sorted(by: { $0.key < $1.key }) {
            warning("not delivered yet: \(trouble.reason)", metadata: ["sink": "\(sink)", "count": "\(trouble.count)"])
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
