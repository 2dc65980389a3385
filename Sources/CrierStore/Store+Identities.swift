import CrierContent
import Foundation
import GRDB

/// Which stored item a document's item is, where its identifier alone does not tell.
extension Store {
    /// What identifiers of a source stand for; those that it never had are left out. One whose texts are kept no longer stands for what nothing
    /// is known of.
    public func owners(
        of identifiers: Set<String>, in source: String
    ) throws(StoreError) -> [String: ItemIdentity.Owner] {
        try read { db in
            guard let id = try Self.id(of: source, in: db) else { return [:] }
            var owners: [String: ItemIdentity.Owner] = [:]
            var lookUp = try ItemLookUp("url, title, summary, published", in: db)
            let identifiers = Array(identifiers)
            try lookUp.rows(of: id, named: identifiers) { row, place in
                owners[identifiers[place]] = ItemIdentity.Owner(row)
            }
            return owners
        }
    }

    /// The same of all identifiers that no document has given, of what was published at one of some dates.
    package func madeOwners(
        of dates: [Date], in source: String
    ) throws(StoreError) -> [String: ItemIdentity.Owner] {
        if dates.isEmpty { return [:] }
        let dates = Set(dates.map(\.milliseconds))
        return try read { db in
            guard let id = try Self.id(of: source, in: db) else { return [:] }
            var owners: [String: ItemIdentity.Owner] = [:]
            var all = try RawStatement(
                "SELECT url, title, summary, published, identifier FROM item WHERE source = ? AND \(Self.isMade)",
                in: db)
            all.bind(id)
            try all.rows { row in
                guard let date = row.number(3), dates.contains(date), let identifier = row.text(4) else { return }
                owners[identifier] = ItemIdentity.Owner(row)
            }
            return owners
        }
    }

    private static let isMade = "identifier >= 'sha256:' AND identifier < 'sha256;'"

    /// Whether items of the source are stored under other identifiers than their document has given them.
    package func hasMadeIdentifiers(of source: String) throws(StoreError) -> Bool {
        try read { db in
            guard let id = try Self.id(of: source, in: db) else { return false }
            var look = try RawStatement(
                "SELECT 1 FROM item WHERE source = ? AND \(Self.isMade) LIMIT 1", in: db)
            look.bind(id)
            return try look.hasRow()
        }
    }

    /// The identifiers under which those items of a document are stored that declare none, by their places, where what they are
    /// told by instead has changed: an address may be written otherwise at each visit, and many documents move their dates.
    ///
    /// Only where the address is no other item's, of the document or of the last one: of those that share one, as the lines of a log
    /// do, it is the date alone that tells what is new. And a date has only moved if nothing else has changed since the last reading: what
    /// was not in the document then has happened again.
    ///
    /// - Parameters:
    ///   - items: All of the document.
    ///   - lastRead: When the source's document was last read; nil where it is not known.
    ///   - canonical: What all spellings of an address have in common.
    package func identifiers(
        ofUndeclared items: [ContentItem], in source: String, lastRead: Date?, canonical: @Sendable (String) -> String
    ) throws(StoreError) -> [Int: String] {
        try read { db in
            guard let id = try Self.id(of: source, in: db) else { return [:] }
            let undeclared = items.indices.filter { items[$0].isToldByAddress }
            var lookUp = try ItemLookUp("1", in: db)
            var known = Set<Int>()
            try lookUp.rows(of: id, named: undeclared.map { items[$0].identifier }) { _, place in
                known.insert(undeclared[place])
            }
            let unknown = undeclared.filter { !known.contains($0) }
            if unknown.isEmpty { return [:] }
            let addresses = items.map { $0.url.map(canonical) }
            let places = Dictionary(grouping: items.indices) { addresses[$0] }
            // An item may stand there several times, once for each of its categories.
            let own = places.filter { Set($0.value.map { items[$0].identifier }).count == 1 }
            let strangers = Dictionary(
                unknown.compactMap { place in addresses[place].flatMap { own[$0] == nil ? nil : ($0, place) } }
            ) { first, _ in first }
            let stored = try Self.undeclared(
                strangers.mapValues { items[$0] }, of: id, lastRead: lastRead, canonical, in: db)
            let present = Set(items.map(\.identifier))
            return try strangers.reduce(into: [:]) { found, stranger in
                guard let owner = stored[stranger.key], !present.contains(owner.identifier),
                    try owner.isSame(items[stranger.value], lastRead: lastRead)
                else { return }
                for place in own[stranger.key] ?? [] { found[place] = owner.identifier }
            }
        }
    }

