extension ConfigurationReader {
    /// One entry of `sinks`; nil if it has a problem.
    mutating func readSink(_ entry: Entry) -> SinkConfiguration? {
        let path = "sinks.\(entry.key)"
        let count = problems.count
        let section = section(
            entry.value, key: entry.position, path: path, expected: "the settings of a sink, such as {kind: desktop}")
        guard problems.count == count, let kind = readKind(section, name: entry.key, path: path) else { return nil }
        let values = read(section, path: path, rows: OptionRows(OptionTable.rows(in: "sinks.*", sink: kind)))
        guard problems.count == count, let settings = settings(kind, values) else { return nil }
        return SinkConfiguration(name: entry.key, settings: settings)
    }

    private mutating func readKind(_ section: Section, name: String, path: String) -> SinkKind? {
        guard let row = OptionTable.rows(in: "sinks.*").first(where: { $0.key == "kind" }) else { return nil }
        let known = Section(position: section.position, entries: section.entries.filter { $0.key == row.key })
        let values = read(known, path: path, rows: OptionRows([row]))
        if let text = values.text(row.key) { return SinkKind(rawValue: text) }
        guard known.entries.isEmpty else { return nil }
        if let kind = SinkKind(rawValue: name) { return kind }
        let kinds = SinkKind.allCases.map(\.rawValue)
        report(
            ValueComplaint(
                "\"kind\" is missing, and the name is not a kind", expected: "kind: \(listed(kinds, "or"))",
                suggestion: nearest(to: name, among: kinds)),
            at: section.position, path: path)
        return nil
    }

    private func settings(_ kind: SinkKind, _ values: SectionValues) -> SinkSettings? {
        switch kind {
        case .stdout:
            guard let format = values.text("format").flatMap(StdoutSinkSettings.Format.init) else { return nil }
            return .stdout(StdoutSinkSettings(format: format))
        case .desktop:
            guard let appName = values.text("app-name"), let category = values.text("category") else { return nil }
            return .desktop(
                DesktopSinkSettings(
                    appName: appName, icon: values.text("icon"), category: category,
                    timeout: values.duration("timeout")))
        case .webhook:
            guard let url = values.text("url"), let timeout = values.duration("timeout") else { return nil }
            let headers = values.mapping("headers").map { ($0.key, $0.value.value) }
            return .webhook(
                WebhookSinkSettings(
                    url: url, secret: values.secret("secret"), headers: Dictionary(headers) { first, _ in first },
                    timeout: timeout))
        }
    }
}
