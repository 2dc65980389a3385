import Foundation
import GRDB

/// What led to a fetch.
public enum FetchTrigger: String, Sendable, Hashable, CaseIterable {
    /// Its date had come.
    case schedule
    /// The user asked for it.
    case request
}

/// What is written down of one fetch, beyond the state that it leaves.
public struct FetchVisit: Sendable, Hashable {
    public var trigger: FetchTrigger
    public var begun: Date
    /// Seconds from the request to the verdict, zero or more.
    public var duration: TimeInterval = 0
    /// Of the document, after decompression; 0 where none came.
    public var bytes = 0
    public var newItems = 0

    public init(trigger: FetchTrigger, begun: Date) {
        self.trigger = trigger
        self.begun = begun
    }

    package var end: Date { begun.addingTimeInterval(duration) }

    /// A clock that was set back meanwhile says nothing.
    public mutating func end(at date: Date) { duration = max(0, date.timeIntervalSince(begun)) }
}

/// One line of the log.
public struct LogEntry: Sendable, Hashable {
    /// What has happened.
    public enum Event: Sendable, Hashable {
        case fetch(FetchVisit, BackgroundFetchResult, status: Int?, failure: String?)
        /// The attempt that ended a delivery.
        case delivery(title: String, sink: String, Delivery.State, reason: String?)
        /// One that did not work.
        case attempt(title: String, sink: String, number: Int, reason: String)
        /// The agent woke up.
        case wake(WakeReason)
    }

    public let date: Date
    /// Nil for notifications of no source, and for wake-ups.
    public let source: String?
    public let event: Event
}

extension Store {
    /// The latest fetches, attempts to deliver and wake-ups, oldest first.
    ///
    /// - Parameters:
    ///   - source: Of which, without wake-ups; nil is of all.
    ///   - limit: How many; less than zero is none.
    ///   - now: What is of a later moment was written by a clock that was ahead, and counts as the oldest.
    public func log(
        of source: String? = nil, limit: Int = 50, now: Date = .distantFuture
    ) throws(StoreError) -> [LogEntry] {
        try read { db in
            let id = try source.map { try Self.id(of: $0, in: db) ?? -1 }
            let wakes = id == nil ? try Self.wakes(limit, in: db) : []
            let entries = try wakes + Self.visits(of: id, limit, in: db) + Self.attempts(of: id, limit, now, in: db)
            func age(of entry: LogEntry) -> Int { entry.date > now ? 0 : 1 }
            // A delivery follows the fetch of the same moment, and that the wake-up.
            return entries.enumerated().sorted {
                (age(of: $0.element), $0.element.date, $0.offset) < (age(of: $1.element), $1.element.date, $1.offset)
            }.suffix(max(0, limit)).map(\.element)
        }
    }

    /// Oldest first. The table has no index: a visit is written a thousand times for each time it is looked at.
    private static func visits(of source: Int64?, _ limit: Int, in db: Database) throws -> [LogEntry] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT fetch.*, source.name FROM fetch JOIN source ON source.id = fetch.source
                WHERE ?1 IS NULL OR fetch.source = ?1 ORDER BY fetch.id DESC LIMIT ?2
                """, arguments: [source, limit]
        ).reversed().compactMap(LogEntry.init(fetch:))
    }

    private static func attempts(
        of source: Int64?, _ limit: Int, _ now: Date, in db: Database
    ) throws -> [LogEntry] {
        // Whose they are is known of their notifications only.
        let latest = source == nil ? "ORDER BY date > ?3, date DESC LIMIT ?2" : ""
        return try Row.fetchAll(
            db,
            sql: """
                SELECT event.*, source.name, json_extract(content, '$.title') AS title FROM (
                    SELECT * FROM (
                        SELECT attempt.ended AS date, attempt.number, attempt.reason, NULL AS state, sink, notification
                        FROM attempt JOIN delivery ON delivery.id = attempt.delivery \(latest)
                    ) UNION ALL SELECT * FROM (
                        SELECT ended AS date, NULL, lastError, state, sink, notification
                        FROM delivery WHERE ended IS NOT NULL \(latest)
                    )
                ) AS event JOIN notification ON notification.id = event.notification
                LEFT JOIN source ON source.id = notification.source
                WHERE ?1 IS NULL OR notification.source = ?1 ORDER BY date > ?3, date DESC, event.state IS NULL LIMIT ?2
                """, arguments: [source, limit, now.milliseconds]
        ).reversed().map(LogEntry.init(attempt:))
    }

    static let insertVisit = """
        INSERT INTO fetch (source, begun, cause, result, status, failure, newItems, duration, bytes)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// - Parameter insert: Of ``insertVisit``.
    static func save(
        _ visit: FetchVisit, of source: Int64, _ state: SourceState, by insert: inout RawStatement
    ) throws {
        insert.bind(source)
        insert.bind(visit.begun)
        insert.bind(visit.trigger.rawValue)
        insert.bind((state.lastResult ?? .noData).rawValue)
        insert.bind(state.lastStatus)
        insert.bind(state.failure?.description)
        insert.bind(visit.newItems)
        insert.bind(Int64(min(max(0, visit.duration), 1e9) * 1000))
        insert.bind(visit.bytes)
        try insert.run()
    }
}

extension LogEntry {
    fileprivate init?(fetch row: Row) throws {
        guard let trigger = FetchTrigger(rawValue: try row.decode(forColumn: "cause")),
            let result = BackgroundFetchResult(rawValue: try row.decode(forColumn: "result"))
        else { return nil }
        var visit = FetchVisit(trigger: trigger, begun: Date(milliseconds: try row.decode(forColumn: "begun")))
        visit.duration = Double(try row.decode(Int64.self, forColumn: "duration")) / 1000
        visit.bytes = try row.decode(forColumn: "bytes")
        visit.newItems = try row.decode(forColumn: "newItems")
        self.init(
            date: visit.begun, source: try row.decode(forColumn: "name"),
            event: .fetch(
                visit, result, status: try row.decode(forColumn: "status"),
                failure: try row.decode(forColumn: "failure")))
    }

    fileprivate init(attempt row: Row) throws {
        let title = try row.decode(String?.self, forColumn: "title") ?? ""
        let sink: String = try row.decode(forColumn: "sink")
        let reason: String? = try row.decode(forColumn: "reason")
        let event: Event
        if let state = try row.decode(String?.self, forColumn: "state").flatMap(Delivery.State.init(rawValue:)) {
            event = .delivery(title: title, sink: sink, state, reason: reason)
        } else {
            let number = try row.decode(Int?.self, forColumn: "number") ?? 0
            event = .attempt(title: title, sink: sink, number: number, reason: reason ?? "")
        }
        self.init(
            date: Date(milliseconds: try row.decode(forColumn: "date")), source: try row.decode(forColumn: "name"),
            event: event)
    }
}
