import CrierHTTP
import CrierNotifications
import CrierStore

/// How origins are asked for somebody who waits: nobody who is known to want to be left alone, wherever a redirect or a page
/// leads, and no host before its turn. What is asked, and who does not want it, is remembered for the next run.
public struct ConsiderateTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let refusals: KnownRefusals?
    private let pacer: HostPacer
    private let clock: any WallClock

    /// - Parameters:
    ///   - refusals: Nil where nothing is remembered.
    ///   - store: Where hosts are remembered; nil is nowhere. One that cannot be written to keeps nobody from asking.
    public init(
        base: any HTTPTransport, refusals: KnownRefusals?, paces: HostPaces, store: Store?, clock: any WallClock
    ) throws(StoreError) {
        self.base = base
        self.refusals = refusals
        self.clock = clock
        let book = if let store { store } else { try Store.inMemory() }
        pacer = try HostPacer(
            store: book, aside: Aside(base.lane), paces: paces, remembers: store != nil, hosts: [])
    }

    public var lane: (any TaskExecutor)? { base.lane }

    public func send(
        _ request: HTTPRequest, beforeRedirect: RedirectObserver
    ) async throws(HTTPError) -> HTTPResponse {
        let turn = HostTurn(pacer, clock: clock)
        defer { turn.end() }
        try await take(turn, at: request.url)
        let response = try await base.send(request) { url throws(HTTPError) in
            try await take(turn, at: url)
            try await beforeRedirect(url)
        }
        let limit = RequestLimit(status: response.status, fields: response.fields, now: clock.now)
        await pacer.remember(
            pacer.note(
                response.status, isOfLimit: limit.isReached, retryAfter: limit.wait, by: HostKey(url: response.url),
                now: clock.now))
        return response
    }

    private func take(_ turn: HostTurn, at url: String) async throws(HTTPError) {
        if let refusal = refusals?.refusal(of: url) {
            let address = URLCredentials.removed(from: url)
            throw HTTPError(.refusedAddress, "\(address) is to be left alone now: set by \(refusal.words)")
        }
        try await turn.move(to: url)
        if Task.isCancelled { throw HTTPError(.cancelled, "cancelled") }
    }
}
