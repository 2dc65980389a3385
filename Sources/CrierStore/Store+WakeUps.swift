import Foundation
import GRDB
import Synchronization

/// Why the agent woke up.
public enum WakeReason: String, Sendable, Hashable, CaseIterable {
    /// The date of a source, or of a digest, had come.
    case schedule
    /// The date of a delivery had come.
    case delivery
    /// A route has come or gone.
    case network
    /// The machine had slept.
    case resume
    /// The clock was set.
    case clock
    /// The machine's time zone has changed.
    case timeZone
    /// The configuration file was written, or is to be read again.
    case configuration
    /// Somebody has asked for a run.
    case request
    /// Another command has changed the state.
    case command
}

/// One moment at which the agent woke up.
public struct WakeUp: Sendable, Hashable {
    public let date: Date
    public let reason: WakeReason

    public init(_ reason: WakeReason, at date: Date) {
        self.date = date
        self.reason = reason
    }
}

/// Wake-ups that are not written down yet.
final class WakeUpNotes: Sendable {
    /// Of those that nothing was written after.
    private static let most = 1000
    private let notes = Mutex<[WakeUp]>([])

    func add(_ wakes: [WakeUp]) {
        notes.withLock { notes in
            notes = (notes + wakes).suffix(Self.most)
        }
    }

    /// What was taken and could not be written: it came before what was added meanwhile.
    func putBack(_ wakes: [WakeUp]) {
        notes.withLock { notes in
            notes = (wakes + notes).suffix(Self.most)
        }
    }

    func take() -> [WakeUp] {
        notes.withLock { notes in
            defer { notes = [] }
            return notes
        }
    }
}

extension Store {
    /// Keeps a wake-up for the log. It is written down together with what is written next, since a wake-up that leads to
    /// nothing is not worth a write of its own.
    public func note(_ wake: WakeUp) { notes.add([wake]) }

    /// Writes down what was noted and has not gone with anything else.
    public func writeNotes() throws(StoreError) {
        try write { _ in }
    }

    static func save(_ wakes: [WakeUp], in db: Database) throws {
        guard !wakes.isEmpty else { return }
        let statement = try db.cachedStatement(sql: "INSERT INTO wake (date, reason) VALUES (?, ?)")
        for wake in wakes { try statement.execute(arguments: [wake.date.milliseconds, wake.reason.rawValue]) }
    }

    /// Oldest first.
    static func wakes(_ limit: Int, in db: Database) throws -> [LogEntry] {
        try Row.fetchAll(
            db, sql: "SELECT date, reason FROM wake ORDER BY id DESC LIMIT ?", arguments: [limit]
        ).reversed().compactMap { row in
            guard let reason = WakeReason(rawValue: try row.decode(forColumn: "reason")) else { return nil }
            return LogEntry(
                date: Date(milliseconds: try row.decode(forColumn: "date")), source: nil, event: .wake(reason))
        }
    }
}
