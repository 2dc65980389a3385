import CrierNotifications
import CrierStore
import Foundation

/// A moment at which not everything is raised: the one place that says what passes.
///
/// | | passive, active | time-sensitive | critical |
/// |---|---|---|---|
/// | quiet hours | wait | pass, as through a Focus of Apple's | pass |
/// | muted | wait | wait | pass |
public struct Quiet: Sendable, Hashable {
    /// When it became so; long ago where nobody knows.
    let begin: Date
    /// When it is over, as far as is known now.
    public let end: Date
    /// Nil where only quiet hours are.
    public let mutedUntil: Date?

    /// Nil where nothing need wait.
    public init?(_ store: Store, _ hours: QuietHours, at date: Date) throws(StoreError) {
        let muted = try store.mutedUntil(at: date)
        guard let end = [muted, hours.end(at: muted ?? date) ?? hours.end(at: date)].compactMap({ $0 }).max() else {
            return nil
        }
        let hoursBegin = hours.intervals(in: DateInterval(start: date, duration: 0.001)).first?.start
        let mutedSince = muted == nil ? nil : try store.mutedSince ?? .distantPast
        begin = [mutedSince, hoursBegin].compactMap { $0 }.min() ?? date
        self.end = end
        mutedUntil = muted
    }

    /// Whether the user has muted everything until then.
    public var isMuted: Bool { mutedUntil != nil }

    /// When more is raised than now: at the end of muting, also where quiet hours go on then.
    public var nextChange: Date { mutedUntil ?? end }

    /// The levels that are raised nevertheless.
    public var passing: Set<InterruptionLevel> { isMuted ? [.critical] : [.timeSensitive, .critical] }
}
