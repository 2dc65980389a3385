import CrierContent
import Foundation
import GRDB

/// Which stored item a document's item is, where its identifier alone does not tell.
extension Store {
    /// What identifiers of a source stand for; those that it never had, or whose texts are kept no longer, are left out.
    public func owners(
        of identifiers: Set<String>, in source: String
    ) throws(StoreError) -> [String: ItemIdentity.Owner] {
        try read { db in
            guard let id = try Self.id(of: source, in: db) else { return [:] }
            var owners: [String: ItemIdentity.Owner] = [:]
            var look = try RawStatement("SELECT url, title FROM item WHERE source = ? AND identifier = ?", in: db)
            for identifier in identifiers {
                look.bind(id)
                look.bind(identifier)
                let found = try look.first { row in (row.text(0), row.text(1)) }
                guard let (url, title) = found, url != nil || title != nil else { continue }
                owners[identifier] = ItemIdentity.Owner(url: url, title: title)
            }
            return owners
        }
    }

    /// The identifiers of stored items that some items of a document are but for their dates, by the places of those. An item
    /// without a declared identifier is told by its date, and many documents move theirs.
    ///
    /// Only where its address is no other item's, stored or not: of those that share one, as the lines of a log do, it is the
    /// date alone that tells what is new.
    ///
    /// - Parameter items: All of the document.
    public func identifiersApartFromDates(of items: [ContentItem], in source: String) throws(StoreError) -> [Int:
        String]
    {
        try read { db in
            guard let id = try Self.id(of: source, in: db) else { return [:] }
            var look = try RawStatement("SELECT 1 FROM item WHERE source = ? AND identifier = ?", in: db)
            var places: [String: [Int]] = [:]
            for (place, item) in items.enumerated() { if let url = item.url { places[url, default: []].append(place) } }
            let strangers = try places.compactMapValues { places in
                guard places.count == 1, !items[places[0]].declaresIdentifier else { return nil as Int? }
                look.bind(id)
                look.bind(items[places[0]].identifier)
                return try look.first { _ in } == nil ? places[0] : nil
            }
            if strangers.isEmpty { return [:] }
            var stored: [String: [(identifier: String?, title: String?, summary: String?)]] = [:]
            var all = try RawStatement("SELECT url, identifier, title, summary FROM item WHERE source = ?", in: db)
            all.bind(id)
            try all.rows { row in
                guard let url = row.text(0), strangers[url] != nil else { return }
                stored[url, default: []].append((row.text(1), row.text(2), row.text(3)))
            }
            var found: [Int: String] = [:]
            for (url, rows) in stored where rows.count == 1 {
                guard let place = strangers[url], rows[0].title == items[place].title,
                    rows[0].summary == items[place].summary
                else { continue }
                found[place] = rows[0].identifier
            }
            return found
        }
    }

    /// What is stored of a source's items that have an address, and the title of one of a document's items.
    public func namesakes(of items: [ContentItem], in source: String) throws(StoreError) -> [StoredNamesake] {
        let titles = Set(items.map(\.title))
        return try read { db in
            guard let id = try Self.id(of: source, in: db) else { return [] }
            var all = try RawStatement(
                "SELECT title, url, coalesce(published, updated), summary FROM item WHERE source = ? AND url IS NOT NULL",
                in: db)
            all.bind(id)
            var found: [StoredNamesake] = []
            try all.rows { row in
                let title = row.text(0)
                guard let url = row.text(1), titles.contains(title) else { return }
                found.append(StoredNamesake(title: title, url: url, date: row.date(2), summary: row.text(3)))
            }
            return found
        }
    }
}

/// A stored item by what tells it from others where its identifier does not.
public struct StoredNamesake: Sendable, Hashable {
    public let title: String?
    public let url: String
    /// To the millisecond.
    public let date: Date?
    /// Nil too where it is kept no longer.
    public let summary: String?
}

extension ContentItem {
    fileprivate var declaresIdentifier: Bool { declaredIdentifier?.contains { !$0.isWhitespace } == true }
}
