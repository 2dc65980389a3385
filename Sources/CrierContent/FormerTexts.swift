/// The title and the summary of an item as they were read formerly, with markup and references that nobody means.
///
/// Identities are made of them still: what is remembered of an item must not change with what is shown of it.
struct FormerTexts: Sendable, Hashable, Codable {
    /// In an array, as an item is a lot to move about and hardly any has such texts.
    private let texts: [String?]

    init(title: String?, summary: String?) {
        texts = [title, summary]
    }

    var title: String? { texts[0] }
    var summary: String? { texts[1] }
}

extension ContentItem {
    /// The item with the texts that its identity is made of.
    public var identified: ContentItem {
        guard let formerTexts else { return self }
        var item = self
        item.title = formerTexts.title
        item.summary = formerTexts.summary
        item.formerTexts = nil
        return item
    }
}
