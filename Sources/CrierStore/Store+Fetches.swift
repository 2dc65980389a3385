import CrierContent
import CrierNotifications
import Foundation
import GRDB

/// Everything that one fetch leaves behind.
public struct FetchCommit: Sendable {
    /// The state of the source as it is to be from now on.
    public var state: SourceState
    /// The items of the document, known ones too; empty where it was not read.
    public var items: [ContentItem]
    /// The notifications to raise.
    public var requests: [NotificationRequest]
    /// The sinks they go to.
    public var sinks: [String]
    public var date: Date

    public init(
        state: SourceState, items: [ContentItem] = [], requests: [NotificationRequest] = [], sinks: [String] = [],
        date: Date
    ) {
        self.state = state
        self.items = items
        self.requests = requests
        self.sinks = sinks
        self.date = date
    }
}

extension Store {
    /// The one transaction of a fetch: validators, items, next-fetch date and outbox rows are written together or not at all.
    ///
    /// - Returns: How many notifications were new to the outbox; those whose identifier is there already are left alone.
    @discardableResult
    public func commit(_ fetch: FetchCommit) throws(StoreError) -> Int {
        try write { db in
            let source = try Self.save(fetch.state, in: db)
            try Self.save(fetch.state.wishes, of: source, in: db)
            for item in fetch.items { try Self.save(item, of: source, seen: fetch.date, in: db) }
            var enqueued = 0
            for request in fetch.requests {
                let isNew = try Self.enqueue(request, source: source, sinks: fetch.sinks, date: fetch.date, in: db)
                if isNew { enqueued += 1 }
            }
            return enqueued
        }
    }

    /// The last-notified date is not written here: it moves when a sink accepts (``finish(_:with:at:)``).
    private static func save(_ state: SourceState, in db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO source (name, fingerprint, visited, etag, lastModified, bodyHash, lastFetched, lastSucceeded, lastResult,
                    lastStatus, failure, failureStage, failures, failingSince, nextFetch, nextFetchReason, upcoming, announcedDay)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET
                    fingerprint = excluded.fingerprint, visited = excluded.visited, etag = excluded.etag, lastModified = excluded.lastModified,
                    bodyHash = excluded.bodyHash, lastFetched = excluded.lastFetched, lastSucceeded = excluded.lastSucceeded,
                    lastResult = excluded.lastResult, lastStatus = excluded.lastStatus, failure = excluded.failure,
                    failureStage = excluded.failureStage, failures = excluded.failures, failingSince = excluded.failingSince,
                    nextFetch = excluded.nextFetch, nextFetchReason = excluded.nextFetchReason, upcoming = excluded.upcoming,
                    announcedDay = excluded.announcedDay
                RETURNING id
                """)
        let arguments: StatementArguments = [
            state.name, state.fingerprint.map { Data($0) }, state.visited.map { Data($0) }, state.etag.map { Data($0) },
            state.lastModified.map { Data($0) },
            state.bodyHash.map { Data($0) }, state.lastFetched?.milliseconds, state.lastSucceeded?.milliseconds,
            state.lastResult?.rawValue, state.lastStatus, state.failure?.cause, state.failure?.stage.rawValue,
            state.failures, state.failingSince?.milliseconds, state.nextFetch?.milliseconds, state.nextFetchReason,
            state.upcoming?.milliseconds, state.announcedDay,
        ]
        guard let id = try Int64.fetchOne(statement, arguments: arguments) else {
            throw DatabaseError(message: "the source was not written")
        }
        return id
    }

    private static func save(_ item: ContentItem, of source: Int64, seen: Date, in db: Database) throws {
        let details = try ItemDetails(item).map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO item (source, identifier, title, url, published, updated, summary, details, firstSeen, lastSeen)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (source, identifier) DO UPDATE SET
                    title = excluded.title, url = excluded.url, published = excluded.published, updated = excluded.updated,
                    summary = excluded.summary, details = excluded.details, lastSeen = excluded.lastSeen
                """)
        try statement.execute(arguments: [
            source, item.identifier, item.title, item.url, item.published?.milliseconds, item.updated?.milliseconds,
            item.summary, details, seen.milliseconds, seen.milliseconds,
        ])
    }

    /// The one insert into the outbox, behind both its doors. False where the identifier is there already.
    static func enqueue(
        _ request: NotificationRequest, source: Int64?, sinks: [String], date: Date, in db: Database
    ) throws -> Bool {
        let content = String(decoding: try JSONEncoder().encode(request.content), as: UTF8.self)
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO notification (identifier, source, content, created) VALUES (?, ?, ?, ?)
                ON CONFLICT (identifier) DO NOTHING RETURNING id
                """)
        let arguments: StatementArguments = [request.identifier, source, content, date.milliseconds]
        guard let id = try Int64.fetchOne(insert, arguments: arguments) else { return false }
        let deliver = try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO delivery (notification, sink, state, nextAttempt) VALUES (?, ?, 'pending', ?)")
        for sink in sinks { try deliver.execute(arguments: [id, sink, date.milliseconds]) }
        return true
    }
}
