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
    /// The sinks of those requests that go elsewhere, by identifier.
    public var routes: [String: [String]] = [:]
    /// The identifiers of those requests that take the place of an earlier one.
    public var replacements: Set<String> = []
    /// The addresses that each request tells of, by identifier, where they are to be told once across all sources.
    public var addresses: [String: [String]] = [:]
    /// The hashes by which updates of items are told, by identifier; empty where they are not followed.
    public var contentHashes: [String: [UInt8]] = [:]
    /// The digests that new items wait for, by name.
    public var digests: [String] = []
    /// The identifiers of the items that wait for them, in the order in which they are told.
    public var waiting: [String] = []
    /// What the log says of it; nil is nothing.
    public var visit: FetchVisit?
    /// The host that answered, where the answer changes for how long it is to be left alone.
    public var host: HostState?
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
        try commit([fetch]).first ?? 0
    }

    /// The same for fetches that end together: a transaction waits for the disk, however much is in it.
    @discardableResult
    public func commit(_ fetches: [FetchCommit]) throws(StoreError) -> [Int] {
        CrashPoint.reached(.commitBefore)
        defer { CrashPoint.reached(.commitAfter) }
        return try write { db in
            let counts = try fetches.map { try Self.save($0, in: db) }
            CrashPoint.reached(.commitEnd)
            return counts
        }
    }

    private static func save(_ fetch: FetchCommit, in db: Database) throws -> Int {
        let source = try save(fetch.state, in: db)
        if let visit = fetch.visit { try save(visit, of: source, fetch.state, in: db) }
        if let host = fetch.host { try savePause(of: host, in: db) }
        CrashPoint.reached(.commitInside)
        for item in fetch.items {
            try save(item, hash: fetch.contentHashes[item.identifier], of: source, seen: fetch.date, in: db)
        }
        for digest in fetch.digests {
            try wait(fetch.waiting, of: source, for: digest, since: fetch.date, in: db)
        }
        var enqueued = 0
        for request in fetch.requests {
            let isNew = try enqueue(
                request, source: source, sinks: fetch.routes[request.identifier] ?? fetch.sinks, date: fetch.date,
                replacing: fetch.replacements.contains(request.identifier), in: db)
            if isNew { enqueued += 1 }
            if isNew, let addresses = fetch.addresses[request.identifier] {
                try tellOnce(addresses, of: request, at: fetch.date, in: db)
            }
        }
        return enqueued
    }

    private static func save(_ state: SourceState, in db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(sql: SourceColumn.upsert)
        guard let id = try Int64.fetchOne(statement, arguments: StatementArguments(try state.values())) else {
            throw DatabaseError(message: "the source was not written")
        }
        return id
    }

    private static func save(
        _ item: ContentItem, hash: [UInt8]?, of source: Int64, seen: Date, in db: Database
    ) throws {
        let details = try ItemDetails(item).map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO item (source, identifier, title, url, published, updated, summary, details, firstSeen, lastSeen,
                    contentHash)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (source, identifier) DO UPDATE SET
                    title = excluded.title, url = excluded.url, published = excluded.published, updated = excluded.updated,
                    summary = excluded.summary, details = excluded.details, lastSeen = excluded.lastSeen,
                    updates = updates + coalesce(contentHash <> excluded.contentHash, 0),
                    contentHash = excluded.contentHash
                """)
        try statement.execute(arguments: [
            source, item.identifier, item.title, item.url, item.published?.milliseconds, item.updated?.milliseconds,
            item.summary, details, seen.milliseconds, seen.milliseconds, hash.map { Data($0) },
        ])
    }
}
