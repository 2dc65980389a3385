import CrierContent
import CrierNotifications
import Foundation
import GRDB

/// Everything that one fetch leaves behind.
package struct FetchCommit: Sendable {
    /// The state of the source as it is to be from now on.
    package var state: SourceState
    /// The row of the source, where nothing but what each visit writes differs from what is stored there.
    var row: Int64?
    /// Whether it is known what the source had before, at this address and read in this way.
    private var hasBaseline = false
    /// What it rests on; nil where nothing is said about that.
    private var foundation: LastSuccess?
    /// Whether what is remembered under the source's name is another's: of another address, or read so differently that none
    /// of it is known. It is kept under a name that tells until when it was.
    package var startsAnew = false
    /// The items of the document, known ones too; empty where it was not read.
    package var items: [ContentItem]
    /// Those of the items that need not be written; nil is none.
    package var unchanged: UnchangedItems?
    /// The notifications to raise.
    package var requests: [Request]
    /// The sinks they go to.
    package var sinks: [String]
    /// What is remembered as the last day that is accounted for, and when it was, where other sources have told all that the
    /// requests with ``Request/addresses`` tell of: then nothing is raised of them. Nil: what the state says in any case.
    package var dayIfToldByOthers: (day: String?, on: Date?)?
    /// The hashes by which updates of items are told, by identifier; empty where they are not followed.
    package var contentHashes: [String: [UInt8]] = [:]
    /// Those of items as they were, where none was written then, by identifier.
    package var formerHashes: [String: [UInt8]] = [:]
    /// The identifiers of items whose change does not count.
    package var moved: Set<String> = []
    /// The identifiers of those items that conditions leave out and that were never told.
    package var leftOut: Set<String> = []
    /// The mark of these conditions.
    package var conditions: [UInt8]?
    /// The identifiers of items that wait for their day from now on.
    package var held: [String] = []
    /// Those of items that did, and do no longer.
    package var released: [String] = []
    /// The digests that new items wait for, by name.
    package var digests: [String] = []
    /// The identifiers of the items that wait for them, in the order in which they are told.
    package var waiting: [String] = []
    /// What the log says of it; nil is nothing.
    package var visit: FetchVisit?
    /// The host that answered, where the answer changes for how long it is to be left alone.
    package var host: HostState?
    package var date: Date

    package init(
        state: SourceState, items: [ContentItem] = [], requests: [NotificationRequest] = [], sinks: [String] = [],
        date: Date
    ) {
        self.state = state
        self.items = items
        self.requests = requests.map { Request($0) }
        self.sinks = sinks
        self.date = date
    }

    /// Takes note of the state as it was read: what is equal in both is not written again. The new one is complete by then.
    ///
    /// - Parameter before: Nil: nothing was remembered.
    package mutating func compare(with before: SourceState?) {
        foundation = LastSuccess(lastSucceeded: before?.lastSucceeded, bodyHash: before?.bodyHash)
        guard let before else { return }
        row = state.differsAtMostInVisit(from: before) ? before.row.id : nil
        hasBaseline = before.lastSucceeded != nil && before.fingerprint == state.fingerprint
    }
}

extension FetchCommit {
    /// A notification to raise, and how.
    package struct Request: Sendable {
        package let request: NotificationRequest
        /// Where it goes; nil is to the sinks of all.
        package var sinks: [String]?
        /// The item whose earlier notification it takes the place of, if it does.
        package var replacedItem: String?
        /// Whether it is surely not told yet: where its identifier is taken, a number goes behind it.
        package var isNumbered = false
        /// Whether it tells of earlier days than the last that is accounted for.
        package var isLate = false
        /// The addresses that it tells of, where they are to be told once across all sources.
        package var addresses: [String]?

        package init(_ request: NotificationRequest) { self.request = request }
    }

    fileprivate var isWorthNothing: Bool {
        items.isEmpty && requests.isEmpty && waiting.isEmpty && !isFirst && !isPostponed
    }

    /// Whether what is new is told from now on by what was found, were it nothing: of a new source, or of a new address.
    private var isFirst: Bool { state.lastSucceeded == date && !hasBaseline }

    private var isPostponed: Bool { host != nil || state.wishes.refusedUntil.map { $0 > date } == true }

