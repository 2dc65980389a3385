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
