import CrierNotifications
import CrierStore
import Foundation

/// Somebody who has made requests and waits for what becomes of them.
final class DeliveryWatch: Sendable {
    /// When they were made, in whole milliseconds as in the store.
    let made: ClosedRange<Date>
    /// Something may have become of them.
    let bell = Bell()

    init(made: ClosedRange<Date>) {
        self.made = made
    }
}

extension UserNotificationCenter {
    /// What became of the requests that a run has made beside ``run(report:)``, which raises them: as soon as each has been
    /// attempted that can be now. What other requests, and other attempts at these, come to says nothing of the run.
    ///
    /// Cancelled, it tells how they stand.
    ///
    /// - Parameter made: From before the first of them was made until after the last; not in the future.
    /// - Throws: ``StoreError`` where the state cannot be read.
    package func outcome(ofRequestsMade made: ClosedRange<Date>) async throws(StoreError) -> DeliveryReport {
        // One that has begun may have looked for some of it before the last was made.
        let last = passes.begun
        let watch = DeliveryWatch(made: made.lowerBound.inWholeMilliseconds...made.upperBound.inWholeMilliseconds)
        watches.append(watch)
        defer { watches.removeAll { $0 === watch } }
        wake()
        while true {
            _ = watch.bell.take()
            let standings = try store.standings(ofRequestsMade: watch.made)
            if Task.isCancelled || passes.looked > last && !standings.contains(where: isAtWork) {
                return try report(of: standings)
            }
            await watch.bell.wait()
        }
    }

    /// Whether its sink is about to take it for the first time, or has.
    private func isAtWork(_ standing: DeliveryStanding) -> Bool {
        if underWay[standing.sink]?.contains(standing.id) == true { return true }
        return busy.contains(standing.sink) && standing.state == .pending && !standing.isQuieted
            && standing.attempts == 0 && standing.nextAttempt <= clock.now
    }

    private func report(of standings: [DeliveryStanding]) throws(StoreError) -> DeliveryReport {
        var report = DeliveryReport()
        for standing in standings {
            let reason = standing.reason ?? ""
            switch standing.state {
            case .delivered: report.delivered[standing.sink, default: 0] += 1
            case .held: report.newlyHeld += 1
            case .suppressed: if reason == Store.denial { report.suppressed += 1 }
            case .dead: report.note(reason, at: standing.sink, in: \.dead, isRepeated: false)
            case .pending:
                if standing.isQuieted || reason.isEmpty { continue }
                report.note(reason, at: standing.sink, in: \.waiting, isRepeated: standing.isRepeated)
            }
        }
        report.held = try store.waitingCounts().held
        report.quieted = try store.quietedCount()
        return report
    }

    /// Wakes those who wait for what becomes of deliveries.
    func tellWatches(of ended: [EndedDelivery]) {
        for watch in watches where ended.contains(where: { watch.made.contains($0.delivery.created) }) {
            watch.bell.ring()
        }
    }

    func wakeWatches() { for watch in watches { watch.bell.ring() } }
}

/// The deliveries of all that is due, by number from 1.
struct DeliveryPasses: Sendable {
    /// The last that has begun; 0: none.
    private(set) var begun = 0
    /// The last that has put its sinks to work on all that it has found.
    private(set) var looked = 0

    mutating func begin() -> Int {
        begun += 1
        return begun
    }

    mutating func note(looked number: Int) { looked = max(looked, number) }
}

extension Date {
    fileprivate var inWholeMilliseconds: Date { Date(timeIntervalSince1970: Double(wholeMilliseconds) / 1000) }
}
