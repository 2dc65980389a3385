/// Every limit of one request, in one place. Times are from a millisecond to 24 days; what is beyond counts as the nearest.
public struct HTTPLimits: Sendable, Hashable {
    /// Until the connection stands, TLS included.
    public var connect: Duration
    /// The whole visit: every redirect and the body, without what ``RedirectObserver`` waits for.
    public var total: Duration
    /// A transfer slower than ``slowBytesPerSecond`` for this long is ended.
    public var slowFor: Duration
    public var slowBytesPerSecond: Int
    /// Bytes of the body after content decoding.
    public var bodyBytes: Int
    /// Bytes of the body after content decoding for each byte received, from ``ratioFloorBytes`` on.
    public var decodedRatio: Int
    public var ratioFloorBytes: Int
    /// Bytes of the body as received: packed, with the framing of chunks and their extensions.
    public var wireBytes: Int
    /// Bytes of all header and trailer fields of one answer.
    public var headerBytes: Int
    /// Redirects followed.
    public var redirects: Int

    public init(
        connect: Duration = .seconds(10), total: Duration = .seconds(30), slowFor: Duration = .seconds(15),
        slowBytesPerSecond: Int = 100, bodyBytes: Int = 10 << 20, decodedRatio: Int = 100,
        ratioFloorBytes: Int = 1 << 20, wireBytes: Int = 20 << 20, headerBytes: Int = 256 << 10, redirects: Int = 5
    ) {
        self.connect = connect
        self.total = total
        self.slowFor = slowFor
        self.slowBytesPerSecond = slowBytesPerSecond
        self.bodyBytes = bodyBytes
        self.decodedRatio = decodedRatio
        self.ratioFloorBytes = ratioFloorBytes
        self.wireBytes = wireBytes
        self.headerBytes = headerBytes
        self.redirects = redirects
    }

    /// For polling a source.
    public static let polling = HTTPLimits()
    /// For handing a notification to a web hook: 20 s, a small answer, no redirects.
    public static let webhook = HTTPLimits(total: .seconds(20), bodyBytes: 256 << 10, wireBytes: 1 << 20, redirects: 0)
}
