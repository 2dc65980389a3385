import CrierContent
import Foundation
import GRDB

/// What is stored of a document's items.
package struct KnownItems: Sendable, Hashable {
    /// The identifiers of those that the source has had before.
    package var identifiers: Set<String> = []
    /// What is known of those whose updates are followed, by identifier.
    package var contents: [String: KnownContent] = [:]
    /// Nil: none.
    package var unchanged: UnchangedItems?
    /// The mark of the conditions that leave out those which were never told, by identifier.
    package fileprivate(set) var leftOut: [String: [UInt8]] = [:]
    /// The hashes of those whose updates were not followed before, as they are stored, by identifier.
    package fileprivate(set) var formerHashes: [String: [UInt8]] = [:]
    /// Whether one of those that are known has the address or the title that it had, or may have.
    fileprivate var isRecognized = false

    package init() {}

    /// Takes note of an item that was stored under another identifier.
    package mutating func insert(_ identifier: String) {
        identifiers.insert(identifier)
        isRecognized = true
    }

    /// Whether none of a document's items is one of those that are known: an identifier may be another's by chance.
    package var areOthers: Bool { !isRecognized }
}

/// Which of a document's items are stored as they stand there, and were seen within a day: nothing is to be written of those.
/// Of one that is told by its address it is always written when it was seen, as by that a date that moves is known.
package struct UnchangedItems: Sendable, Hashable {
    /// The row of the source whose items they are.
    fileprivate let source: Int64
    /// For each item of the document.
    fileprivate(set) var flags: [Bool]

    /// - Parameter place: In the document, of an item that is to be written all the same.
    package mutating func remove(_ place: Int) { flags[place] = false }
}

/// How a known item was when it was last read.
package struct KnownContent: Sendable, Hashable {
    package let hash: [UInt8]
    /// How often it has changed.
    package let updates: Int
    package let url: String?
}

/// How exactly it is known when an item was last seen: to less than a day.
package enum ItemSighting {
    static let milliseconds: Int64 = 86_400_000 - 1
    /// In seconds.
    package static let accuracy = Double(milliseconds) / 1000
}

/// Stored items are looked up, never loaded.
extension Store {
    /// Those of the identifiers that the source has had before.
    public func knownIdentifiers(of source: String, among identifiers: [String]) throws(StoreError) -> Set<String> {
        try read { db in
            guard let id = try Self.id(of: source, in: db) else { return [] }
            var lookUp = try ItemLookUp("1", in: db)
            var known = Set<String>()
            try lookUp.rows(of: id, named: identifiers) { _, place in known.insert(identifiers[place]) }
            return known
        }
    }

    /// What the source has had before of a document's items, of which those that share an identifier are equal.
    ///
    /// - Parameters:
    ///   - date: Of the visit.
    ///   - contentHash: By which updates of an item are told; nil where they are not followed.
    ///   - formerHash: The same of an item as it is stored, where none was written with it. That comes second, with no more than
    ///     title, address and texts.
    package func known(
        _ items: [ContentItem], of source: String, at date: Date,
        contentHash: @Sendable (ContentItem) -> [UInt8]? = { _ in nil },
        formerHash: @Sendable (ContentItem, ContentItem) -> [UInt8]? = { _, _ in nil }
    ) throws(StoreError) -> KnownItems {
        try read { db in
            guard let id = try Self.id(of: source, in: db) else { return KnownItems() }
            var known = KnownItems()
            known.identifiers.reserveCapacity(items.count)
            var unchanged = UnchangedItems(source: id, flags: Array(repeating: true, count: items.count))
            // The first of several copies stands for all.
            var seen = Set<String>(minimumCapacity: items.count)
            let firsts = items.indices.filter { seen.insert(items[$0].identifier).inserted }
            for place in firsts { unchanged.flags[place] = false }
            var lookUp = try ItemLookUp(Self.lookedUp, in: db)
            try lookUp.rows(of: id, named: firsts.map { items[$0].identifier }) { row, index in
                let place = firsts[index]
                let item = items[place]
                let hash = contentHash(item)
                known.identifiers.insert(item.identifier)
                if !known.isRecognized { known.isRecognized = row.mayBe(item) }
                if let conditions = row.bytes(9) { known.leftOut[item.identifier] = conditions }
                let before = row.content
                if let before {
                    known.contents[item.identifier] = before
                } else if hash != nil, let former = formerHash(item, row.item) {
                    known.contents[item.identifier] = KnownContent(hash: former, updates: row.updates, url: row.url)
                    known.formerHashes[item.identifier] = former
                }
                unchanged.flags[place] = try before?.hash == hash && row.holds(item, seenBefore: date)
            }
            known.unchanged = unchanged
            return known
        }
    }

