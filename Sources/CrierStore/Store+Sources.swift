import CrierContent
import Foundation
import GRDB

extension Store {
    /// What is remembered of a source; an empty state where it was never fetched.
    public func state(of source: String) throws(StoreError) -> SourceState {
        try states(of: [source]) { _, state in state ?? SourceState(name: source) }[0]
    }

    /// Makes something of what is remembered of each of the sources, at once, as thousands of states are much to hold.
    ///
    /// - Parameter make: Called with the place of each source, in their order, and its state: nil where it was never fetched.
    package func states<T: Sendable>(
        of sources: [String], _ make: @Sendable (Int, consuming SourceState?) -> T
    ) throws(StoreError) -> [T] {
        try read { db in try Self.states(of: sources, in: db, make) }
    }

    static func states<T>(
        of sources: [String], in db: Database, _ make: (Int, consuming SourceState?) -> T
    ) throws -> [T] {
        var statement = try RawStatement(SourceColumn.selectNamed, in: db)
        statement.bind(StoredJSON.list(sources))
        var made: [T] = []
        made.reserveCapacity(sources.count)
        try statement.rows { row in made.append(make(made.count, SourceState(row))) }
        return made
    }

    /// What is remembered of every source that was ever fetched, by name.
    public func states() throws(StoreError) -> [String: SourceState] {
        try read { db in
            var states: [String: SourceState] = [:]
            var statement = try RawStatement(SourceColumn.select, in: db)
            try statement.rows { row in
                if let state = SourceState(row) { states[state.name] = state }
            }
            return states
        }
    }

    /// What is remembered of the sources that an origin wants to be left alone, or wanted to be.
    package func refusedStates() throws(StoreError) -> [SourceState] {
        try read { db in
            var states: [SourceState] = []
            var statement = try RawStatement("\(SourceColumn.select) WHERE wishes LIKE '%refusedUntil%'", in: db)
            try statement.rows { row in if let state = SourceState(row) { states.append(state) } }
            return states
        }
    }

    /// Sets the dates of next visits, each with the rule that says so, in words. Of what was never fetched nothing is written.
    package func reschedule(
        _ visits: [(source: String, date: Date, reason: String)]
    ) throws(StoreError) {
        // Where that is lost, they come when they would have.
        try write(.process) { db in
            var statement = try RawStatement(
                "UPDATE visit SET nextFetch = ?, nextFetchReason = ? WHERE source = (SELECT id FROM source WHERE name = ?)",
                in: db)
            for visit in visits {
                statement.bind(visit.date)
                statement.bind(visit.reason)
                statement.bind(visit.source)
                try statement.run()
            }
        }
    }

    /// When a visit last succeeded, of whichever source.
    public func lastSuccess() throws(StoreError) -> Date? {
        try read { db in
            try Int64.fetchOne(db, sql: "SELECT max(lastSucceeded) FROM visit").map(Date.init(milliseconds:))
        }
    }

    /// The key of a source's row; nil where it was never fetched.
    static func id(of source: String, in db: Database) throws -> Int64? {
        var statement = try RawStatement("SELECT id FROM source WHERE name = ?", in: db)
        statement.bind(source)
        return try statement.first { $0.number(0) } ?? nil
    }

