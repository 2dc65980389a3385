import struct Foundation.Date

/// A text of a mapping that may be HTML.
struct MappedText {
    /// What the expression yields. Whether it is HTML is to be seen by its tags.
    let text: String
    /// What of it is HTML for certain, and was taken for text formerly.
    var html: String?
}

/// Makes items of the texts that a mapping's expressions yield, in whatever language, and counts what is odd.
struct MappedItems {
    private let mapping: ContentMapping
    private let base: String
    private let decodesReferences: Bool
    private let mayHoldHTML: Bool
    private(set) var items: [ContentItem] = []
    private var untitled = 0
    private var untitledSample: String?
    private var bare = 0
    private var unidentified = 0
    private var unreadableDates = 0
    private var unreadableSample = ""

    /// - Parameters:
    ///   - decodesReferences: Whether names and addresses may hold character references, such as `&amp;`, that nobody
    ///     means. Those of a document tree are decoded already.
    ///   - mayHoldHTML: Whether titles and summaries may be HTML; those of a page are read already.
    init(mapping: ContentMapping, base: String, decodesReferences: Bool, mayHoldHTML: Bool) {
        self.mapping = mapping
        self.base = base
        self.decodesReferences = decodesReferences
        self.mayHoldHTML = mayHoldHTML
    }

    /// - Parameters:
    ///   - sample: what the item is or has, in words for the user, for where it has no title.
    ///   - summaries: what the summary yields, where more is known of it than `values` says.
    ///   - values: what each field yields, in document order; white space around a text does not count.
    mutating func append(
        sample: @autoclosure () -> String? = nil, summaries: [MappedText]? = nil, _ values: (ContentField) -> [String]
    ) {
        func all(_ field: ContentField, decodesReferences: Bool = false) -> [String] {
            values(field).map { text in
                PlainText.line(text: decodesReferences ? PlainText.decodingReferences(text) : text)
            }.filter { !$0.isEmpty }
        }
        func words(_ field: ContentField) -> [String] { all(field, decodesReferences: decodesReferences) }
        var item = ContentItem()
        item.declaredIdentifier = all(.id).first
        item.url = all(.url).first.flatMap { url($0) }
        let title = Reading(of: values(.title), title)
        let summary = Reading(of: summaries ?? values(.summary).map { MappedText(text: $0) }, summary)
        (item.title, item.summary) = (title.shown, summary.shown)
        if title.shown != title.former || summary.shown != summary.former {
            item.formerTexts = FormerTexts(title: title.former, summary: summary.former)
        }
        item.published = date(all(.published))
        item.updated = date(all(.updated))
        item.authors = words(.author).prefix(ContentBounds.list).compactMap(Self.name)
        item.categories = words(.category).prefix(ContentBounds.list).compactMap(Self.name)
        item.attachments = all(.attachment).prefix(ContentBounds.list).compactMap { text in
            url(text).map { ContentAttachment(url: $0) }
        }
        if item.title == nil {
            untitled += 1
            untitledSample = untitledSample ?? sample()
        }
        if item == ContentItem() {
            bare += 1
        } else {
            if item.declaredIdentifier == nil, mapping.fields[.id] != nil { unidentified += 1 }
            items.append(item)
        }
    }

    /// What the user should know of the items.
    var remarks: [String] {
        var remarks: [String] = []
        if untitled > 0 {
            remarks.append(
                Self.count(untitled, "without a title") + (untitledSample.map { "; \($0)" } ?? ""))
        }
        if unidentified > 0, let expression = mapping.fields[.id] {
            let shown = PlainText.line(text: expression, limit: 80)
            remarks.append(Self.count(unidentified, "to which field id `\(shown)` gives no identifier"))
        }
        if bare > 0 { remarks.append(Self.count(bare, "in which no field gives anything, left out")) }
        if unreadableDates > 0 {
            remarks.append(Self.count(unreadableDates, "with a date that is none, such as \"\(unreadableSample)\""))
        }
        return remarks
    }

    private static func count(_ count: Int, _ what: String) -> String {
        "\(count) \(count == 1 ? "item" : "items") \(what)"
    }

    private mutating func date(_ texts: [String]) -> Date? {
        guard let text = texts.first else { return nil }
        let date = DateParser.parse(text, timeZone: mapping.timeZone, datesAreLocal: mapping.datesAreLocal)
        if date == nil {
            unreadableDates += 1
            unreadableSample = PlainText.cut(text, to: 40)
        }
        return date
    }

    private func url(_ text: String) -> String? {
        let reference = decodesReferences ? URLReference.unescaped(text) : text
        return ContentBounds.url(URLReference.resolve(reference, against: base))
    }

    private static func name(_ text: String) -> String? { ContentBounds.text(text, to: ContentBounds.name) }

    /// What readers see of a title, and what they saw of it formerly.
    private func title(_ text: String) -> Reading {
        let former = PlainText.line(text: decodesReferences ? PlainText.decodingReferences(text) : text)
        return Reading(shown: mayHoldHTML ? PlainText.title(text) : former, former: former, limit: ContentBounds.title)
    }

    /// The same of a summary. APIs give plain text or HTML and do not say which; a closing tag or a line break tells.
    private func summary(_ text: MappedText) -> Reading {
        let marks = ["</", "/>", "<br", "<p>"]
        let isHTML = withUTF8(of: text.text) { $0.contains(0x3C) } && marks.contains(where: { text.text.contains($0) })
        let former = isHTML ? PlainText.text(html: text.text) : PlainText.text(text: text.text)
        let shown =
            if let html = text.html {
                PlainText.text(html: html)
            } else if isHTML || !mayHoldHTML || !text.text.utf8.contains(0x26) {
                former
            } else {
                PlainText.text(text: PlainText.decodingReferences(text.text))
            }
        return Reading(shown: shown, former: former, limit: ContentBounds.summary)
    }
}

/// A text as it is read, and as it was read formerly; nil where nothing is to be seen.
private struct Reading {
    private(set) var shown: String?
    private(set) var former: String?

    init(shown: String, former: String, limit: Int) {
        self.former = ContentBounds.text(former, to: limit)
        self.shown = shown == former ? self.former : ContentBounds.text(shown, to: limit)
    }

    /// Of several texts the first in which there is something, of each reading.
    init<Text>(of texts: [Text], _ read: (Text) -> Reading) {
        for text in texts where shown == nil || former == nil {
            let reading = read(text)
            shown = shown ?? reading.shown
            former = former ?? reading.former
        }
    }
}
