/// The `when`, `items` and `fields` of a mapping, ready to run over a document.
///
/// Where all of them are plain paths none is compiled; else all are one program, so that only one is compiled.
enum JQMapping {
    case paths(when: JQPath?, items: JQPath, fields: [JQPath])
    case program(JQProgram)

    /// An array is the items; an object holds them as `items`.
    static let defaultItems = "if type == \"array\" then .[] else .items?[]? end"

    /// - Parameter fields: in the order in which ``Row/fields`` will have them.
    init(
        when: String?, items: String?, fields: [String], programs: JQPrograms
    ) throws(ContentError) {
        let whenPath = when.flatMap { JQPath($0) }
        let itemsPath = items.flatMap { JQPath($0) }
        let fieldPaths = fields.compactMap { JQPath($0) }
        if (when == nil) == (whenPath == nil), let itemsPath, fieldPaths.count == fields.count {
            self = .paths(when: whenPath, items: itemsPath, fields: fieldPaths)
            return
        }
        let items = items ?? Self.defaultItems
        do {
            self = .program(try programs.program(Self.text(when: when, items: items, fields: fields)))
        } catch {
            // The part at fault is told in its own words and with its own lines.
            for part in [when, items].compactMap({ $0 }) + fields {
                do { _ = try JQProgram(part) } catch {
                    throw ContentError(error.kind, "`\(PlainText.line(text: part, limit: 80))`: \(error.description)")
                }
            }
            throw error
        }
    }

    /// First what `when` gives, then an array for each item: its own shape and what each field gives.
    private static func text(when: String?, items: String, fields: [String]) -> String {
        let columns = fields.map { "(try {v: [limit(100; (\($0)\n))]} catch {e: tostring})" }
        return "(try {v: [(\(when ?? "true")\n)]} catch {e: tostring}), ((\(items)\n) | [., "
            + (columns + ["null"]).joined(separator: ", ") + "])"
    }

    /// One item as the programs see it.
    struct Row {
        /// What each field yields, or jq's message.
        var fields: [Result<[String], ContentError>]
        /// For remarks.
        var item: JSONNode
    }

    /// - Parameters:
    ///   - identifier: which of the fields is the identifier, if any: of it an object or an array counts as a whole.
    ///   - isAccepted: told what `when` yields; false stops the run.
    func run(
        on document: JSONNode, identifier: Int? = nil, isAccepted: (Bool) throws(ContentError) -> Void,
        row: (Row) throws(ContentError) -> Void
    ) throws(ContentError) {
        switch self {
        case .paths(let when, let items, let fields):
            if let when { try isAccepted(Self.isTruthy(when, document)) } else { try isAccepted(true) }
            try items.run(on: document) { item throws(ContentError) in
                let fields = fields.indices.map { Self.texts(fields[$0], item, isWhole: $0 == identifier) }
                try row(Row(fields: fields, item: item))
                return true
            }
        case .program(let program):
            var isFirst = true
            try program.run(on: document) { output throws(ContentError) in
                if isFirst {
                    isFirst = false
                    try isAccepted(Self.isTruthy(output))
                    return true
                }
                try row(Self.row(output, identifier: identifier))
                return true
            }
        }
    }

    private static func isTruthy(_ path: JQPath, _ document: JSONNode) throws(ContentError) -> Bool {
        var count = 0
        var isTruthy = true
        do {
            try path.run(on: document) { value throws(ContentError) in
                count += 1
                isTruthy = isTruthy && value.isTruthy
                return true
            }
        } catch {
            throw ContentError(error.kind, "jq: `when`: " + error.description.trimmingPrefix("jq: "))
        }
        return count > 0 && isTruthy
    }

    private static func isTruthy(_ output: JSONNode) throws(ContentError) -> Bool {
        if let message = output["e"].string { throw ContentError(.badExpression, "jq: `when`: \(message)") }
        let values = output["v"]
        return values.count > 0 && values.elements.allSatisfy(\.isTruthy)
    }

    private static func texts(
        _ path: JQPath, _ item: JSONNode, isWhole: Bool
    ) -> Result<[String], ContentError> {
        var texts: [String] = []
        do {
            try path.run(on: item) { value throws(ContentError) in
                if isWhole { appendWhole(value, to: &texts) } else { append(value, to: &texts) }
                return true
            }
            return .success(texts)
        } catch {
            return .failure(error)
        }
    }

    private static func row(_ output: JSONNode, identifier: Int?) -> Row {
        var fields: [Result<[String], ContentError>] = []
        for column in output.elements.dropFirst().dropLast() {
            if let message = column["e"].string {
                fields.append(
                    .failure(ContentError(.badExpression, "jq: " + PlainText.line(text: message, limit: 200))))
                continue
            }
            var texts: [String] = []
            if fields.count == identifier {
                for value in column["v"].elements { appendWhole(value, to: &texts) }
            } else {
                append(column["v"], to: &texts)
            }
            fields.append(.success(texts))
        }
        return Row(fields: fields, item: output[0])
    }

    /// The text or number that a value is, or all of its JSON: `{"$oid": "…"}`. An array of one is that one.
    private static func appendWhole(_ value: JSONNode, to texts: inout [String]) {
        if let text = value.text { return texts.append(text) }
        switch (value.kind, value.count) {
        case (.array, 1): appendWhole(value[0], to: &texts)
        case (.array, 2...), (.object, 1...): texts.append(value.canonicalText)
        default: break
        }
    }

    /// The texts and numbers of a value, arrays taken apart.
    private static func append(_ value: JSONNode, to texts: inout [String], depth: Int = 0) {
        if let text = value.text { texts.append(text) }
        guard depth < 3 else { return }
        for element in value.elements.prefix(1000) { append(element, to: &texts, depth: depth + 1) }
    }
}

extension ContentMapping {
    /// Whether reading a document waits for libjq: plain paths are followed without it.
    public var runsPrograms: Bool {
        guard format == .json || format == .jsonFeed else { return false }
        let mapped = format == .json ? [items ?? JQMapping.defaultItems] + fields.values : []
        return !(mapped + [when].compactMap(\.self)).allSatisfy { JQPath($0) != nil }
    }
}
