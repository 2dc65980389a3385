import CrierNotifications
import CrierStore
import Foundation

/// What programs do with a centre. It waits for the disk, and for another process that writes the state, on a thread of its own.
extension UserNotificationCenter {
    /// Puts a request into the outbox; the next delivery raises it, and ``run(report:)`` makes one. One of the same identifier that was
    /// added before is replaced: it is delivered again, and what waits of it for sinks that are not named any more is not raised there.
    /// Those of sources, which are called `source/item`, are not: where one has the identifier, a number goes behind it.
    ///
    /// It may be told in a summary of several (``OwnNotices/summaries``) and not by itself: where more than ten waited at a
    /// sink for authorization, or more than one for the end of quiet hours; at a sink that shows each at once and wants no late
    /// ones (``RetryPolicy/expiration``) also where more than one waited for longer than that, or more than ten come within a
    /// minute. What is urgent comes by itself there.
    ///
    /// - Parameter names: The sinks it goes to; nil is all of them. It waits a month for one that there is not, until
    ///   ``use(sinks:quietHours:)`` or another centre brings it, and where there are none at all it is recorded and never raised.
    /// - Throws: ``StoreError``, also where the state's file was removed or replaced; of the kind
    ///   ``StoreError/Kind/invalidRequest`` where the request itself or a name is at fault. Identifiers
    ///   that begin with ``Store/reservedPrefix`` are Crier's own: what a sink hands on to another centre needs one of its own.
    public nonisolated func add(_ request: NotificationRequest, to names: [String]? = nil) async throws(StoreError) {
        try await QuietLane.whereNoneIsChosen { () async throws(StoreError) in try await insert(request, to: names) }
    }

    /// What the user has decided.
    public nonisolated func notificationSettings() async throws(StoreError) -> NotificationSettings {
        try await QuietLane.whereNoneIsChosen { () async throws(StoreError) in try store.notificationSettings() }
    }

    /// Stores the user's decision. What waited is released or suppressed by the next delivery.
    ///
    /// - Throws: ``StoreError``, also where the state's file was removed or replaced.
    public nonisolated func setAuthorization(
        _ status: AuthorizationStatus, options: AuthorizationOptions = [.alert, .sound, .badge]
    ) async throws(StoreError) {
        let settings = NotificationSettings(authorizationStatus: status, options: status == .authorized ? options : [])
        try await QuietLane.whereNoneIsChosen { () async throws(StoreError) in
            try store.setNotificationSettings(settings, at: clock.now)
        }
        wake()
    }

    /// Delivers at once and then at every wake-up, until there are no more of them: for a single run. A sink that is still at work
    /// delays no other. What has to be tried again waits for another wake-up or run; ``run(report:)`` wakes for it by itself. What
    /// is more than a sink shows within a minute waits for the last wake-up.
    ///
    /// - Throws: The first ``StoreError``, when there are no more.
    public nonisolated func run(wakeUps: AsyncStream<Void>) async throws(StoreError) -> DeliveryReport {
        try await QuietLane.whereNoneIsChosen { () async throws(StoreError) in
            defer { passed.ring() }
            return try await deliver(at: wakeUps)
        }
    }

    /// One attempt at every delivery that is due; those of a sink that is at work already are left to that work.
    ///
    /// Where more than ten have waited for authorization at a sink, or more than one for the end of quiet hours, one summary is
    /// raised in their place, under an identifier of its own, unless ``OwnNotices/summaries`` are not wanted; so it is at a sink
    /// that shows each at once and wants no late ones (``RetryPolicy/expiration``), where more than ten are due, or more than one
    /// beyond ten that were raised within a minute. What is due is raised, however little: nothing waits here for more to come.
    ///
    /// Returns when the sinks have answered, the slowest of them too. Cancelled, it makes no further attempt. Once a day what is over
    /// for long is forgotten (``Store/prune(_:isForced:at:)``).
    ///
    /// - Throws: ``StoreError`` where the state cannot be used, or its file was removed or replaced.
    public nonisolated func deliverDue() async throws(StoreError) -> DeliveryReport {
        try await QuietLane.whereNoneIsChosen { () async throws(StoreError) in
            // A run beside it left this to the sinks at work, and knows no date of what has to be tried again, or waits since.
            defer { passed.ring() }
            let report = try await deliverDue(telling: nil)
            // Behind that, as what is found old a second time is given up; and it takes no report from anybody.
            _ = try? store.prune(at: clock.now)
            return report
        }
    }

    /// When there is something to deliver next: now where something is due, was held and may be raised since, or where the clock was
    /// set back, which ``deliverDue()`` takes account of; nil where
    /// nothing waits for a date. What is left to sinks at work is not told of.
    public nonisolated func nextDelivery() async throws(StoreError) -> Date? {
        try await QuietLane.whereNoneIsChosen { () async throws(StoreError) in try await dateOfNextDelivery() }
    }

    /// When something becomes due after a moment at which all that was due was attempted. What could not be attempted then
    /// waits for something else to happen, and is not told of.
    public nonisolated func nextDelivery(after date: Date) async throws(StoreError) -> Date? {
        try await QuietLane.whereNoneIsChosen { () async throws(StoreError) in
            try await dateOfNextDelivery(after: date)
        }
    }
}
