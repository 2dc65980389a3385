/// The reference in README: one table for each section.
enum ReferenceTables {
    static var text: String {
        (ReferenceSection.all.map(blocks) + [OptionSections.own]).joined(separator: "\n\n") + "\n"
    }

    private static func blocks(_ section: ReferenceSection) -> String {
        let table = (["| key | takes | default | |", "|---|---|---|---|"] + section.keys.map(line)).joined(
            separator: "\n")
        guard let place = section.place, let summary = section.summary else { return table }
        return "`\(place)`: \(summary)\n\n\(table)"
    }

    private static func line(_ key: ReferenceSection.Key) -> String {
        let name = key.sink.map { "`\(key.name)` (\($0))" } ?? "`\(key.name)`"
        let cells = [name, key.takes, key.absent ?? "", "\(key.summary) Example: `\(key.example)`"]
        return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }
}