    /// What is stored at the addresses of some items, by canonical addresses; none where it is more than one item. What was in the
    /// last document comes before what had left it by then.
    private static func undeclared(
        _ items: [String: ContentItem], of source: Int64, lastRead: Date?, _ canonical: (String) -> String,
        in db: Database
    ) throws -> [String: StoredOwner] {
        let (titles, urls) = (Set(items.values.map(\.title)), Set(items.values.map(\.url)))
        var owners: [String: [StoredOwner]] = [:]
        var all = try RawStatement(
            "SELECT identifier, title, url, published, updated, summary, details, lastSeen, firstSeen FROM item WHERE source = ?",
            in: db)
        all.bind(source)
        try all.rows { row in
            // Hardly any is worth the look at its address.
            guard let url = row.text(2), urls.contains(url) || titles.contains(row.text(1)) else { return }
            let address = canonical(url)
            guard items[address] != nil, let owner = StoredOwner(row) else { return }
            owners[address, default: []].append(owner)
        }
        return owners.compactMapValues { owners in
            // Earlier versions kept one for each spelling of its address.
            if owners.allSatisfy({ $0.isLike(owners[0]) }) { return owners[0] }
            // Where several were there at once, it is a log.
            if StoredOwner.haveMet(owners) { return nil }
            let present = owners.filter { $0.wasThere(at: lastRead) }
            return present.count == 1 ? present[0] : nil
        }
    }

    /// What is stored of a source's items that have the title of one of a document's items.
    ///
    /// - Parameter isDated: Whether to leave out those that none of the items has the second of.
    public func namesakes(
        of items: [ContentItem], in source: String, dated isDated: Bool = false
    ) throws(StoreError) -> [StoredNamesake] {
        let titles = Set(items.map(\.title))
        let seconds = Set(items.compactMap { $0.date?.second })
        if isDated, seconds.isEmpty { return [] }
        return try read { db in
            guard let id = try Self.id(of: source, in: db) else { return [] }
            var all = try RawStatement(
                """
                SELECT title, url, coalesce(published, updated), summary, identifier, lastSeen, details FROM item
                WHERE source = ?
                    AND (?2 IS NULL OR coalesce(published, updated) BETWEEN ?2 AND ?3)
                """, in: db)
            all.bind(id)
            // Hardly any is left of which more is read.
            all.bind(isDated ? seconds.min().map { $0 * 1000 } : nil)
            all.bind(isDated ? seconds.max().map { $0 * 1000 + 999 } : nil)
            var found: [StoredNamesake] = []
            try all.rows { row in
                // Before any text is read.
                guard !isDated || row.date(2).map({ seconds.contains($0.second) }) == true else { return }
                let title = row.text(0)
                guard titles.contains(title), let identifier = row.text(4), let lastSeen = row.date(5) else { return }
                found.append(
                    StoredNamesake(
                        identifier: identifier, title: title, url: row.text(1), date: row.date(2), summary: row.text(3),
                        lastSeen: lastSeen, details: row.text(6)))
            }
            return found
        }
    }
}

extension ItemIdentity.Owner {
    /// - Parameter row: Of address, title, text and date.
    fileprivate init(_ row: RawRow) {
        self.init(url: row.text(0), title: row.text(1), summary: row.text(2), published: row.date(3))
    }
}

extension Store {
    /// What all items of a source say of themselves.
    package func marks(of source: String) throws(StoreError) -> [StoredMark] {
        try read { db in
            guard let id = try Self.id(of: source, in: db) else { return [] }
            var all = try RawStatement(
                "SELECT title, url, coalesce(published, updated), firstSeen, identifier FROM item WHERE source = ?",
                in: db)
            all.bind(id)
            var marks: [StoredMark] = []
            try all.rows { row in
                guard let identifier = row.text(4) else { return }
                marks.append(
                    StoredMark(
                        identifier: identifier, title: row.text(0), url: row.text(1), date: row.date(2),
                        firstSeen: row.date(3) ?? .distantPast))
            }
            return marks
        }
    }
}

