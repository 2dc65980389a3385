import Foundation

/// What is remembered of one source.
public struct SourceState: Sendable, Hashable {
    public var name: String
    /// Of the address and mapping that the rest was learned with; nil before the first fetch.
    public var fingerprint: [UInt8]?
    /// The same for the last visit, successful or not: what ``nextFetch`` was set for.
    public var visited: [UInt8]?
    public var etag: [UInt8]?
    public var lastModified: [UInt8]?
    public var bodyHash: [UInt8]?
    public var lastFetched: Date?
    /// Nil until the baseline.
    public var lastSucceeded: Date?
    public var lastResult: BackgroundFetchResult?
    /// The HTTP status of the last answer.
    public var lastStatus: Int?
    /// Why the last fetch failed; nil when it did not.
    public var failure: FetchFailure?
    /// Failed fetches in a row.
    public var failures: Int
    public var failingSince: Date?
    /// When it is due; nil is at once.
    public var nextFetch: Date?
    /// Which rule set ``nextFetch``, in words.
    public var nextFetchReason: String?
    /// The earliest date of an item that lay ahead at the last fetch that read the document.
    public var upcoming: Date?
    /// The last day that is accounted for under the daily policy: `yyyy-MM-dd`.
    public var announcedDay: String?
    /// When a sink last accepted one of its notifications.
    public var lastNotified: Date?

    /// What the origin asked for, beyond ``nextFetch``.
    public var wishes = OriginWishes()

    public init(name: String) {
        self.name = name
        failures = 0
    }
}

/// How one fetch ended, as iOS counts it (`UIBackgroundFetchResult`).
public enum BackgroundFetchResult: String, Sendable, Hashable, Codable {
    case newData, noData, failed
}

/// Why a fetch failed, and where on its path.
public struct FetchFailure: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Stage: String, Sendable, Hashable, Codable {
        case fetch, decode, commit, deliver
    }

    public let stage: Stage
    /// One sentence for the user.
    public let cause: String

    public init(_ stage: Stage, _ cause: String) {
        self.stage = stage
        self.cause = cause
    }

    public var description: String { "\(stage.rawValue): \(cause)" }
}
