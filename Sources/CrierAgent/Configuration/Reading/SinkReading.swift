import CrierProcess

import class Foundation.ProcessInfo

extension ConfigurationReader {
    /// One entry of `sinks`; nil if it has a problem.
    mutating func readSink(_ entry: Entry) -> SinkConfiguration? {
        let path = "sinks.\(entry.key)"
        let count = problems.count
        let section = section(
            entry.value, key: entry.position, path: path, expected: "the settings of a sink, such as {kind: desktop}")
        guard problems.count == count, let kind = readKind(section, name: entry.key, path: path) else { return nil }
        let values = read(section, path: path, rows: OptionRows(OptionTable.rows(in: "sinks.*", sink: kind)))
        if kind == .email { checkLogin(section, values, path: path) }
        checkPath(values, path: path)
        guard problems.count == count, let settings = SinkSettings(kind, values) else { return nil }
        places[path] = entry.position
        values.notePositions(in: &places, of: path)
        return SinkConfiguration(
            name: entry.key, settings: settings, isOrdered: values.flag("ordered") ?? false,
            showsImages: values.flag("images") ?? true)
    }

    private mutating func readKind(_ section: Section, name: String, path: String) -> SinkKind? {
        guard let row = OptionTable.rows(in: "sinks.*").first(where: { $0.key == "kind" }) else { return nil }
        let known = Section(position: section.position, entries: section.entries.filter { $0.key == row.key })
        let values = read(known, path: path, rows: OptionRows([row]))
        if let text = values.text(row.key) { return SinkKind(rawValue: text) }
        guard known.entries.isEmpty else { return nil }
        if let kind = SinkKind(rawValue: name) { return kind }
        if let slip = section.entries.first(where: { nearest(to: $0.key, among: [row.key]) != nil }) {
            report(
                ValueComplaint("unknown key \(quoted(slip.key))", suggestion: row.key), at: slip.position, path: path)
            return nil
        }
        let kinds = SinkKind.allCases.map(\.rawValue)
        report(
            ValueComplaint(
                "\"kind\" is missing, and the name is not a kind", expected: "kind: \(listed(kinds, "or"))",
                suggestion: nearest(to: name, among: kinds)),
            at: section.position, path: path)
        return nil
    }

    /// What is written there would be the end of this file.
    private mutating func checkPath(_ values: SectionValues, path: String) {
        guard let position = values.position(of: "path"),
            let place = HomePath.expanded(values.text("path") ?? "", home: ProcessInfo.processInfo.environment["HOME"]),
            SymbolicLinks.resolved(place) == SymbolicLinks.resolved(file)
        else { return }
        report(
            ValueComplaint("the path of this configuration itself", expected: "that of another file"), at: position,
            path: "\(path).path")
    }

    /// A login takes two, and no password goes over a network in the clear.
    private mutating func checkLogin(_ section: Section, _ values: SectionValues, path: String) {
        for (key, other) in [("user", "password"), ("password", "user")] {
            guard let position = values.position(of: key), values.position(of: other) == nil else { continue }
            report(
                ValueComplaint("\(quoted(key)) without \(quoted(other))", expected: "both or none"), at: position,
                path: "\(path).\(key)")
        }
        let server = values.text("server").flatMap { try? WebAddress($0, schemes: ["smtps", "smtp"]) }
        guard let server, server.scheme == "smtp", !server.isLocal, values.text("encryption") == "none",
            let position = values.position(of: "password")
        else { return }
        report(
            ValueComplaint(
                "the password would be sent unencrypted", expected: "encryption: starttls, or an smtps address"),
            at: position, path: "\(path).password")
    }
}