    private static let lookedUp =
        "title, url, published, updated, summary, details, lastSeen, contentHash, updates, leftOut"

    static let saveItem = """
        INSERT INTO item (source, identifier, title, url, published, updated, summary, details, firstSeen, lastSeen,
            contentHash, leftOut)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?12)
        ON CONFLICT (source, identifier) DO UPDATE SET
            title = excluded.title, url = excluded.url,
            published = excluded.published, updated = excluded.updated,
            summary = excluded.summary, details = excluded.details, lastSeen = excluded.lastSeen,
            updates = updates + coalesce(coalesce(contentHash, ?11) <> excluded.contentHash, 0) * ?13,
            contentHash = excluded.contentHash, leftOut = excluded.leftOut
        """

    static func save(_ fetch: FetchCommit, itemsOf source: Int64, in db: Database) throws {
        guard !fetch.items.isEmpty else { return }
        var insert = try RawStatement(saveItem, in: db)
        // Of a source whose row was made since they were looked up, none is stored; and they are told by their places.
        let unchanged = fetch.unchanged.flatMap { unchanged in
            unchanged.source == source && unchanged.flags.count == fetch.items.count ? unchanged.flags : nil
        }
        var seen = Set<String>(minimumCapacity: fetch.items.count)
        for (index, item) in fetch.items.enumerated() {
            guard seen.insert(item.identifier).inserted, unchanged?[index] != true else { continue }
            insert.bind(source)
            insert.bind(item.identifier)
            insert.bind(item.title)
            insert.bind(item.url)
            insert.bind(item.published)
            insert.bind(item.updated)
            insert.bind(item.summary)
            try insert.bind(ItemDetails(item)?.json())
            insert.bind(fetch.date)
            insert.bind(fetch.contentHashes[item.identifier])
            insert.bind(fetch.formerHashes[item.identifier])
            insert.bind(fetch.leftOut.contains(item.identifier) ? fetch.conditions : nil)
            insert.bind(fetch.moved.contains(item.identifier) ? 0 : 1)
            try insert.run()
        }
    }
}

/// A row of a known item.
extension RawRow {
    fileprivate var content: KnownContent? { bytes(7).map { KnownContent(hash: $0, updates: updates, url: url) } }

    fileprivate var url: String? { text(1) }

    fileprivate var updates: Int { Int(number(8) ?? 0) }

    /// What makes a reader look again.
    fileprivate var item: ContentItem {
        let details = text(5).flatMap { try? JSONDecoder().decode(ItemDetails.self, from: Data($0.utf8)) }
        return ContentItem(title: text(0), url: url, summary: text(4), content: details?.content)
    }

    /// Whether the item has an address or a title of those that are stored, or none of them is kept any longer.
    fileprivate func mayBe(_ item: ContentItem) -> Bool {
        let (title, url) = (text(0), text(1))
        if title == nil, url == nil { return true }
        return title != nil && title == item.title || url != nil && url == item.url
    }

    /// Whether the item is stored as it stands, in all that is written of it, and was seen within a day.
    fileprivate func holds(_ item: ContentItem, seenBefore date: Date) throws -> Bool {
        let now = date.milliseconds
        guard let seen = number(6), seen <= now, now - seen <= ItemSighting.milliseconds else { return false }
        if item.isToldByAddress { return false }
        return try number(2) == item.published?.milliseconds && number(3) == item.updated?.milliseconds
            && holds(item.title, in: 0) && holds(item.url, in: 1) && holds(item.summary, in: 4)
            && holds(ItemDetails(item)?.json(), in: 5)
    }
}

extension Store {
    /// When items came out, by source, as far as their documents say so: those dated since a date.
    public func publications(since date: Date, until end: Date) throws(StoreError) -> [String: [Date]] {
        try read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT source.name, coalesce(published, updated) AS date FROM item
                    JOIN source ON source.id = item.source
                    WHERE coalesce(published, updated) BETWEEN ? AND ?
                    """, arguments: [date.milliseconds, end.milliseconds])
            var dates: [String: [Date]] = [:]
            while let row = try rows.next() {
                dates[try row.decode(forColumn: "name"), default: []].append(try row.date("date") ?? .distantPast)
            }
            return dates
        }
    }
}
