/// The rows of one section, which are read once for all sources.
struct OptionRows: Sendable {
    let rows: [Option]
    /// Of each row.
    let defaults: [OptionValue?]
    /// Those whose keys must be there.
    let required: [Option]
    private let keys: [String]
    /// The rows whose keys share a length and a first letter, or about those. Some thirty keys are looked up for each source: a dictionary's
    /// hash of each takes longer than reading the YAML.
    private let shelves: [[Int]]

    init(_ rows: [Option]) {
        self.rows = rows
        required = rows.filter { $0.fallback == .required }
        defaults = rows.map { row in
            if case .value(let text) = row.fallback { try? row.type.value(of: text) } else { nil }
        }
        keys = rows.map(\.key)
        var shelves = [[Int]](repeating: [], count: Self.shelfCount)
        for (index, key) in keys.enumerated() { shelves[Self.shelf(of: key)].append(index) }
        self.shelves = shelves
    }

    /// The index of a key's row.
    func index(of key: String) -> Int? { shelves[Self.shelf(of: key)].first { keys[$0] == key } }

    private static let shelfCount = 128

    private static func shelf(of key: String) -> Int {
        (key.utf8.count &* 26 &+ Int(key.utf8.first ?? 0)) % shelfCount
    }

    static let ofSources = OptionRows(OptionTable.rows(in: "sources.*"))
}
