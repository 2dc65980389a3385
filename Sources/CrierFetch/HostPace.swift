import CrierStore

import struct Foundation.Date

/// How fast a host may be asked.
public struct HostPace: Sendable, Hashable {
    /// Requests under way at once; 1 or more.
    public var parallel: Int { didSet { parallel = max(1, parallel) } }
    /// Between the starts of two requests; none or more.
    public var gap: Duration { didSet { gap = max(.zero, gap) } }

    public init(parallel: Int = 1, gap: Duration = .seconds(2)) {
        self.parallel = max(1, parallel)
        self.gap = max(.zero, gap)
    }

    /// How many visits can begin in so many seconds.
    func visits(in seconds: Double) -> Int {
        gap > .zero ? Int(min(seconds / gap.timeInterval, 1e9)) + 1 : .max
    }
}

/// The pace of each host: what the user says, else one request at a time and 2 s between two starts.
public struct HostPaces: Sendable, Hashable {
    /// By name in lower case, with or without a port; as DNS has it, where it has letters beyond ASCII (`xn--bcher-kva.example`).
    public var named: [String: HostPace]
    /// What the user wants between any two visits to a source, whoever's it is.
    public var minimumInterval: Duration

    public init(named: [String: HostPace] = [:], minimumInterval: Duration = .zero) {
        self.named = named
        self.minimumInterval = minimumInterval
    }

    /// Nil: not paced. This machine's hosts, files and programs are not, unless they are named.
    func pace(of host: HostKey) -> HostPace? {
        let other = host.isLocal ? nil : HostPace()
        if named.isEmpty { return other }
        return Self.names(of: host).lazy.compactMap { named[$0] }.first ?? other
    }

    /// Those that stand for the host of none of these sources.
    package func unused(by sources: [Source]) -> Set<String> {
        named.isEmpty ? [] : Set(named.keys).subtracting(sources.lazy.flatMap { Self.names(of: $0.host) })
    }

    /// What a host may be called in the configuration, the most exact first: there a scheme's own port may be said, too.
    private static func names(of host: HostKey) -> [String] {
        [host.name, "\(host.name):443", "\(host.name):80", host.nameWithoutPort]
    }
}

/// Why a source was not asked although it could have been.
public struct FetchRefusal: Sendable, Hashable {
    public enum Reason: Sendable, Hashable {
        /// The host wants to be left alone (429).
        case host(String)
        /// The origin's Retry-After.
        case retryAfter
        /// It was asked moments ago.
        case floor
        /// A redirect leads to a host whose turn comes after the run's end.
        case pace(String)
    }

    /// Who or what wants that.
    public let reason: Reason
    /// When it may be asked again.
    public let until: Date

    init(reason: Reason, until: Date) {
        self.reason = reason
        self.until = until
    }

    /// The first pause among hosts, if there is one.
    init?(of hosts: [HostKey], in states: [String: HostState], now: Date) {
        for host in hosts {
            guard let until = states[host.name]?.pause(now: now) else { continue }
            self.init(reason: .host(host.name), until: until)
            return
        }
        return nil
    }

    /// Why a source is to be left alone now, if it is: what also a visit that the user asks for has to obey.
    public init?(of source: Source, in state: SourceState, hosts: [String: HostState], now: Date) {
        let pause = FetchRefusal(of: PlannedVisit(source, state).hosts, in: hosts, now: now)
        guard let refusal = pause ?? FetchRefusal(by: state.wishes(for: source), now: now) else { return nil }
        self = refusal
    }

    init?(by wishes: OriginWishes, now: Date) {
        guard let until = wishes.refusal(now: now) else { return nil }
        self.init(reason: .retryAfter, until: until)
    }

    /// Of who was asked moments ago.
    init?(after last: Date?, now: Date) {
        guard let last, last <= now else { return nil }
        let until = last.addingTimeInterval(Self.floor.timeInterval)
        guard until > now else { return nil }
        self.init(reason: .floor, until: until)
    }

    /// Who does not want it, in words: "set by …".
    public var words: String {
        switch reason {
        case .host(let name): "\(name), which asked for fewer requests (429)"
        case .retryAfter: "the origin's Retry-After"
        case .floor: "the least time of \(Self.floor.words) between two visits"
        case .pace(let name): "the pace of \(name), to which it leads and which others are asking"
        }
    }

    /// Between two visits that the user asks for, or makes due by editing how a document is read.
    static let floor = Duration.seconds(600)
}
