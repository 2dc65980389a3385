/// A notification to raise: what it says, under an identifier that never changes from attempt to attempt.
public struct NotificationRequest: Sendable, Hashable, Codable {
    /// What it is known by, as long as it is remembered: one that a program adds takes the place of the one that is there already and
    /// is delivered again, one that a fetch makes is the one that is there already. `crier/` at its beginning is Crier's own.
    public let identifier: String
    /// What it says.
    public let content: NotificationContent

    public init(identifier: String, content: NotificationContent) {
        self.identifier = identifier
        self.content = content
    }
}
