import CrierContent
import CrierHTTP
import CrierStore

import struct Foundation.Date

/// Who is known to want to be left alone: an address, however it is spelled and its document is read.
public struct KnownRefusals: Sendable {
    private let hosts: [String: HostState]
    private var ofAddresses: [AskedAddress: FetchRefusal] = [:]
    /// By what tells an address and a way of reading.
    private var ofFingerprints: [SourceFingerprint: FetchRefusal] = [:]
    private let now: Date

    /// - Parameter sources: Of the configuration, those that are not enabled too.
    public init(of sources: [Source], in store: Store, now: Date) throws(StoreError) {
        try self.init(of: sources, refused: store.refusedStates(), in: store, now: now)
    }

    /// - Parameter refused: From ``Store/refusedStates()``, for which all that is remembered is gone through.
    init(of sources: [Source], refused: [SourceState], in store: Store, now: Date) throws(StoreError) {
        self.now = now
        hosts = try store.hosts()
        for state in refused {
            guard let visited = state.visited, let refusal = FetchRefusal(by: state.wishes, now: now) else { continue }
            ofFingerprints[visited] = .longest([ofFingerprints[visited], refusal])
            // Which is all that is known of the address of what the configuration no longer has.
            guard let address = state.lastURL.map(AskedAddress.init) else { continue }
            ofAddresses[address] = .longest([ofAddresses[address], refusal])
        }
        let states = try store.states(of: sources.map(\.name)) { $1 }
        for (source, state) in zip(sources, states) {
            guard case .url(let url) = source.address, let state,
                let refusal = FetchRefusal(of: source, in: state, hosts: hosts, now: now)
            else { continue }
            let led = [state.adoptedURL(of: source), state.answeringURL(of: source)].compactMap { $0 }
            for address in Set(([url] + led).map(AskedAddress.init)) {
                ofAddresses[address] = .longest([ofAddresses[address], refusal])
            }
        }
    }

    /// Whether nobody has asked for it, but hosts as a whole.
    var isEmpty: Bool { ofFingerprints.isEmpty }

    /// Why an address is to be left alone now, if it is.
    public func refusal(of url: String) -> FetchRefusal? { refusal(of: Source(name: "", address: .url(url))) }

    /// The same for a source, of the configuration or not.
    ///
    /// - Parameter state: What is remembered of it.
    public func refusal(of source: Source, in state: SourceState = SourceState(name: "")) -> FetchRefusal? {
        let own = FetchRefusal(of: source, in: state, hosts: hosts, now: now)
        var known = ofFingerprints[source.fingerprint]
        if case .url(let url) = source.address { known = .longest([known, ofAddresses[AskedAddress(url)]]) }
        return .longest([own, known])
    }
}

/// What the spellings of one address have in common: its host and what an origin is sent.
struct AskedAddress: Hashable {
    private let scheme: Substring
    private let host: HostKey
    private let target: Substring

    init(_ url: String) {
        let url = SubscriptionList.sameness(of: URLCredentials.removed(from: url))
        let authority = url.firstRange(of: "://")?.upperBound ?? url.endIndex
        scheme = url[..<authority]
        host = HostKey(url: url)
        target = url[authority...].drop { $0 != "/" }
    }
}

extension FetchRefusal? {
    /// The one that ends last; the first of those that end within a minute, as one answer may make several.
    fileprivate static func longest(_ refusals: [FetchRefusal?]) -> FetchRefusal? {
        refusals.compactMap { $0 }.reduce(nil) { longest, refusal in
            guard let longest, refusal.until.timeIntervalSince(longest.until) <= 60 else { return refusal }
            return longest
        }
    }
}
