/// What a sink makes of a notification beyond its title and body.
public struct SinkCapabilities: Sendable, Hashable {
    /// One thing that a sink may be able to do, in the order in which they are told.
    public enum Feature: String, Sendable, Hashable, CaseIterable {
        case subtitle, link, images, markup, buttons, sound, badge, urgency, grouping, replacement, data
    }

    /// What reaches its reader.
    public var features: Set<Feature>
    /// The most characters of a body; nil is no limit worth naming.
    public var bodyLimit: Int?

    public init(_ features: Set<Feature> = [], bodyLimit: Int? = nil) {
        self.features = features
        self.bodyLimit = bodyLimit
    }

    /// What of a notification will not reach its reader.
    public func dropped(of content: NotificationContent) -> [Feature] {
        let used: [(Feature, Bool)] = [
            (.subtitle, !content.subtitle.isEmpty), (.link, content.url != nil),
            (.images, content.attachments.contains(where: \.isPicture)), (.sound, content.sound != nil),
            (.badge, content.badge != nil), (.urgency, content.interruptionLevel != .active),
            (.grouping, !content.threadIdentifier.isEmpty), (.data, !content.userInfo.isEmpty),
        ]
        return used.filter { $0.1 && !features.contains($0.0) }.map(\.0)
    }
}

extension NotificationSink {
    /// Title and body alone.
    public var capabilities: SinkCapabilities { SinkCapabilities() }
}
