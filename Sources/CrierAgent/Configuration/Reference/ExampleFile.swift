/// The example configuration: prose after `# `, keys after `#` alone, so that removing a `#` switches a key on.
enum ExampleFile {
    static var text: String {
        var lines = [
            "# yaml-language-server: $schema=./crier.schema.json",
            "#",
            "# Every key of Crier's configuration. A key stands behind its # at its default, or with an example if it has",
            "# no default that can be written down. Remove the # to switch it on; sources are all that a file needs.",
            "# Times are written 90s, 15m, 1h30m, 2d or 1w.",
            "",
        ]
        lines += OptionTable.rows(in: "").flatMap { entry($0, indentation: "") }
        lines += ["# \(OptionSections.sinks)", "sinks:"]
        for kind in SinkKind.allCases {
            lines += ["  #\(kind.rawValue):"]
            lines += OptionTable.rows(in: "sinks.*", sink: kind).flatMap {
                entry($0, value: $0.key == "kind" ? kind.rawValue : nil, indentation: "    ")
            }
        }
        lines += ["# \(OptionSections.digests)", "digests:", "  #morning:"]
        lines += OptionTable.rows(in: "digests.*").flatMap { entry($0, indentation: "    ") }
        lines += ["# \(OptionSections.sources)", "sources:", "  #example:"]
        lines += OptionTable.rows(in: "sources.*").flatMap { entry($0, indentation: "    ") }
        lines += ["# \(OptionSections.hosts)", "hosts:", "  #api.example.org:"]
        lines += OptionTable.rows(in: "hosts.*").flatMap { entry($0, indentation: "    ") }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func entry(_ row: Option, value: String? = nil, indentation: String) -> [String] {
        var sentence = row.summary
        var shown = value ?? row.example
        switch row.fallback {
        case .value(let text): shown = text
        case .words(let words): sentence += " Default: \(words)."
        case .required: sentence += " Required."
        case .none: break
        }
        return ["\(indentation)# \(sentence)", "\(indentation)#\(row.key): \(shown)", ""]
    }
}
