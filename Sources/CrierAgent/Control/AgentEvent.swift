import CrierNotifications
import Foundation

/// One line of what the agent says while it is listened to: exactly one member is there.
public struct AgentEvent: Sendable, Hashable, Codable {
    /// A notification is raised here and now.
    public var raised: RaisedNotification?
    /// A visit that was asked for has ended.
    public var visited: VisitAccount?
    /// The run that was asked for has ended; nothing comes after it.
    public var ended: RunAccount?
    /// What was asked for cannot be done: one sentence; nothing comes after it.
    public var refused: String?

    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }()

    static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    /// JSON and a line end.
    func line() throws -> Data { try Self.encoder.encode(self) + [0x0a] }
}

/// A notification, with what a sink has to know of it.
public struct RaisedNotification: Sendable, Hashable, Codable {
    /// The sink of the configuration that it was for.
    public let sink: String
    public let identifier: String
    public let content: NotificationContent
    public let revision: Int
    public let created: Date

    init(_ attempt: DeliveryAttempt, sink: String) {
        self.sink = sink
        identifier = attempt.request.identifier
        content = attempt.request.content
        revision = attempt.revision
        created = attempt.created
    }

    /// For a sink of the process that listens.
    public var attempt: DeliveryAttempt {
        DeliveryAttempt(
            request: NotificationRequest(identifier: identifier, content: content), revision: revision, created: created
        )
    }
}

/// What a run is to fetch.
public struct FetchOrder: Sendable, Hashable, Codable {
    /// The names of sources; all where there is none.
    public var sources: [String]
    /// Whether in spite of their schedule.
    public var force: Bool
    /// Whether the time budget of each fetch ends at once; nil is not.
    public var expires: Bool?

    public init(sources: [String], force: Bool, expires: Bool? = nil) {
        self.sources = sources
        self.force = force
        self.expires = expires
    }

    var selection: OneShot.Selection { !force ? .due : sources.isEmpty ? .all : .named }
}

/// Who the agent is.
public struct AgentDescription: Sendable, Hashable, Codable {
    public let version: String
    public let process: Int32
    public let configuration: String
    public let state: String

    /// Whether a path, whatever links lead to it, is the agent's configuration.
    public func isUsing(configuration path: String) -> Bool { Agent.absolute(path) == configuration }
}
