import CrierContent
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
    /// - Parameter items: All of the document.
    public func identifiersApartFromDates(of items: [ContentItem], in source: String) throws(StoreError) -> [Int:
        String]
    {
        try read { db in
            guard let id = try Self.id(of: source, in: db) else { return [:] }
            var look = try RawStatement("SELECT 1 FROM item WHERE source = ? AND identifier = ?", in: db)
            var strangers: [Words: [Int]] = [:]
            for (place, item) in items.enumerated() where !item.declaresIdentifier {
                look.bind(id)
                look.bind(item.identifier)
                if try look.first({ _ in }) == nil { strangers[Words(item), default: []].append(place) }
            }
            if strangers.isEmpty { return [:] }
            let present = Set(items.map(\.identifier))
            var found: [Int: String] = [:]
            var all = try RawStatement(
                "SELECT identifier, url, title, summary FROM item WHERE source = ? ORDER BY lastSeen DESC", in: db)
            all.bind(id)
            try all.rows { row in
                let words = Words(url: row.text(1), title: row.text(2), summary: row.text(3))
                guard let identifier = row.text(0), !present.contains(identifier),
                    let place = strangers[words]?.popLast()
                else { return }
                found[place] = identifier
            }
            return found
        }
    }

    /// What an item says, apart from when.
    private struct Words: Hashable {
        let url: String?
        let title: String?
        let summary: String?

        init(url: String?, title: String?, summary: String?) {
            self.url = url
            self.title = title
            self.summary = summary
        }

        init(_ item: ContentItem) {
            self.init(url: item.url, title: item.title, summary: item.summary)
        }
    }
}

extension ContentItem {
    fileprivate var declaresIdentifier: Bool { declaredIdentifier?.contains { !$0.isWhitespace } == true }
}
