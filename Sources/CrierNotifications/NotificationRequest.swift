/// A notification to raise: what it says, under an identifier that never changes from attempt to attempt.
public struct NotificationRequest: Sendable, Hashable, Codable {
    /// Unique among all requests ever made: a second request of the same identifier replaces the first or is the first.
    public let identifier: String
    /// What it says.
    public let content: NotificationContent

    public init(identifier: String, content: NotificationContent) {
        self.identifier = identifier
        self.content = content
    }
}
