import CrierContent
import CrierHTTP
import CrierStore
import Foundation

/// The sources of a configuration as they are visited when nothing comes of it: at the same hosts, hours and intervals, and
/// without anything that is read, run or kept secret. Their origins answer from memory that nothing has changed.
///
/// With them the scheduler itself tells what it would do: there is no second one that only plans.
public struct Rehearsal: HTTPTransport {
    public let sources: [Source]
    /// By URL.
    private var origins: [String: Origin] = [:]

    private struct Origin {
        /// Whether it can be asked whether something has changed.
        let isConditional: Bool
        let lifetime: CacheLifetime?
    }

    private static let document = Array("unchanged".utf8)
    private static let etag = Array("\"unchanged\"".utf8)

    /// - Parameter store: Has what is remembered of the sources, and is changed: a ``Store/copy(ofFileAt:isAtRest:)``.
    public init(_ sources: [Source], in store: Store, now: Date) throws(StoreError) {
        let states = try store.states()
        var commits: [FetchCommit] = []
        self.sources = sources.map(\.rehearsed)
        for (source, stand) in zip(sources, self.sources) {
            var state = states[source.name] ?? SourceState(name: source.name)
            state.becomeCurrent(for: source)
            let isConditional = state.wishes.unchangedBodies < NextFetch.unchangedBodies
            let url = state.move?.adopted ?? stand.url
            if origins[url] == nil {
                origins[url] = Origin(isConditional: isConditional, lifetime: state.wishes.lifetime)
            }
            // The schedule of another address holds no longer, and no other does yet; nor does that of what may be mended.
            let mayBeMended = source.mayBeMended(since: state.possibleCauses)
            if state.visited == source.fingerprint { state.visited = stand.fingerprint }
            state.possibleCauses = mayBeMended ? [0] : nil
            state.fingerprint = stand.fingerprint
            state.etag = isConditional ? Self.etag : nil
            state.lastModified = nil
            state.bodyHash = Fingerprint.ofBody(Self.document)
            state.lastWhole = now
            state.lastSucceeded = state.lastSucceeded ?? now
            state.upcoming = nil
            commits.append(FetchCommit(state: state, date: now))
        }
        try store.commit(commits)
    }

    public func send(
        _ request: HTTPRequest, beforeRedirect: RedirectObserver
    ) async throws(HTTPError) -> HTTPResponse {
        let origin = origins[request.url] ?? Origin(isConditional: true, lifetime: nil)
        if request.fields["If-None-Match"] != nil {
            return HTTPResponse(status: 304, url: request.conditionalURL ?? request.url)
        }
        var fields = HTTPFields()
        if origin.isConditional { fields.append("ETag", Self.etag) }
        if let lifetime = origin.lifetime { fields.append("Cache-Control", Array("max-age=\(lifetime.seconds)".utf8)) }
        return HTTPResponse(status: 200, fields: fields, body: Self.document, url: request.url)
    }
}

extension Source {
    fileprivate var rehearsed: Source {
        var stand = Source(
            name: name, address: .url(url), every: self.every, isEveryChosen: self.isEveryChosen, notify: .none,
            sinks: self.sinks)
        stand.mapping.timeZone = self.mapping.timeZone
        return stand
    }

    /// A program takes the place of a file: both are this machine's own.
    fileprivate var url: String {
        switch address {
        case .url(let url): url
        case .command: "file:///\(name)"
        }
    }
}