    /// How many hosts were visited since a date, and how many of them fail: all their sources did at their last visit. Of those that have
    /// failed since more than a day before it, nothing is said.
    public func hosts(visitedSince date: Date) throws(StoreError) -> (visited: Int, failing: Int) {
        try read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT count(*) AS visited, coalesce(sum(fails), 0) AS failing FROM (
                        SELECT min(failures > 0) AS fails, max(failingSince) AS since FROM \(SourceColumn.tables)
                        WHERE host IS NOT NULL AND lastFetched >= ?1 GROUP BY host)
                    WHERE NOT fails OR since >= ?2
                    """, arguments: [date.milliseconds, date.addingTimeInterval(-86_400).milliseconds])
            return (try row?.decode(forColumn: "visited") ?? 0, try row?.decode(forColumn: "failing") ?? 0)
        }
    }

    /// How many items of the source have changed so often, and are not gone from its document.
    ///
    /// - Parameter date: Of the document, see ``ItemSighting``.
    package func itemCount(
        of source: String, changedAtLeast times: Int, since date: Date
    ) throws(StoreError) -> Int {
        try read { db in
            let sql = """
                SELECT count(*) FROM item
                WHERE source = (SELECT id FROM source WHERE name = ?) AND updates >= ? AND lastSeen >= ?
                """
            return try Int.fetchOne(db, sql: sql, arguments: [source, times, date.milliseconds]) ?? 0
        }
    }

    /// How many items of the source are stored.
    public func itemCount(of source: String) throws(StoreError) -> Int {
        try read { db in
            let sql = "SELECT count(*) FROM item WHERE source = (SELECT id FROM source WHERE name = ?)"
            return try Int.fetchOne(db, sql: sql, arguments: [source]) ?? 0
        }
    }
}

extension Store {
    /// When a document of the source had items last, known to less than a day before it; nil where none ever had.
    package func lastSighting(of source: String) throws(StoreError) -> Date? {
        try moment("max(lastSeen)", ofItemsOf: source)
    }

    /// When the first of what is stored of the source was seen; nil where nothing is.
    package func firstSighting(of source: String) throws(StoreError) -> Date? {
        try moment("min(firstSeen)", ofItemsOf: source)
    }

    /// What a document of the source had since a date, see ``ItemSighting``: how many items, and the earliest of their own dates.
    package func document(of source: String, since date: Date) throws(StoreError) -> (count: Int, earliest: Date?) {
        try read { db in
            let sql = """
                SELECT count(*), min(coalesce(published, updated)) FROM item
                WHERE source = (SELECT id FROM source WHERE name = ?) AND lastSeen >= ?
                """
            let row = try Row.fetchOne(db, sql: sql, arguments: [source, date.milliseconds])
            let earliest = try row?.decode(Int64?.self, atIndex: 1) ?? nil
            return (try row?.decode(atIndex: 0) ?? 0, earliest.map(Date.init(milliseconds:)))
        }
    }

    /// How many items of the source came out before a date and have left its document before another.
    package func itemCount(
        of source: String, dated date: Date, lastSeenBefore end: Date
    ) throws(StoreError) -> Int {
        try read { db in
            let sql = """
                SELECT count(*) FROM item WHERE source = (SELECT id FROM source WHERE name = ?)
                AND coalesce(published, updated) < ? AND lastSeen < ?
                """
            return try Int.fetchOne(db, sql: sql, arguments: [source, date.milliseconds, end.milliseconds]) ?? 0
        }
    }

    /// The dates of what is stored of the source, to the millisecond, but for what was left out and never told; those of first sight
    /// where an item says none.
    ///
    /// - Parameter range: Within which they are.
    package func itemDates(of source: String, in range: Range<Date>) throws(StoreError) -> [Date] {
        try read { db in
            try Int64.fetchAll(
                db,
                sql: """
                    SELECT coalesce(published, updated, firstSeen) AS date FROM item
                    WHERE source = (SELECT id FROM source WHERE name = ?) AND date >= ? AND date < ? AND leftOut IS NULL
                    """, arguments: [source, range.lowerBound.milliseconds, range.upperBound.milliseconds]
            ).map(Date.init(milliseconds:))
        }
    }

    private func moment(_ column: String, ofItemsOf source: String) throws(StoreError) -> Date? {
        try read { db in
            try Int64.fetchOne(
                db, sql: "SELECT \(column) FROM item WHERE source = (SELECT id FROM source WHERE name = ?)",
                arguments: [source]
            ).map(Date.init(milliseconds:))
        }
    }
}

extension ContentItem {
    init(_ row: Row) throws {
        let details = try row.decode(String?.self, forColumn: "details").flatMap {
            try? JSONDecoder().decode(ItemDetails.self, from: Data($0.utf8))
        }
        self.init(
            identifier: try row.decode(forColumn: "identifier"), title: try row.decode(forColumn: "title"),
            url: try row.decode(forColumn: "url"), published: try row.date("published"),
            updated: try row.date("updated"), summary: try row.decode(forColumn: "summary"), content: details?.content,
            authors: details?.authors ?? [], attachments: details?.attachments ?? [],
            categories: details?.categories ?? [], image: details?.image, commentsURL: details?.commentsURL,
            externalURL: details?.externalURL, sourceTitle: details?.sourceTitle)
    }
}

extension Row {
    func date(_ column: String) throws -> Date? {
        try decode(Int64?.self, forColumn: column).map(Date.init(milliseconds:))
    }
}

extension Date {
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// As it is read from the store: the beginning of its millisecond.
    package var asStored: Date { Date(milliseconds: milliseconds) }

    /// Since 1970, of the nearest moment of the years 1 to 9999.
    package var milliseconds: Int64 { Int64((boundedSince1970 * 1000).rounded(.down)) }
}
