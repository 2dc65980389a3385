/// One part of the reference of all keys, which README's tables and the manual page are made from. Texts are in Markdown.
package struct ReferenceSection {
    package struct Key {
        package let name: String
        /// The kind of sink that has it; nil for all, and outside `sinks`.
        package let sink: String?
        package let takes: String
        /// What holds where it is absent; nil is nothing.
        package let absent: String?
        package let summary: String
        /// As YAML.
        package let example: String
    }

    /// Where its keys stand, such as `sources.NAME`; nil at the top.
    package let place: String?
    package let summary: String?
    package let keys: [Key]

    /// In the order of the reference.
    static var all: [ReferenceSection] {
        [
            ReferenceSection(nil, in: ""),
            ReferenceSection("rules", in: OptionTable.commonRulesSection, OptionSections.commonRules),
            ReferenceSection("sinks.NAME", in: "sinks.*", OptionSections.sinks),
            ReferenceSection("digests.NAME", in: "digests.*", OptionSections.digests),
            ReferenceSection("sources.NAME", in: "sources.*", OptionSections.sources),
            ReferenceSection("sources.NAME.rules", in: OptionTable.rulesSection, OptionSections.rules),
            ReferenceSection("hosts.NAME", in: "hosts.*", OptionSections.hosts),
        ]
    }

    private init(_ place: String?, in section: String, _ summary: String? = nil) {
        self.place = place
        self.summary = summary
        keys = OptionTable.rows.filter { $0.section == section }.map(Key.init)
    }
}

extension ReferenceSection.Key {
    fileprivate init(_ row: Option) {
        name = row.key
        sink = row.sink?.rawValue
        takes = row.type.words
        absent =
            switch row.fallback {
            case .value(let text): "`\(text)`"
            case .words(let words): words
            case .none: nil
            case .required: "required"
            }
        summary = row.summary
        example = row.example
    }
}
