import struct Foundation.Date

/// How long an answer stays fresh for a private cache (RFC 9111 §4.2), and which header field says so.
public struct Freshness: Sendable, Hashable {
    /// From now on; more than zero.
    public let lifetime: Duration
    /// Such as `Cache-Control: max-age=3600`, or `Expires`.
    public let field: String

    /// max-age, else Expires − Date, minus Age. nil when it says nothing, no-cache, no-store, or no time at all; of several
    /// values the first counts, and an invalid one, such as `max-age=-1`, is no time (§4.2.1). Statuses other than 200…299,
    /// 301, 304, 308, 404 and 410 give nil.
    public init?(status: Int, fields: HTTPFields, now: Date) {
        switch status {
        case 200...299, 301, 304, 308, 404, 410: break
        default: return nil
        }
        let directives = CacheDirectives(fields.combined("Cache-Control") ?? "")
        guard !directives.has("no-cache"), !directives.has("no-store") else { return nil }
        let maxAge = directives.value(of: "max-age").map { DeltaSeconds.parse($0) ?? 0 }
        guard let whole = maxAge ?? Self.expiry(fields, now: now) else { return nil }
        let left = whole - fields.age
        guard left > 0 else { return nil }
        lifetime = .seconds(left)
        field = maxAge.map { "Cache-Control: max-age=\($0)" } ?? "Expires"
    }

    /// Whether an answer says anything of it; a 304 that does not leaves what holds (RFC 9111 §4.3.4).
    public static func isTold(by fields: HTTPFields) -> Bool {
        ["Cache-Control", "Expires"].contains { fields.rawValue(of: $0) != nil }
    }

    private static func expiry(_ fields: HTTPFields, now: Date) -> Int? {
        guard let expires = fields["Expires"].flatMap({ HTTPDate.parse($0, now: now) }) else { return nil }
        return Int(exactly: expires.timeIntervalSince(fields.date(now: now) ?? now).rounded(.towardZero))
    }
}

/// The Retry-After field (RFC 9110 §10.2.3).
public enum RetryAfter {
    /// Seconds, or the time until a date by the origin's own clock, which its Date and Age tell, else by ours; zero when the date
    /// has passed; nil when the value is neither. Of several the longest.
    public static func parse(_ fields: HTTPFields, now: Date) -> Duration? {
        fields.all.lazy.filter { $0.name.equalsIgnoringCase("Retry-After") }
            .compactMap { parse($0.value.trimmingBlanks, fields, now: now) }.max()
    }

    private static func parse(_ value: String, _ fields: HTTPFields, now: Date) -> Duration? {
        if let seconds = seconds(value) { return .seconds(seconds) }
        guard let date = HTTPDate.parse(value, now: now) else { return nil }
        return .seconds(max(0, Int(exactly: date.timeIntervalSince(fields.originTime(now: now)).rounded(.up)) ?? 0))
    }

    /// Some send fractions, and a proxy may join what is said twice.
    private static func seconds(_ value: String) -> Int? {
        let numbers = value.split(separator: ",", omittingEmptySubsequences: false).map { number -> Int? in
            let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let whole = DeltaSeconds.parse(parts[0]) else { return nil }
            guard parts.count > 1 else { return whole }
            return DeltaSeconds.parse(parts[1]).map { $0 > 0 ? whole + 1 : whole }
        }
        return numbers.contains(nil) ? nil : numbers.compactMap(\.self).max()
    }
}

extension HTTPFields {
    /// In seconds; 0 where the answer comes from no cache, or says nothing that can be read (RFC 9111 §5.1).
    fileprivate var age: Int { self["Age"].flatMap(DeltaSeconds.parse) ?? 0 }

    /// What the origin's clock says now, as far as its Date and Age tell, else ours (RFC 9111 §4.2.1).
    func originTime(now: Date) -> Date { date(now: now)?.addingTimeInterval(Double(age)) ?? now }

    /// When the answer was made, by the origin's clock (RFC 9110 §6.6.1).
    fileprivate func date(now: Date) -> Date? { self["Date"].flatMap { HTTPDate.parse($0, now: now) } }
}

/// A non-negative number of seconds (RFC 9111 §1.2.2).
enum DeltaSeconds {
    /// The greatest number that has to be told from greater ones.
    private static let greatest = Int(Int32.max)

    static func parse(_ text: String) -> Int? {
        let digits = text.trimmingBlanks
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int(digits) ?? greatest, greatest)
    }
}

/// The directives of Cache-Control (RFC 9111 §5.2).
private struct CacheDirectives {
    private let values: [(name: String, value: String)]

    init(_ text: String) {
        values = Self.split(text).map { directive in
            let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? String(parts[1]).trimmingBlanks : ""
            return (String(parts[0]).trimmingBlanks.lowercased(), value.filter { $0 != "\"" })
        }
    }

    func has(_ name: String) -> Bool { values.contains { $0.name == name && $0.value.isEmpty } }

    /// The first one; empty where the directive has none.
    func value(of name: String) -> String? { values.first { $0.name == name }?.value }

    /// At the commas that are not inside quotes.
    private static func split(_ text: String) -> [Substring] {
        var isQuoted = false
        return text.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
    }
}

extension String {
    var trimmingBlanks: String {
        var text = self[...].drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
