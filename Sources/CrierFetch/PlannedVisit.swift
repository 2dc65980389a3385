import CrierStore
import Foundation
import Synchronization

/// A source that is to be visited, and what was remembered of it before.
///
/// A class: both are much to copy, and a visit passes through many hands.
final class PlannedVisit: Sendable {
    let source: Source
    /// The one that is visited, where the source has moved.
    let host: HostKey
    /// Those that will be asked, as far as it is known before.
    let hosts: [HostKey]
    /// Apart, as a source that was never visited has none, and a first run many of those.
    private let state: Shared<SourceState>?

    /// - Parameter state: Nil: nothing is remembered.
    init(_ source: Source, _ state: consuming SourceState?) {
        self.source = source
        let host = HostKey(source, adopted: state?.adoptedURL(of: source))
        self.host = host
        if let answering = state?.answeringHost(of: source), answering != host {
            hosts = [host, answering]
        } else {
            hosts = [host]
        }
        self.state = if let state = consume state { Shared(state) } else { nil }
    }

    /// Nil: nothing is remembered.
    var before: SourceState? { state?.value }

    /// Whether the last visit was to what the source is now.
    var isCurrent: Bool { state?.value.visited == source.fingerprint }

    /// Whether what was asked last was the same address, to be read otherwise.
    var isEditOfSameAddress: Bool { state?.value.isEditOfSameAddress(source) ?? false }

    /// Whether its date is yet to come, or it has none: then it is visited in spite of its schedule.
    func isAhead(at now: Date) -> Bool { state.map { ($0.value.nextFetch ?? .distantFuture) > now } ?? false }

    /// What the origin asked for, as far as it holds for what the source is now.
    var wishes: OriginWishes { state?.value.wishes(for: source) ?? OriginWishes() }

    var lastFetched: Date? { state?.value.lastFetched }

    /// The earliest moment that an item is held for.
    var upcoming: Date? { state?.value.upcoming }

    /// What the visit begins with.
    var start: SourceState { before ?? SourceState(name: source.name) }
}

/// The visits of a run, by the places of their sources. Each is handed out once, so that what was read of a source for it is gone
/// from memory when that is over.
final class VisitPlan: Sendable {
    private let rest: Mutex<[PlannedVisit?]>
    /// What other sources are known of, for those that were never visited as they are now; nil where it is nothing.
    let refusals: KnownRefusals?

    init(_ visits: [PlannedVisit], refusals: KnownRefusals?) {
        self.refusals = refusals
        // Left to itself, the compiler makes an optional of each by a cast at run time.
        rest = Mutex(visits.map(Optional.some))
    }

    /// Nil where it has been handed out.
    func take(_ index: Int) -> PlannedVisit? {
        rest.withLock { rest in
            defer { rest[index] = nil }
            return rest[index]
        }
    }
}
