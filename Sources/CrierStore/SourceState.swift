import CrierContent
import Foundation

/// What is remembered of one source.
public struct SourceState: Sendable, Hashable {
    /// Why the next visit comes after hours at which the feed wants none. States hold these words.
    package static let skipReason = "the feed's own skipHours and skipDays"

    public var name: String
    /// Of the address and mapping that the rest was learned with; nil before the first fetch.
    public var fingerprint: SourceFingerprint?
    /// The same for the last visit, successful or not: what ``nextFetch`` was set for.
    public var visited: SourceFingerprint?
    /// Of all else that the last visit may have failed at, as the source was then: it is stored behind ``visited``. Nil where it did
    /// not fail, or an earlier version made it.
    public var possibleCauses: [UInt8]?
    public var etag: [UInt8]?
    public var lastModified: [UInt8]?
    public var bodyHash: [UInt8]?
    /// When the document last came, rather than the word that it has not changed.
    public var lastWhole: Date?
    /// When a whole document was last read that was another than the one before; nil where an earlier version read it.
    public var lastRead: Date?
    /// What is dated up to then counts as known, whatever it is called: what there was before was read of in part only, or could not be
    /// compared. Until a whole document that holds something has been read, or for two days of others. Nil, as usual: identifiers
    /// tell what is known.
    public var knownUntil: Date?
    /// When that began to count.
    public var knownSince: Date?
    /// The kind of the document that was last read.
    public var family: String?
    public var lastFetched: Date?
    /// The address of the last visit, after redirects and without credentials; nil for a program. Where ``visited`` is not
    /// ``fingerprint``, that which the rest was learned from.
    public var lastURL: String?
    /// The host of the last visit; nil on this machine.
    public var host: String?
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
    /// When the user was told that it keeps failing; nil while it does not.
    public var failureTold: Date?
    /// The first 410 (RFC 9110 §15.5.11), or when its feed first said that nothing will follow. Where ``nextFetch`` is nil too, it is
    /// visited on request only.
    public var goneSince: Date?
    /// A permanent redirect of the configured address.
    public var move: SourceMove?
    /// When it is due; nil is at once.
    public var nextFetch: Date?
    /// Which rule set ``nextFetch``, in words.
    public var nextFetchReason: String?
    /// The earliest moment that an item is held for; nil where none is.
    public var upcoming: Date?
    /// The last day that is accounted for under the daily policy: `yyyy-MM-dd`.
    public var announcedDay: String?
    /// When that was written.
    public var announcedOn: Date?
    /// When it last had an item that it never had before.
    public var lastNew: Date?
    /// When the user was told that it has gone silent; nil once it has spoken.
    public var silenceTold: Date?
    /// Since when its documents hold no items; nil while they do.
    public var emptySince: Date?
    /// The zone in which the dates of its last document were read that name none: a name of the IANA database.
    public var timeZone: String?
    /// When a sink last accepted one of its notifications.
    public var lastNotified: Date?

    /// What the origin asked for, beyond ``nextFetch``.
    public var wishes = OriginWishes()

    /// Where it was read.
    var row = SourceRow()

    public init(name: String) {
        self.name = name
        failures = 0
    }
}

/// The key of a source's row, by which it is found again. It says nothing of the source: two states that were read from different
/// files, or one that was never stored, may be equal.
struct SourceRow: Sendable, Hashable {
    var id: Int64?

    static func == (one: SourceRow, other: SourceRow) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

/// A permanent redirect (RFC 9110 §15.4.2, §15.4.9) that is counted, or has been adopted.
public struct SourceMove: Sendable, Hashable, Codable {
    /// The address in the configuration, which all this is about.
    public var configured: String
    /// What is visited instead.
    public var adopted: String?
    public var adoptedOn: Date?
    /// Where the redirect leads now.
    public var target: String?
    /// The kind of the document before it.
    public var family: String?
    /// How often it was seen, a day or more apart.
    public var sightings = 0
    public var lastSighting: Date?

    public init(configured: String) {
        self.configured = configured
    }
}

/// How one fetch ended, as iOS counts it (`UIBackgroundFetchResult`).
public enum BackgroundFetchResult: String, Sendable, Hashable, Codable {
    /// Something new was found.
    case newData
    /// Nothing was, or nobody was asked.
    case noData
    /// The source could not be fetched or read.
    case failed
}

/// Why a fetch failed, and where on its path.
public struct FetchFailure: LocalizedError, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The step on the path of a fetch.
    public enum Stage: String, Sendable, Hashable, Codable {
        case fetch, decode
    }

    public let stage: Stage
    /// One sentence for the user, of at most ``limit`` characters.
    public let cause: String

    /// Characters of a cause, in which an origin may have a word: the address that it redirects to, say.
    public static let limit = 500

    public init(_ stage: Stage, _ cause: String) {
        self.stage = stage
        self.cause = PlainText.cut(cause, to: Self.limit)
    }

    public var description: String { "\(stage.rawValue): \(cause)" }
    public var errorDescription: String? { description }
}