    /// The last successful visit that was known.
    private struct LastSuccess: Sendable {
        let lastSucceeded: Date?
        let bodyHash: [UInt8]?
    }

    /// What is new was told apart from what the source had when the visit began, and all that is remembered of it is written as it was
    /// then. Where another has written meanwhile, both would tell the same, under other names where several items become one notification,
    /// and what that one has noted would be gone.
    ///
    /// - Throws: ``StoreError/Kind/overtaken``.
    fileprivate func checkFoundation(in db: Database) throws {
        // Nearly all visits find nothing, and write no more than that they were made.
        let isVisitAlone = row != nil && visit != nil && items.isEmpty && requests.isEmpty && waiting.isEmpty
        guard let foundation, !isVisitAlone else { return }
        var look = try RawStatement(
            "SELECT lastSucceeded, bodyHash FROM \(SourceColumn.tables) WHERE name = ?", in: db)
        look.bind(state.name)
        // As a date: not each is the same number of milliseconds again.
        let stored = try look.first { ($0.date(0), $0.bytes(1)) }
        guard stored?.0 == foundation.lastSucceeded, stored?.1 == foundation.bodyHash else {
            throw StoreError.overtaken(state.name)
        }
    }
}

/// A class, as a fetch leaves much behind, all of which would be copied with each hand that it passes through.
package final class CommitEntry: Sendable {
    package let fetch: FetchCommit
    /// A visit that found nothing is simply made again. What was read may be gone from the origin by then; made again, the
    /// first visit would take what has come since for old; and an origin that wants to be left alone is to be.
    package let durability: Durability

    package init(_ fetch: consuming FetchCommit) {
        durability = fetch.isWorthNothing ? .process : .powerCut
        self.fetch = fetch
    }
}

extension Store {
    /// The one transaction of a fetch: validators, items, next-fetch date and outbox rows are written together or not at all.
    ///
    /// Notifications whose identifier is in the outbox already are left alone.
    ///
    /// - Throws: ``StoreError``, of the kind ``StoreError/Kind/overtaken`` where another visit of the source was written since the state
    ///   was read with which it was compared (``FetchCommit/compare(with:)``).
    package func commit(_ fetch: FetchCommit) throws(StoreError) {
        try commit([fetch])
    }

    /// The same for fetches that end together: a transaction waits for the disk, however much is in it.
    package func commit(_ fetches: [FetchCommit]) throws(StoreError) {
        try commit(fetches.map(CommitEntry.init))
    }

    /// Writes only that somebody is to be left alone, for a visit that is to leave nothing else behind, or cannot. Another run may
    /// be writing meanwhile, so the state is read in the same transaction.
    ///
    /// - Parameter change: Of what is remembered of the source; an empty state where it was never fetched.
    package func noteRefusal(
        of source: String, by host: HostState?, _ change: @Sendable (inout SourceState) -> Void
    ) throws(StoreError) {
        try write { db in
            if let host { try Self.savePause(of: host, in: db) }
            let before = try Self.states(of: [source], in: db) { $1 }[0] ?? SourceState(name: source)
            var state = before
            change(&state)
            if state != before { _ = try Self.save(state, in: db) }
        }
    }

    /// The same, in one transaction where that goes. What cannot be written in company is written alone, so that each has its
    /// own verdict.
    ///
    /// - Returns: Why an entry could not be written, each in its place; nil where it was.
    package func commit(each entries: [CommitEntry]) -> [StoreError?] {
        do throws(StoreError) {
            try commit(entries)
            return entries.map { _ in nil }
        } catch {
            // A disk that is full and a state that is locked are so for each of them.
            let isOwn = [.failed, .invalidRequest, .overtaken].contains(error.kind)
            guard isOwn, entries.count > 1 else {
                // A host that wants to be left alone is, whoever was faster.
                if error.kind == .overtaken, let host = entries[0].fetch.host { try? notePause(of: host) }
                return entries.map { _ in error }
            }
            return entries.flatMap { commit(each: [$0]) }
        }
    }

