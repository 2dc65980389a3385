import CrierStore

import protocol Foundation.LocalizedError

/// The least time between two visits, as a person says it: `30m`.
public enum BackgroundInterval {
    /// What was said cannot be understood: one sentence for the user.
    public struct Unclear: LocalizedError, Sendable, Hashable, CustomStringConvertible {
        public let description: String
        public var errorDescription: String? { description }
    }

    /// - Returns: Zero to ``BackgroundSettings/longestInterval``.
    public static func duration(_ text: String) throws(Unclear) -> Duration {
        guard let duration = try? DurationText.parse(text), duration <= BackgroundSettings.longestInterval else {
            throw Unclear(
                description: "\(quoted(text)) is not a time of 24h at most, such as 30m or 2h; 0s takes the limit away")
        }
        return duration
    }
}
