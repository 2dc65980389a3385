/// How much of what a document says is kept: more than any reader shows, and less than a hostile document holds.
///
/// Texts are cut between words and end in `…`; addresses that are too long are left out, since half an address leads
/// elsewhere. Identifiers are not cut either: ``ItemIdentity`` hashes long ones.
public enum ContentBounds {
    /// Items of a document, which is not read where it has more.
    static let items = 10_000
    /// Characters of a title, of an item or a feed.
    public static let title = 1000
    /// Characters of a summary.
    public static let summary = 10_000
    /// Characters of the content.
    public static let content = 100_000
    /// Characters of the name of an author, a category, a source or an attachment.
    public static let name = 300
    /// Bytes of an address; `data:` URLs go beyond.
    public static let url = 8192
    /// Bytes of an address that others of its document are relative to, each of which is read against it.
    static let base = 4096
    /// Authors, categories or attachments of one item: the first ones are kept. Galleries have some dozens.
    public static let list = 100

    /// Authors of a feed that stand in for those of its items: of each, so that a long list would be one thousands of times.
    static let inheritedAuthors = 5

    /// The address, unless it is empty or too long.
    static func url(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= url else { return nil }
        return text
    }

    /// The address that a document names for others to be relative to; nil where it is too long.
    static func base(_ reference: String, against url: String?) -> String? {
        guard reference.utf8.count <= base else { return nil }
        let resolved = URLReference.resolve(reference, against: url)
        return resolved.utf8.count <= base ? resolved : nil
    }

    private static func isSeen(_ text: String) -> Bool {
        // Mostly; to ask for what a character is takes longer.
        if let first = text.utf8.first, (0x21...0x7E).contains(first) { return true }
        return text.unicodeScalars.contains {
            !$0.properties.isDefaultIgnorableCodePoint && !$0.properties.isWhitespace
        }
    }

    /// A text of at most so many characters, nil where nothing is to be seen.
    ///
    /// One character can hold any number of combining marks, so that bytes are bounded too.
    static func text(_ text: String, to limit: Int) -> String? {
        guard isSeen(text) else { return nil }
        guard text.utf8.count > limit else { return text }
        let cut = PlainText.cut(text, to: limit)
        guard cut.utf8.count > 8 * limit else { return cut }
        return String(cut.unicodeScalars.prefix(limit))
    }
}

extension ContentError {
    static let tooManyItems = ContentError(.tooLarge, "more than \(ContentBounds.items) items")
}