    func commit(_ entries: [CommitEntry]) throws(StoreError) {
        CrashPoint.reached(.commitBefore)
        defer { CrashPoint.reached(.commitAfter) }
        let durability: Durability = entries.contains { $0.durability == .powerCut } ? .powerCut : .process
        try write(durability) { db in
            var visits = try VisitStatements(in: db)
            for entry in entries { try Self.save(entry.fetch, &visits, in: db) }
            CrashPoint.reached(.commitEnd)
        }
    }

    /// What each visit runs, looked up once for all that are written together: to look takes a sixth of what it takes to run.
    private struct VisitStatements {
        var update: RawStatement
        var insert: RawStatement

        init(in db: Database) throws {
            update = try RawStatement(SourceColumn.updateVisit, in: db)
            insert = try RawStatement(insertVisit, in: db)
        }
    }

    private static func save(
        _ fetch: FetchCommit, _ visits: inout VisitStatements, in db: Database
    ) throws {
        try fetch.checkFoundation(in: db)
        if fetch.startsAnew { try retire(fetch.state.name, at: fetch.date, in: db) }
        let source: Int64
        if let row = fetch.row, !fetch.startsAnew, try update(row, fetch.state, &visits.update, in: db) {
            source = row
        } else {
            source = try save(fetch.state, in: db)
        }
        if let visit = fetch.visit { try save(visit, of: source, fetch.state, by: &visits.insert) }
        if let host = fetch.host { try savePause(of: host, in: db) }
        CrashPoint.reached(.commitInside)
        try save(fetch, itemsOf: source, in: db)
        try saveHeld(fetch, of: source, in: db)
        for digest in fetch.digests {
            try wait(fetch.waiting, of: source, for: digest, since: fetch.date, in: db)
        }
        var isRaised = fetch.requests.allSatisfy { $0.addresses == nil }
        for raised in fetch.requests {
            let identifier = raised.request.identifier
            let told = try raised.replacedItem.flatMap { try Self.identifier(of: $0, of: source, in: db) }
            // One of the day that others have told, and that was not raised, makes room for this one.
            let isOfDay = fetch.dayIfToldByOthers != nil && raised.addresses != nil && !raised.isLate
            func isToldByOthers(_ identifier: String) throws -> Bool {
                try isOfDay && Self.isToldByOthers(identifier, of: source, in: db)
            }
            let own =
                raised.isNumbered ? try freeIdentifier(identifier, orOne: isToldByOthers, in: db) : identifier
            let isFree = try isToldByOthers(own)
            let notification = try enqueue(
                NotificationRequest(identifier: told ?? own, content: raised.request.content), source: source,
                sinks: raised.sinks ?? fetch.sinks, date: fetch.date,
                replacing: raised.replacedItem != nil || isFree, in: db)
            if let notification, let addresses = raised.addresses {
                try tellOnce(addresses, in: notification, of: source, at: fetch.date, db: db)
            }
            if isOfDay, try !isToldByOthers(own) { isRaised = true }
        }
        if let former = fetch.dayIfToldByOthers, !isRaised {
            try db.execute(
                sql: "UPDATE source SET announcedDay = ?, announcedOn = ? WHERE id = ?",
                arguments: [former.day, former.on?.milliseconds, source])
        }
    }

    /// Writes nothing but the visit. False where the row is gone meanwhile.
    private static func update(
        _ row: Int64, _ state: SourceState, _ statement: inout RawStatement, in db: Database
    ) throws -> Bool {
        try saveVisit(state, of: row, by: &statement)
        return db.changesCount == 1
    }

    static func save(_ state: SourceState, in db: Database) throws -> Int64 {
        // Not with RETURNING, for which SQLite sets up a table in memory: 40,000 instructions, more than all the rest.
        var upsert = try RawStatement(SourceColumn.upsert, in: db)
        try state.bind(SourceColumn.written, to: &upsert)
        try upsert.run()
        guard let id = try id(of: state.name, in: db) else {
            throw DatabaseError(message: "the source was not written")
        }
        var visit = try RawStatement(SourceColumn.upsertVisit, in: db)
        try saveVisit(state, of: id, by: &visit)
        return id
    }

    private static func saveVisit(_ state: SourceState, of id: Int64, by statement: inout RawStatement) throws {
        try state.bind(SourceColumn.visit, to: &statement)
        statement.bind(id)
        try statement.run()
    }
}
