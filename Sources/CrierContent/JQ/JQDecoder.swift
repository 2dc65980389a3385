/// Reads JSON of any shape through the jq programs of a mapping.
///
/// Only what the mapping's fields select leaves the document: API answers may hold access tokens.
public enum JQDecoder {
    /// The items, in the order in which `mapping.items` yields them.
    ///
    /// Without `mapping.items` an array is the items, and an object holds them as `items`. A field's value may be a
    /// text, a number or an array of them; of several, authors, attachments and categories are all, any other field
    /// is the first.
    ///
    /// - Parameter programs: keeps compiled programs from one document to the next.
    /// - Throws: ``ContentError``: `reportsError` where `mapping.when` yields false, null or nothing; `malformed`,
    ///   `badExpression`, `tooLarge`.
    static func decode(
        _ document: ContentDocument, mapping: ContentMapping, programs: JQPrograms = JQPrograms()
    ) throws(ContentError) -> DecodedContent {
        let value = try JSONText.parse(document.body)
        let fields = ContentField.allCases.filter { mapping.fields[$0] != nil }
        let program = try JQMapping(
            when: mapping.when, items: mapping.items, fields: fields.compactMap { mapping.fields[$0] },
            programs: programs)
        var items = MappedItems(mapping: mapping, base: document.url)
        var faults = Faults()
        var rowCount = 0
        do {
            try program.run(on: value) { isAccepted throws(ContentError) in
                guard !isAccepted else { return }
                throw ContentError(.reportsError, Self.report(value, when: mapping.when ?? ""))
            } row: { row throws(ContentError) in
                rowCount += 1
                if rowCount > maximumItems { throw ContentError(.tooLarge, "more than \(maximumItems) items") }
                for (field, result) in zip(fields, row.fields) { faults.note(field, result, shape: row.shape) }
                items.append(shape: row.shape) { field in
                    guard let index = fields.firstIndex(of: field), index < row.fields.count else { return [] }
                    return (try? row.fields[index].get()) ?? []
                }
            }
        } catch {
            throw Self.named(error, items: mapping.items)
        }
        var content = DecodedContent(format: .json, items: items.items)
        ItemIdentity.assign(to: &content.items)
        content.remarks =
            rowCount == 0 ? [Self.explainNothing(value, mapping: mapping)] : items.remarks + faults.remarks
        return content
    }

    static let maximumItems = 10_000

    /// Checks the expressions of a mapping without a document.
    ///
    /// - Throws: ``ContentError`` of the kind `badExpression`, which names the expression at fault.
    public static func check(_ mapping: ContentMapping, programs: JQPrograms = JQPrograms()) throws(ContentError) {
        let fields = ContentField.allCases.compactMap { mapping.fields[$0] }
        _ = try JQMapping(when: mapping.when, items: mapping.items, fields: fields, programs: programs)
    }

    /// What fails at its run is `items`, where it is not `when`, which says so itself: fields fail by themselves.
    private static func named(_ error: ContentError, items: String?) -> ContentError {
        guard let items, error.description.hasPrefix("jq: "), !error.description.hasPrefix("jq: `when`") else {
            return error
        }
        return ContentError(error.kind, "`\(PlainText.line(text: items, limit: 80))`: \(error.description)")
    }

    /// What went wrong in fields, told once for each field.
    private struct Faults {
        private var messages: [ContentField: (count: Int, message: String, shape: String)] = [:]

        mutating func note(_ field: ContentField, _ result: Result<[String], ContentError>, shape: String) {
            guard case .failure(let error) = result else { return }
            messages[field, default: (0, error.description, shape)].count += 1
        }

        var remarks: [String] {
            ContentField.allCases.compactMap { field in
                messages[field].map { fault in
                    "field \(field.rawValue) fails in \(fault.count) \(fault.count == 1 ? "item" : "items"): "
                        + "\(fault.message); the first is \(fault.shape)"
                }
            }
        }
    }

    /// The document's own words about its failure, from the members that usually hold them.
    private static func report(_ document: borrowing JQValue, when: String) -> String {
        let sentence = "the document reports an error: `\(PlainText.line(text: when, limit: 80))` does not hold"
        for path in [".msg", ".message", ".error", ".error.message", ".error_description", ".detail", ".reason"] {
            var message: String?
            try? JQPath(path)?.run(on: document) { value throws(ContentError) in
                message = value.string
                return false
            }
            if let message, !message.isEmpty {
                return sentence + "; it says: " + PlainText.line(text: message, limit: 200)
            }
        }
        return sentence + "; it is \(document.shape)"
    }

    /// Why there are no items: how far the path gets, or what the document is.
    private static func explainNothing(_ document: borrowing JQValue, mapping: ContentMapping) -> String {
        guard let items = mapping.items else {
            return "no items: the document is \(document.shape), and the mapping has no `items`"
        }
        let sentence = "no items from `\(PlainText.line(text: items, limit: 80))`: "
        guard let path = JQPath(items), case .steps(let steps)? = path.alternatives.first else {
            return sentence + "the document is \(document.shape)"
        }
        var furthest = 0
        var shape = document.shape
        for length in 1..<max(2, steps.count + 1) where length <= steps.count {
            var found: String?
            try? JQPath.walkFirst(steps[..<length], from: document) { found = $0.shape }
            guard let found else { break }
            furthest = length
            shape = found
        }
        return sentence + "`\(JQPath.text(of: steps[..<furthest]))` is \(shape)"
    }
}

extension JQPath {
    /// Hands the first value that steps lead to, if any, to `body`.
    static func walkFirst(
        _ steps: ArraySlice<Step>, from value: borrowing JQValue, _ body: (borrowing JQValue) -> Void
    ) throws(ContentError) {
        _ = try walk(steps, from: value) { value throws(ContentError) in
            body(value)
            return false
        }
    }

    /// The program that steps were read from.
    static func text(of steps: ArraySlice<Step>) -> String {
        let text = steps.map { step in
            switch step {
            case .member(let name, _):
                name.utf8.allSatisfy { $0.isASCIILetter || $0 == 0x5F } ? ".\(name)" : "[\"\(name)\"]"
            case .element(let index, _): "[\(index)]"
            case .iterate: "[]"
            }
        }.joined()
        return text.hasPrefix(".") ? text : "." + text
    }
}
