import CrierAgent

extension ManualPage {
    /// `crier.yaml(5)`: every key, from the table that the program itself reads by.
    static func ofConfiguration() -> ManualPage {
        var page = ManualPage("crier.yaml", section: 5, summary: "configuration of crier(1)")
        page.heading("SYNOPSIS")
        page.paragraph("`$XDG_CONFIG_HOME/crier/crier.yaml`")
        page.heading("DESCRIPTION")
        page.paragraph(
            """
            What Crier fetches, how it is read, what of it is told, and where. It is YAML and yours: `crier-add(1)`, \
            `crier-remove(1)` and `crier-import(1)` keep your comments, and no other command writes to it. Keys that are not \
            there have their default. A mistake is told with line, column and what was expected; `crier-check(1)` finds them \
            all, and a source that has one stops no other.
            """)
        page.paragraph(ConfigurationReference.ownKeys)
        page.heading("KEYS")
        for section in ConfigurationReference.sections { page.keys(of: section) }
        page.heading("TEMPLATES")
        page.paragraph(ConfigurationReference.templates)
        page.heading("EXAMPLES")
        page.paragraph(
            "A blog; the releases of a project, at once; and an API, once a day, which a digest sums up, too:")
        page.example(exampleConfiguration.split(separator: "\n", omittingEmptySubsequences: false))
        page.heading("SEE ALSO")
        page.paragraph("`crier(1)`, `crier-add(1)`, `crier-check(1)`, `crier-try(1)`, `jq(1)`, `systemd.time(7)`")
        return page
    }

    /// Keys that all sinks have come first, then those of each kind under a title of their own.
    private mutating func keys(of section: ReferenceSection) {
        subheading(section.place ?? "At the top")
        if let summary = section.summary { paragraph(summary) }
        entries(section.keys.filter { $0.sink == nil })
        var kinds: [String] = []
        for case let kind? in section.keys.map(\.sink) where !kinds.contains(kind) { kinds.append(kind) }
        for kind in kinds {
            subheading("sinks.NAME of the kind \(kind)")
            entries(section.keys.filter { $0.sink == kind })
        }
    }

    private mutating func entries(_ keys: [ReferenceSection.Key]) {
        for key in keys {
            let absent =
                switch key.absent {
                case "required": " Required."
                case let words?: " Default: \(words)."
                case nil: ""
                }
            entry(
                Roff.bold(key.name), key.summary, "Takes \(key.takes).\(absent)",
                "Example: `\(key.name): \(key.example)`")
        }
    }

    static let exampleConfiguration = """
        quiet-hours: 22:30-07:30

        sinks:
          desktop: {}
          team:
            kind: webhook
            url: https://hooks.example.org/in
            secret: {env: TEAM_SECRET}

        digests:
          morning: {at: 'mon..fri 08:30', sources: [posts], to: desktop}

        sources:
          blog:
            url: https://blog.example.org/feed.xml
          releases:
            url: https://example.org/releases.atom
            only: '.title | test("stable")'
            every: 6h
            level: time-sensitive
            to: [desktop, team]
          posts:
            url: https://api.example.org/posts
            format: json
            items: .posts[]
            fields: {id: .id, title: .name, url: .link}
            notify: daily
        """
}
