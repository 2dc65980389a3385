import struct Foundation.Date

/// Whether an answer says that its host was asked too often, and for how long it wants to be left alone.
public struct RequestLimit: Sendable, Hashable {
    /// 429 (RFC 6585 §4); 403 too, as GitHub has it, where there is `Retry-After` or nothing is left of a limit.
    public let isReached: Bool
    /// `Retry-After` (RFC 9110 §10.2.3); where the limit is reached and that is not said, until it is set back. Nil where neither is
    /// said.
    public let wait: Duration?

    public init(status: Int, fields: HTTPFields, now: Date) {
        let retryAfter = RetryAfter.parse(fields, now: now)
        let isExhausted = Self.value("Remaining", in: fields).flatMap(Double.init) == 0
        isReached = status == 429 || status == 403 && (retryAfter != nil || isExhausted)
        wait = retryAfter ?? (isReached ? Self.reset(fields, now: now) : nil)
    }

    /// Seconds from now on, as the drafts of the standard have it, or since 1970, as most do.
    private static func reset(_ fields: HTTPFields, now: Date) -> Duration? {
        guard let number = value("Reset", in: fields).flatMap(Double.init), number > 0 else { return nil }
        let seconds = number < leastDate ? number : number - fields.originTime(now: now).timeIntervalSince1970
        return (0..<longest).contains(seconds) ? .seconds(Int(seconds.rounded(.up))) : nil
    }

    private static func value(_ name: String, in fields: HTTPFields) -> String? {
        prefixes.lazy.compactMap { fields[$0 + name] }.first
    }

    private static let prefixes = ["X-RateLimit-", "RateLimit-", "X-Rate-Limit-"]
    /// Three years as a wait, 1973 as a date.
    private static let leastDate = 1e8
    /// A year: what lies further ahead is something else.
    private static let longest = 31_536_000.0
}
