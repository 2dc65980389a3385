/// What an item says: its summary, and the content where that is more.
struct ItemTexts {
    private(set) var summary: String?
    private(set) var content: FeedText?

    /// Takes the content where it says more than the summary, and for a summary where there is no better one.
    init(summary: String?, content: FeedText?, prefersContent: Bool) {
        self.summary = summary
        guard let content else { return }
        guard prefersContent || summary == nil else {
            self.content = content
            return
        }
        guard let text = content.text(limit: ContentBounds.content) else { return }
        self.summary = ContentBounds.text(text, to: ContentBounds.summary)
        if text != self.summary { self.content = FeedText(text.utf8, kind: .plain) }
    }
}
