/// The reference in README: one table for each section.
enum ReferenceTables {
    static var text: String {
        var blocks = [table(OptionTable.rows(in: ""))]
        blocks.append("`rules`: \(OptionSections.commonRules)")
        blocks.append(table(OptionTable.rows(in: OptionTable.commonRulesSection)))
        blocks.append("`sinks.NAME`: \(OptionSections.sinks)")
        blocks.append(table(OptionTable.rows.filter { $0.section == "sinks.*" }))
        blocks.append("`sources.NAME`: \(OptionSections.sources)")
        blocks.append(table(OptionTable.rows(in: "sources.*")))
        blocks.append("`sources.NAME.rules`: \(OptionSections.rules)")
        blocks.append(table(OptionTable.rows(in: OptionTable.rulesSection)))
        blocks.append("`hosts.NAME`: \(OptionSections.hosts)")
        blocks.append(table(OptionTable.rows(in: "hosts.*")))
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private static func table(_ rows: [Option]) -> String {
        (["| key | takes | default | |", "|---|---|---|---|"] + rows.map(line)).joined(separator: "\n")
    }

    private static func line(_ row: Option) -> String {
        let key = row.sink.map { "`\(row.key)` (\($0.rawValue))" } ?? "`\(row.key)`"
        let absent =
            switch row.fallback {
            case .value(let text): "`\(text)`"
            case .words(let words): words
            case .none: ""
            case .required: "required"
            }
        let summary = "\(row.summary) Example: `\(row.example)`"
        let cells = [key, row.type.words, absent, summary].map { $0.replacing("|", with: "\\|") }
        return "| " + cells.joined(separator: " | ") + " |"
    }
}
