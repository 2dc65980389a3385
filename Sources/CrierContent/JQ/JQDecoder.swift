/// Reads JSON of any shape through the jq programs of a mapping.
///
/// Only what the mapping's fields select leaves the document: API answers may hold access tokens.
enum JQDecoder {
    /// The items, in the order in which `mapping.items` yields them.
    ///
    /// Without `mapping.items` an array is the items, and an object holds them as `items`. A field's value may be a
    /// text, a number or an array of them; of several, authors, attachments and categories are all, any other field
    /// is the first. An identifier may also be an object or an array, which counts as a whole.
    ///
    /// - Parameter programs: keeps compiled programs from one document to the next.
    /// - Throws: ``ContentError``: `reportsError` where `mapping.when` yields false, null or nothing, or, without it, where the
    ///   document has an error in place of the list; `malformed`, `badExpression`, `tooLarge`.
    static func decode(
        _ document: ContentDocument, mapping: ContentMapping, programs: JQPrograms = JQPrograms()
    ) throws(ContentError) -> DecodedContent {
        let value = try JSONDocument.parse(document.body)
        let fields = ContentField.allCases.filter { mapping.fields[$0] != nil }
        let program = try JQMapping(
            when: mapping.when, items: mapping.items, fields: fields.compactMap { mapping.fields[$0] },
            programs: programs)
        var items = MappedItems(
            mapping: mapping, base: document.url, length: document.body.count, decodesReferences: true)
        var faults = Faults()
        var rowCount = 0
        var isAccepted = false
        let names = JQSearch.names(of: fields.compactMap { mapping.fields[$0] })
        var namesNothing = names != nil
        do {
            try program.run(on: value, identifier: fields.firstIndex(of: .id)) { isTrue throws(ContentError) in
                isAccepted = true
                if !isTrue { throw ContentError(.reportsError, Self.report(value, when: mapping.when ?? "")) }
            } row: { row throws(ContentError) in
                rowCount += 1
                if rowCount > ContentBounds.items { throw ContentError.tooManyItems }
                if namesNothing, let names { namesNothing = row.item.names(noneOf: names) }
                for (field, result) in zip(fields, row.fields) {
                    faults.note(field, mapping.fields[field] ?? "", result, in: row.item)
                }
                try items.append(sample: JQSearch.sample(without: mapping.fields[.title], in: row.item)) { field in
                    guard let index = fields.firstIndex(of: field), index < row.fields.count else { return [] }
                    return (try? row.fields[index].get()) ?? []
                }
            }
        } catch {
            guard isAccepted, error.kind == .badExpression, error.description.hasPrefix("jq: ") else { throw error }
            throw ContentError(.badExpression, JQSearch.explain(error, of: mapping.items, in: value))
        }
        if rowCount == 0, mapping.when == nil, JQSearch.leadsNowhere(mapping.items, in: value),
            let words = ReportedError.words(of: value, .hasNoList), !ReportedError.isDenied(by: value)
        {
            let remedy = "`when: 'true'` takes it for an empty list"
            throw ContentError(
                .reportsError, "the document has no list, and reports an error (\(remedy)): it says: \(words)")
        }
        var content = DecodedContent(format: .json, items: items.items)
        ItemIdentity.assign(to: &content.items)
        content.selectsNothing = rowCount == 0
        content.namesNothing = rowCount > 0 && namesNothing
        content.remarks =
            rowCount == 0 ? [JQSearch.explainNothing(from: mapping.items, in: value)] : items.remarks + faults.remarks
        return content
    }

    /// What went wrong in fields, told once for each field.
    private struct Faults {
        private var messages: [ContentField: (count: Int, program: String, failure: String)] = [:]

        mutating func note(
            _ field: ContentField, _ program: String, _ result: Result<[String], ContentError>, in item: JSONNode
        ) {
            guard case .failure(let error) = result else { return }
            if messages[field] == nil {
                let sample = JQSearch.culprit(of: program, in: item).map { "in the first \($0)" }
                messages[field] = (0, program, "\(error.description); \(sample ?? "the first is \(item.shape)")")
            }
            messages[field]?.count += 1
        }

        var remarks: [String] {
            ContentField.allCases.compactMap { field in
                messages[field].map { fault in
                    "field \(field.rawValue) \(JQSearch.shown(fault.program)) fails in \(fault.count) "
                        + "\(fault.count == 1 ? "item" : "items"): \(fault.failure)"
                }
            }
        }
    }

    private static func report(_ document: JSONNode, when: String) -> String {
        "the document reports an error: `\(PlainText.line(text: when, limit: 80))` does not hold; "
            + (ReportedError.words(of: document, .isReport).map { "it says: " + $0 } ?? "it is \(document.shape)")
    }
}
