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
        while !Task.isShuttingDownGracefully {
            if Task.isCancelled { throw CancellationError() }
            if isDue {
                since = clock.now
                // Each in a task of its own: a sink that takes its time delays no other.
                group.addTask {
                    defer { passed.ring() }
                    desk.logger.tell(try await desk.center.deliverDue())
                }
            }
            let latest = clock.now.addingTimeInterval(Self.longestSleep)
            let next = try await desk.center.nextDelivery(after: since)
            try await clock.sleep(until: min(next ?? latest, latest), orRingOf: desk.deliveryBell, passed)
            _ = passed.take()
            isDue = desk.deliveryBell.take() || next.map { $0 <= clock.now } ?? false
            try desk.store.prune(at: clock.now)
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
