import CrierContent
import Foundation

/// What an origin asked for at an earlier visit, and what holds until it says otherwise.
public struct OriginWishes: Sendable, Hashable, Codable {
    /// Of the document that was last read: a 304 does not repeat them.
    public var hints = PollingHints()
    /// Until when it wants to be left alone: Retry-After (RFC 9110 §10.2.3).
    public var refusedUntil: Date?
    /// How long the last answer that told it may be kept (RFC 9111 §4.2).
    public var lifetime: CacheLifetime?
    /// Equal bodies in a row from an origin that cannot be asked whether something has changed.
    public var unchangedBodies = 0
    /// Whether it is asked by an unmarked entity tag, as it did not know its own; nil where it never was.
    public var wantsUnmarkedTag: Bool?
    /// Whether it fails where it is asked if anything has changed; nil where it never did.
    public var refusesConditions: Bool?
    /// How often it has failed where it was so asked, and not where it was asked without; nil where it was not so of late.
    public var failsAtConditions: Int?
    /// Since when its host cannot be found or connected to; nil where the last visit reached it.
    package var unreachedSince: Date?

    public init() {}
}

/// How long an answer may be kept.
public struct CacheLifetime: Sendable, Hashable, Codable {
    public var seconds: Int64
    /// The header field that says so.
    public var field: String

    public init(seconds: Int64, field: String) {
        self.seconds = seconds
        self.field = field
    }
}
