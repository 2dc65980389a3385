import CrierContent

/// An item in a few words: what is above, and what is below it.
///
/// What has no title, as in most social networks, is headed by the beginning of its text, which is not said again below.
struct ItemBrief {
    /// At most 200 characters; the address where nothing is said, nil where there is none either.
    let title: String?
    /// Empty where the title says it all.
    let text: String

    private static let titleLimit = 200

    /// - Parameter limit: So many characters of its summary are said.
    init(_ item: ContentItem, limit: Int) {
        let summary = item.summary.map { PlainText.cut($0, to: limit) } ?? ""
        if let title = item.title {
            self.title = PlainText.cut(title, to: Self.titleLimit)
            text = summary == title ? "" : summary
            return
        }
        let (first, title) = (summary.firstLine, PlainText.cut(summary.firstLine, to: Self.titleLimit))
        let isCut = title != first
        let rest = summary.dropFirst(title.count - (isCut ? 1 : 0)).drop(while: \.isWhitespace)
        self.title = title.isEmpty ? item.url.map { PlainText.cut($0, to: Self.titleLimit) } : title
        text = (isCut && !rest.isEmpty ? "…" : "") + rest
    }
}

extension String {
    var firstLine: String { String(prefix { !$0.isNewline }) }
}
