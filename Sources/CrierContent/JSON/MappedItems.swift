import struct Foundation.Date

/// Makes items of the texts that a mapping's expressions yield, in whatever language, and counts what is odd.
struct MappedItems {
    private let mapping: ContentMapping
    private let base: String
    private let decodesReferences: Bool
    private var growth: ContentGrowth
    private(set) var items: [ContentItem] = []
    private var untitled = 0
    private var untitledSample: String?
    private var bare = 0
    private var unidentified = 0
    private var unreadableDates = 0
    private var unreadableSample = ""

    /// - Parameters:
    ///   - length: Bytes of the document.
    ///   - decodesReferences: Whether titles, names and addresses may hold character references, such as `&amp;`, that nobody
    ///     means. Those of a document tree are decoded already.
    init(mapping: ContentMapping, base: String, length: Int, decodesReferences: Bool) {
        self.mapping = mapping
        self.base = base
        self.decodesReferences = decodesReferences
        growth = ContentGrowth(of: length)
    }

    /// - Parameters:
    ///   - sample: what the item is or has, in words for the user, for where it has no title.
    ///   - values: what each field yields, in document order; white space around a text does not count.
    /// - Throws: ``ContentError`` of the kind `tooLarge`.
    mutating func append(
        sample: @autoclosure () -> String? = nil, _ values: (ContentField) -> [String]
    ) throws(ContentError) {
        func all(_ field: ContentField, decodesReferences: Bool = false) -> [String] {
            values(field).map { text in
                PlainText.line(text: decodesReferences ? PlainText.decodingReferences(text) : text)
            }.filter { !$0.isEmpty }
        }
        func words(_ field: ContentField) -> [String] { all(field, decodesReferences: decodesReferences) }
        var item = ContentItem()
        item.declaredIdentifier = all(.id).first
        item.title = words(.title).first.flatMap { ContentBounds.text($0, to: ContentBounds.title) }
        item.url = all(.url).first.flatMap { url($0) }
        item.summary = values(.summary).lazy.compactMap(Self.summary).first
        item.published = date(all(.published))
        item.updated = date(all(.updated))
        item.authors = words(.author).prefix(ContentBounds.list).compactMap(Self.name)
        item.categories = words(.category).prefix(ContentBounds.list).compactMap(Self.name)
        item.attachments = all(.attachment).prefix(ContentBounds.list).compactMap { text in
            url(text).map { ContentAttachment(url: $0) }
        }
        try growth.check()
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

    private mutating func url(_ text: String) -> String? {
        let reference = decodesReferences ? URLReference.unescaped(text) : text
        return ContentBounds.url(growth.resolve(reference, against: base))
    }

    private static func name(_ text: String) -> String? { ContentBounds.text(text, to: ContentBounds.name) }

    /// APIs give plain text or HTML, escaped once more or not, and do not say which; a closing tag or a line break tells.
    private static func summary(_ text: String) -> String? {
        if isHTML(text) { return ContentBounds.text(PlainText.text(html: text), to: ContentBounds.summary) }
        let decoded = PlainText.decodingReferences(text)
        return ContentBounds.text(
            decoded.contains("</") ? PlainText.text(html: decoded) : PlainText.text(text: decoded),
            to: ContentBounds.summary)
    }

    private static func isHTML(_ text: String) -> Bool {
        guard withUTF8(of: text, { $0.contains(0x3C) }) else { return false }
        let text = text.lowercased()
        return ["</", "/>", "<br", "<p>", "<p "].contains(where: text.contains)
    }
}
