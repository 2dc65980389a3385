/// Which items of a document stand in it several times, as a hostile one may hold thousands that look so.
extension ItemIdentity {
    /// For each item the place of the first that it is a copy of, by its identifier too.
    ///
    /// - Parameter shown: What readers see of a content. It is asked once for each item at most, and only where nothing
    ///   but the content may tell an item from another.
    static func originals(
        of items: [ContentItem], shown: (FeedText) -> String? = { $0.text(limit: .max) }
    ) -> [Int] {
        var originals = Array(items.indices)
        for namesakes in groups(of: items.indices, by: { items[$0].identifier }) {
            for alike in groups(of: namesakes, by: { parts(of: items[$0]) }) {
                var places: [String??: Int] = [:]
                for index in alike {
                    let text = items[index].markedContent.map(shown)
                    originals[index] = places[text] ?? index
                    places[text] = originals[index]
                }
            }
        }
        return originals
    }

    private static func groups<Key: Hashable>(
        of places: some Sequence<Int>, by key: (Int) -> Key
    ) -> [[Int]] {
        Dictionary(grouping: places, by: key).values.filter { $0.count > 1 }
    }

    /// All that an item says but its content. What has an address, a title and a date needs no more: some feeds have an item once
    /// for each of its categories, or of its authors.
    private static func parts(of item: ContentItem) -> [String?] {
        let texts = [item.declaredIdentifier, item.title, item.url, item.summary]
        let dates = [item.published, item.updated].map { $0.map { String($0.timeIntervalSinceReferenceDate) } }
        let attachments = item.attachments.map { Optional($0.url) }
        if item.url != nil, item.title != nil, item.date != nil { return texts + dates + attachments }
        let lists = [item.authors, item.categories].flatMap { [String($0.count)] + $0 }
        let described = item.attachments.flatMap {
            [$0.type, $0.length.map { String($0) }, $0.duration.map { String($0) }, $0.title]
        }
        return texts + dates + attachments + lists + described
            + [item.image, item.commentsURL, item.externalURL, item.sourceTitle]
    }
}
