import struct Foundation.Date

/// What is remembered of identifiers tells which item has which, where several share one.
extension ItemIdentity {
    /// What an identifier stands for, as it was last read.
    public struct Owner: Sendable, Hashable {
        let url: String?
        let title: String?
        let summary: String?
        /// To the millisecond.
        let published: Date?

        public init(url: String?, title: String?, summary: String? = nil, published: Date? = nil) {
            self.url = url
            self.title = title
            self.summary = summary
            self.published = published
        }

        /// Whether an item is it, as it was. The text of what was gone for long is kept no longer.
        public func isEqual(to item: ContentItem) -> Bool {
            guard url == item.url, title == item.title, url != nil || title != nil else { return false }
            if hasDate(of: item) { return summary == nil || summary == item.summary }
            return (published == nil || item.published == nil) && summary == item.summary
        }

        /// Whether an item may be it, edited since: that leaves address or title, and title or date; where there are no dates, title or
        /// text. What has all of these of its own has come after it.
        func mayBe(_ item: ContentItem) -> Bool {
            guard url != nil && url == item.url || title != nil && title == item.title else { return false }
            if title == item.title { return true }
            if published != nil, item.published != nil { return hasDate(of: item) }
            return summary == nil || item.summary == nil || summary == item.summary
        }

        private func hasDate(of item: ContentItem) -> Bool {
            guard let published, let date = item.published else { return false }
            return abs(published.timeIntervalSince(date)) < 0.001
        }
    }

    /// The identifiers that the items have where none clash.
    public static func plainIdentifiers(of items: [ContentItem]) -> [String] {
        var items = items
        assignPlain(to: &items)
        return items.map(\.identifier)
    }

    /// Calls items as they were called before, whatever company they have now: first those that are as they were, then those that have
    /// been edited, where no other may be the one that is remembered. What is left is new, and takes no name that is another's, as the
    /// next version of a program may whose releases share identifier and link.
    ///
    /// - Parameters:
    ///   - items: With the identifiers that they have by themselves.
    ///   - plain: Those that they have where none clash (``plainIdentifiers(of:)``).
    ///   - owners: What is remembered of identifiers that they may have (``identifiers(of:_:)``).
    public static func settle(_ items: inout [ContentItem], plain: [String], owners: [String: Owner]) {
        for (identifier, places) in Dictionary(grouping: items.indices, by: { plain[$0] }) {
            let isAlone = places.allSatisfy { items[$0].identifier == items[places[0]].identifier }
            if isAlone, owners[identifier]?.isEqual(to: items[places[0]]) == true { continue }
            var company = Company(items, places.sorted(), plain: identifier, owners)
            company.settle(isAlone: isAlone)
            for place in places {
                items[place].identifier = company.names[items[place].identifier] ?? items[place].identifier
            }
        }
    }
}

/// The items of a document that have one plain identifier.
private struct Company {
    private let items: [ContentItem]
    private let plain: String
    private let owners: [String: ItemIdentity.Owner]
    /// Of each of the items in their order: what they may be called.
    private let choices: [[String]]
    private var taken: Set<String> = []
    /// By the identifiers that the items have by themselves, which copies share.
    private(set) var names: [String: String] = [:]

    init(_ all: [ContentItem], _ places: [Int], plain: String, _ owners: [String: ItemIdentity.Owner]) {
        items = places.map { all[$0] }
        choices = items.map { ItemIdentity.identifiers(of: $0, plain) }
        (self.plain, self.owners) = (plain, owners)
    }

    mutating func settle(isAlone: Bool) {
        if !choices.joined().contains(where: { owners[$0] != nil }) { return }
        name { owner, item, _ in owner.isEqual(to: item) }
        // What a document identifies by itself is that, whatever has changed.
        if isAlone, names.isEmpty, owners[plain] != nil { return }
        var alike: [String: Set<String>] = [:]
        for (item, names) in zip(items, choices) {
            for name in names where owners[name]?.mayBe(item) == true {
                alike[name, default: []].insert(item.identifier)
            }
        }
        name { owner, item, name in alike[name] == [item.identifier] }
        if isAlone { return }
        for (item, choices) in zip(items, choices) where names[item.identifier] == nil {
            // The plain one would be any other's that is alone some day.
            let free = choices.dropFirst().first { owners[$0] == nil && !taken.contains($0) }
            let name = free ?? choices[choices.count - 1]
            (names[item.identifier], _) = (name, taken.insert(name))
        }
    }

    /// Gives the names that are remembered to those of the items that have none yet and are their owners.
    private mutating func name(where isOwner: (ItemIdentity.Owner, ContentItem, _ name: String) -> Bool) {
        for (item, choices) in zip(items, choices) where names[item.identifier] == nil {
            let name = choices.first { name in
                owners[name].map { isOwner($0, item, name) } == true && !taken.contains(name)
            }
            guard let name else { continue }
            (names[item.identifier], _) = (name, taken.insert(name))
        }
    }
}
