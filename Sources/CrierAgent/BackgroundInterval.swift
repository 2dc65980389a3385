import CrierStore

/// The least time between two visits, as a person says it: `30m`.
public enum BackgroundInterval {
    /// - Returns: Zero to ``BackgroundSettings/longestInterval``.
    public static func duration(_ text: String) throws(UnclearTime) -> Duration {
        guard let duration = try? DurationText.parse(text), duration <= BackgroundSettings.longestInterval else {
            throw UnclearTime(
                description: "\(quoted(text)) is not a time of 24h at most, such as 30m or 2h; 0s takes the limit away")
        }
        return duration
    }
}
