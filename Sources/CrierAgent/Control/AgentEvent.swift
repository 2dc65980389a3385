import CrierDelivery
import CrierNotifications
import CrierProcess
import Foundation

/// One line of what the agent says while it is listened to: exactly one member is there, but for ``status``.
public struct AgentEvent: Sendable, Hashable, Codable {
    /// A notification is raised here and now.
    public var raised: RaisedNotification?
    /// A visit that was asked for has ended.
    public var visited: VisitAccount?
    /// The run that was asked for has ended; nothing comes after it.
    public var ended: RunAccount?
    /// What was asked for cannot be done: one sentence; nothing comes after it.
    public var refused: String?
    /// What a command that is refused ends with, as it would by itself (sysexits.h); nil where that is for it to say, and from an
    /// agent that does not tell.
    public var status: Int32?

    static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    /// JSON and a line end.
    func line() throws -> Data { try JSONEncoder.ofLines.encode(self) + [0x0a] }
}

/// A notification, with what a sink has to know of it.
public struct RaisedNotification: Sendable, Hashable, Codable {
    /// The sink of the configuration that it was for.
    public let sink: String
    public let identifier: String
    public let content: NotificationContent
    public let revision: Int
    public let created: Date
    /// What the agent waits for until it is told whether it was shown; nil: nothing.
    var receipt: Int?

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
    /// Whether cron or a timer asks for it rather than a person.
    public var scheduled: Bool
    /// Whether the time budget of each fetch ends at once.
    public var expires: Bool
    /// Whether who asks says of each notification whether it was shown (``RaisedNotification/receipt``).
    var confirms = false

    public init(sources: [String], force: Bool, scheduled: Bool = false, expires: Bool = false) {
        self.sources = sources
        self.force = force
        self.scheduled = scheduled
        self.expires = expires
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        sources = try members.decodeIfPresent([String].self, forKey: .sources) ?? []
        force = try members.decodeIfPresent(Bool.self, forKey: .force) ?? false
        scheduled = try members.decodeIfPresent(Bool.self, forKey: .scheduled) ?? false
        expires = try members.decodeIfPresent(Bool.self, forKey: .expires) ?? false
        confirms = try members.decodeIfPresent(Bool.self, forKey: .confirms) ?? false
    }

    public var selection: OneShot.Selection {
        if force { return sources.isEmpty ? .all : .named }
        return sources.isEmpty ? .due : .dueAmongNamed
    }
}

/// Who the agent is.
public struct AgentDescription: Sendable, Hashable, Codable {
    public let version: String
    public let process: Int32
    public let configuration: String
    public let state: String

    private var who: String { "the agent (process \(process))" }

    /// That it works with another configuration than the one of a path, whatever links lead to it, as a clause; nil where it does not.
    public func otherness(from path: String) -> String? {
        if SymbolicLinks.resolved(path) == configuration { return nil }
        return "\(who) works with another configuration, \(configuration)"
    }

    /// Whether the program that it runs was removed, and no other is in its place.
    public var isProgramGone: Bool { formerProgram.map { !FileManager.default.fileExists(atPath: $0) } ?? false }

    /// The path at which its program was; nil where it is there still, or the system does not tell (proc_pid_exe(5)).
    private var formerProgram: String? {
        let mark = " (deleted)"
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe"),
            path.hasSuffix(mark)
        else { return nil }
        return String(path.dropLast(mark.count))
    }

    /// That another program is installed by now than the one that it runs, or none, as a clause; nil where nothing says so.
    public var outdatedness: String? {
        if isProgramGone { return "\(who) runs a program that is not there any more" }
        if version != CrierVersion.number {
            return "\(who) is of version \(version), and this is \(CrierVersion.number)"
        }
        return formerProgram.map { _ in "\(who) still runs the program that was there before an update" }
    }
}
