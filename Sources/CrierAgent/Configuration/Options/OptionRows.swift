/// The rows of one section with their defaults, which are read once for all sources.
struct OptionRows: Sendable {
    let rows: [Option]
    /// Indices into the rows.
    let byKey: [String: Int]
    /// By key.
    let defaults: [String: OptionValue]
    /// Those whose keys must be there.
    let required: [Option]

    init(_ rows: [Option]) {
        self.rows = rows
        required = rows.filter { $0.fallback == .required }
        var defaults: [String: OptionValue] = [:]
        for row in rows {
            if case .value(let text) = row.fallback { defaults[row.key] = try? row.type.value(of: text) }
        }
        self.defaults = defaults
        byKey = Dictionary(rows.enumerated().map { ($0.element.key, $0.offset) }) { first, _ in first }
    }

    static let ofSources = OptionRows(OptionTable.rows(in: "sources.*"))
}
