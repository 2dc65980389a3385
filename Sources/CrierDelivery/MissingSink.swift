import CrierStore
import Foundation

/// What waits for sinks that the configuration does not have: all that waits for one at once, as that may be very many.
extension UserNotificationCenter {
    /// When it is looked at again: only to be given up in time, as whoever has the sink again makes it due at once.
    nonisolated var nextLook: Date { clock.now.addingTimeInterval(86_400) }

    /// Puts off all that is due at a sink, where there is none of that name, and gives up what has waited for too long.
    func putOff(withoutSink sink: String) throws(StoreError) -> DeliveryReport {
        // There may be one since.
        guard sinks[sink] == nil else { return DeliveryReport() }
        var report = try giveUp(withoutSink: sink)
        let now = clock.now
        // What a run has made is told to it as well, and found as long as it is due.
        for (number, run) in followed {
            let made = run.begun...max(run.begun, min(run.ended, now))
            guard let due = try store.dueDeliveries(at: now, ofRequestsMade: made)[sink] else { continue }
            followed[number]?.report.noteAbsence(of: sink, due.count)
        }
        report.noteAbsence(of: sink, try store.putOff(forMissing: sink, at: now, until: nextLook))
        return report
    }

    /// Gives up what has waited for too long for sinks that are missing and had said that they are gone: it is never due.
    func giveUpWithoutSink() throws(StoreError) -> DeliveryReport {
        var report = DeliveryReport()
        for gone in try store.goneSinks() where sinks[gone.name] == nil {
            report.add(try giveUp(withoutSink: gone.name))
        }
        return report
    }

    /// What its sink might have had before that has waited for it for as long as anything does.
    ///
    /// A clock that is ahead for a run gives nothing up: it was as late when the state was last looked through, in another one.
    nonisolated func longestPatience() throws(StoreError) -> Date {
        let now = clock.now
        return min(now, try store.lastPruned ?? now).addingTimeInterval(-Store.longestAbsence)
    }

    private func giveUp(withoutSink sink: String) throws(StoreError) -> DeliveryReport {
        var report = DeliveryReport()
        let date = try longestPatience()
        let count = try store.giveUp(forMissing: sink, readyBefore: date, at: clock.now)
        if count > 0 { report.dead[sink] = .init(count: count, reason: Store.absence(of: sink)) }
        return report
    }
}

extension DeliveryReport {
    fileprivate mutating func noteAbsence(of sink: String, _ count: Int) {
        if count == 0 { return }
        waiting.add(Trouble(count: count, reason: Store.absence(of: sink)), at: sink)
    }
}
