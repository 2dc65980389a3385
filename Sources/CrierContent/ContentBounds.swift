/// How much of what a document says is kept: more than any reader shows, and less than a hostile document holds.
///
/// Texts are cut between words and end in `…`; addresses that are too long are left out, since half an address leads
/// elsewhere. Identifiers are not cut either: ``ItemIdentity`` hashes long ones.
public enum ContentBounds {
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
    /// Authors, categories or attachments of one item.
    public static let list = 256

    /// The address, unless it is empty or too long.
    static func url(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= url else { return nil }
        return text
    }

    /// A text of at most so many characters, nil where nothing is to be seen.
    ///
    /// One character can hold any number of combining marks, so that bytes are bounded too.
    static func text(_ text: String, to limit: Int) -> String? {
        guard !text.isEmpty else { return nil }
        guard text.utf8.count > limit else { return text }
        let cut = PlainText.cut(text, to: limit)
        guard cut.utf8.count > 8 * limit else { return cut }
        return String(cut.unicodeScalars.prefix(limit))
    }
}
