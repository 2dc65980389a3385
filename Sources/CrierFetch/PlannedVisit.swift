import CrierStore

/// A source that is to be visited, and what was remembered of it before.
///
/// A class: both are much to copy, and a visit passes through many hands.
final class PlannedVisit: Sendable {
    let source: Source
    /// The one that is visited, where the source has moved.
    let host: HostKey
    let before: SourceState

    /// - Parameter state: Nil: nothing is remembered.
    init(_ source: Source, _ state: SourceState?) {
        self.source = source
        before = state ?? SourceState(name: source.name)
        host = HostKey(source, adopted: before.adoptedURL(of: source))
    }

    /// Those that will be asked, as far as it is known before.
    var hosts: [HostKey] { [host] + before.answeringHost(of: source) }
}