/// What a stored item says of itself; nothing but its dates where its texts are kept no longer.
package struct StoredMark: Sendable {
    package let identifier: String
    package let title: String?
    package let url: String?
    package let date: Date?
    package let firstSeen: Date
}

/// A stored item by what tells it from others where its identifier does not.
public struct StoredNamesake: Sendable, Hashable {
    public let identifier: String
    public let title: String?
    public let url: String?
    /// To the millisecond.
    public let date: Date?
    /// Nil too where it is kept no longer.
    public let summary: String?
    /// At the latest less than a day after it, see ``ItemSighting``.
    package let lastSeen: Date
    /// As JSON.
    private let details: String?

    fileprivate init(
        identifier: String, title: String?, url: String?, date: Date?, summary: String?, lastSeen: Date,
        details: String?
    ) {
        (self.identifier, self.title, self.url, self.date) = (identifier, title, url, date)
        (self.summary, self.lastSeen, self.details) = (summary, lastSeen, details)
    }

    /// Whether it may have been in the document that was read then.
    package func wasThere(at date: Date) -> Bool { lastSeen >= date.addingTimeInterval(-ItemSighting.accuracy) }

    /// Whether an item has its text and all else that goes with it, such as enclosures and pictures; false where neither has a text.
    ///
    /// - Parameter isBesidesNumbers: Whether those in the text may be others, as a count of readers, where it is a sentence and more;
    ///   numbers may be all that a short one is there for.
    package func saysTheSame(as item: ContentItem, besidesNumbers isBesidesNumbers: Bool = false) -> Bool {
        guard let summary, let other = item.summary, !summary.isEmpty else { return false }
        if summary != other {
            let words = [summary, other].map { $0.filter { !$0.isNumber } }
            guard isBesidesNumbers, words[0] == words[1], words[0].count >= Self.leastOfASentence else { return false }
        }
        return (try? ItemDetails(item)?.json()) == details
    }

    private static let leastOfASentence = 40
}

/// A stored item with all of it that a document says.
private struct StoredOwner {
    let identifier: String
    private let title: String?
    private let dates: [Int64?]
    private let texts: [String?]
    private let lastSeen: Int64
    private let firstSeen: Int64

    init?(_ row: RawRow) {
        guard let identifier = row.text(0), let lastSeen = row.number(7), let firstSeen = row.number(8) else {
            return nil
        }
        self.identifier = identifier
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        title = row.text(1)
        dates = [row.number(3), row.number(4)]
        texts = [row.text(5), row.text(6)]
    }

    /// Whether both are one item by what tells an item that declares no identifier.
    func isLike(_ other: StoredOwner) -> Bool { title == other.title && dates == other.dates }

    /// Whether some of them were in one document.
    static func haveMet(_ owners: [StoredOwner]) -> Bool {
        let inTurn = owners.sorted { $0.firstSeen < $1.firstSeen }
        return zip(inTurn, inTurn.dropFirst()).contains { $1.firstSeen <= $0.lastSeen }
    }

    /// Whether it was in the document then; not known to be absent where nobody knows when that was read.
    func wasThere(at lastRead: Date?) -> Bool { lastRead.map { lastSeen >= $0.milliseconds } ?? true }

    /// Whether a document's item at the same address is this one: by title and dates; by its text with either of them. A page that says
    /// in its title alone how things stand has no text of its own, and another title is news there.
    func isSame(_ item: ContentItem, lastRead: Date?) throws -> Bool {
        let isTitled = title == item.title
        if isTitled, dates == [item.published?.milliseconds, item.updated?.milliseconds] { return true }
        let isDated = item.published != nil && dates[0] == item.published?.milliseconds && item.summary != nil
        guard isTitled && wasThere(at: lastRead) || isDated else { return false }
        return try texts == [item.summary, ItemDetails(item)?.json()]
    }
}

extension Date {
    /// Since 1970, of the date as it is stored.
    package var second: Int64 { Int64((Double(milliseconds) / 1000).rounded(.down)) }
}

extension ContentItem {
    /// Whether it is its address that tells it from others, with its date: it declares no identifier.
    var isToldByAddress: Bool {
        url?.isEmpty == false && declaredIdentifier?.contains { !$0.isWhitespace } != true
    }
}
