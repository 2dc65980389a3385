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

        /// Whether an item that is called the same is another: all that it says is, and it came out since. A blog that is set up anew
        /// counts from one.
        ///
        /// - Parameter date: When it was known what stands for what.
        public func isSucceeded(by item: ContentItem, since date: Date) -> Bool {
            guard let url, let title, let itsURL = item.url, let itsTitle = item.title, let published,
                let itsDate = item.published
            else { return false }
            let saysAnother = url != itsURL && title != itsTitle && (summary == nil || summary != item.summary)
            return saysAnother && itsDate > date && itsDate > published
        }

        /// By what it may be found that has another name by now.
        fileprivate var looks: [[String]] {
            guard let published else { return [] }
            let date = String(Int64((published.timeIntervalSince1970 * 1000).rounded()))
            return [("title", title), ("url", url)].compactMap { kind, word in word.map { [kind, $0, date] } }
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
    ///   - made: The same of others that are not the document's own, which corrected items may have had before.
    ///   - reused: The identifiers of ``plain`` that stand for something else by now (``Owner/isSucceeded(by:since:)``).
    public static func settle(
        _ items: inout [ContentItem], plain: [String], owners: [String: Owner], made: [String: Owner] = [:],
        reused: Set<String> = []
    ) {
        var made = made
        for (identifier, places) in Dictionary(grouping: items.indices, by: { plain[$0] }) {
            let isAlone = places.allSatisfy { items[$0].identifier == items[places[0]].identifier }
            if isAlone, owners[identifier]?.isEqual(to: items[places[0]]) == true { continue }
            var company = Company(items, places.sorted(), plain: identifier, owners)
            company.settle(isAlone: isAlone && !reused.contains(identifier), &made)
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

    mutating func settle(isAlone: Bool, _ made: inout [String: ItemIdentity.Owner]) {
        if !choices.joined().contains(where: { owners[$0] != nil }) { return }
        name { owner, item, _ in owner.isEqual(to: item) }
        // What a document identifies by itself is that, whatever has changed, unless all has.
        if isAlone, names.isEmpty, owners[plain] != nil { return }
        var alike: [String: Set<String>] = [:]
        for (item, names) in zip(items, choices) {
            for name in names where owners[name]?.mayBe(item) == true {
                alike[name, default: []].insert(item.identifier)
            }
        }
        name { owner, item, name in alike[name] == [item.identifier] }
        if isAlone { return }
        if !made.isEmpty { name(from: &made) }
        for (item, choices) in zip(items, choices) where names[item.identifier] == nil {
            // The plain one would be any other's that is alone some day.
            let free = choices.dropFirst().first { owners[$0] == nil && !taken.contains($0) }
            let name = free ?? choices[choices.count - 1]
            (names[item.identifier], _) = (name, taken.insert(name))
        }
    }

    /// Gives those of which no name is remembered the made ones of what has their title or address, and their date, where each is
    /// alone in that: another link or text would have made another name.
    private mutating func name(from made: inout [String: ItemIdentity.Owner]) {
        let former = Dictionary(grouping: made.flatMap { name, owner in owner.looks.map { (name, $0) } }, by: \.1)
        let unnamed = items.filter { names[$0.identifier] == nil }
        let looks = unnamed.map {
            ItemIdentity.Owner(url: $0.url, title: $0.title, published: $0.published).looks
        }
        let pairs = zip(unnamed, looks).flatMap { item, looks in looks.map { (item.identifier, $0) } }
        let present = Dictionary(grouping: pairs, by: \.1).mapValues { Set($0.map(\.0)) }
        for (item, looks) in zip(unnamed, looks) where names[item.identifier] == nil {
            let name = looks.first { former[$0]?.count == 1 && present[$0]?.count == 1 }.flatMap { former[$0]?[0].0 }
            guard let name, made.removeValue(forKey: name) != nil else { continue }
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
