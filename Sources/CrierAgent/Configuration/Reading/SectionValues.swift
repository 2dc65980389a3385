import CrierFetch
import CrierHTTP
import CrierProcess

import struct Foundation.TimeZone

/// The values of a section's options, by key; absent keys have the default of their row.
struct SectionValues {
    /// What the file gives, by the index of its row. Values that are not of their row's type are nil.
    private var given: [(row: Int, position: FilePosition, value: OptionValue?)] = []
    private let rows: OptionRows
    /// Whether the file also gives keys that are not known, one of which may be meant for a missing one.
    var hasUnknownKeys = false

    init(of rows: OptionRows) {
        self.rows = rows
    }

    /// - Parameter row: Its index.
    mutating func give(_ row: Int, _ value: OptionValue?, at position: FilePosition) {
        given.append((row, position, value))
    }

    subscript(key: String) -> OptionValue? {
        guard let row = rows.index(of: key) else { return nil }
        for index in given.indices where given[index].row == row { return given[index].value ?? rows.defaults[row] }
        return rows.defaults[row]
    }

    /// Where the file gives a key, if it does.
    func position(of key: String) -> FilePosition? {
        guard let row = rows.index(of: key) else { return nil }
        for index in given.indices where given[index].row == row { return given[index].position }
        return nil
    }

    /// - Parameter path: That of the section.
    func notePositions(in places: inout RemarkPlaces, of path: String) {
        for (row, position, _) in given { places["\(path).\(rows.rows[row].key)"] = position }
    }

    func text(_ key: String) -> String? {
        if case .text(let text) = self[key] { text } else { nil }
    }
    func count(_ key: String) -> Int? {
        if case .count(let count) = self[key] { count } else { nil }
    }
    func flag(_ key: String) -> Bool? {
        if case .flag(let flag) = self[key] { flag } else { nil }
    }
    func duration(_ key: String) -> Duration? {
        if case .duration(let duration) = self[key] { duration } else { nil }
    }
    func timeZone(_ key: String) -> TimeZone? {
        if case .timeZone(let zone) = self[key] { zone } else { nil }
    }
    func calendar(_ key: String) -> CalendarExpression? {
        if case .calendar(let expression) = self[key] { expression } else { nil }
    }
    func list(_ key: String) -> [Located<String>]? {
        if case .list(let list) = self[key] { list } else { nil }
    }
    func mapping(_ key: String) -> [(key: String, value: Located<String>)] {
        if case .mapping(let mapping) = self[key] { mapping } else { [] }
    }
    func rules(_ key: String) -> [SectionValues] {
        if case .rules(let rules) = self[key] { rules } else { [] }
    }
    func httpFields(_ key: String) -> [SourceRequest.Field] {
        if case .httpFields(let fields) = self[key] { fields } else { [] }
    }
    func textOrSecret(_ key: String) -> TextOrSecret? {
        if case .textOrSecret(let text) = self[key] { text } else { nil }
    }
    func authorization(_ key: String) -> SourceRequest.Authorization? {
        if case .authorization(let authorization) = self[key] { authorization } else { nil }
    }
    func secrets(_ key: String) -> [String: SecretReference] {
        if case .secrets(let secrets) = self[key] { secrets } else { [:] }
    }
    func secret(_ key: String) -> SecretReference? {
        if case .secret(let secret) = self[key] { secret } else { nil }
    }
}

extension ConfigurationReader {
    /// Reads the options of a section; reports unknown keys and values that are not of their row's type.
    mutating func read(_ section: Section, path: String, rows options: OptionRows) -> SectionValues {
        var result = SectionValues(of: options)
        for entry in section.entries {
            guard let index = options.index(of: entry.key) else {
                result.hasUnknownKeys = true
                let known = options.rows.map(\.key) + section.otherKeys
                let meant = nearest(to: entry.key, among: known)
                let unknown = ValueComplaint(
                    "unknown key \(quoted(entry.key))", expected: meant == nil ? listed(known, "or") : nil,
                    suggestion: meant)
                let slip = ValueComplaint(ofTightColonIn: entry.key) ?? ValueComplaint(ofIndentationIn: entry.key)
                report(slip ?? unknown, at: entry.position, path: path)
                continue
            }
            let value = value(
                of: entry.value, type: options.rows[index].type, path: path.isEmpty ? entry.key : "\(path).\(entry.key)"
            )
            result.give(index, value, at: entry.value.position)
        }
        for row in options.required where !result.hasUnknownKeys && result.position(of: row.key) == nil {
            report(
                ValueComplaint("\(quoted(row.key)) is missing", expected: row.type.expectation), at: section.position,
                path: path)
        }
        return result
    }

    /// - Parameter path: Put together where there is something to report.
    private mutating func value(of node: YAMLNode, type: OptionType, path: @autoclosure () -> String) -> OptionValue? {
        guard visit(node) else { return nil }
        switch type {
        case .command:
            guard let words = texts(node, type: type, path: path()) else { return nil }
            if let complaint = OptionType.complaint(ofCommand: words.map(\.value)) {
                report(complaint, at: node.position, path: path())
                return nil
            }
            return .list(words)
        case .names, .texts, .periods:
            if node.isScalar { return text(node, type: type, path: path()).map { .list([$0]) } }
            return texts(node, type: type, path: path()).map { .list($0) }
        case .mailAddresses, .choices:
            return checkedTexts(node, type: type, path: path())
        case .fields:
            return mapping(node, type: type, path: path())
        case .rules(let section):
            return rules(node, section: section, type: type, path: path())
        case .headers(let isOfWebhook):
            let own = isOfWebhook ? Self.ownWebhookFields : Self.ownFields
            let around = isOfWebhook ? OptionRows(OptionTable.rows(in: "sinks.*", sink: .webhook)) : .ofSources
            return httpFields(node, type: type, own: own, around: around, path: path()).map { .httpFields($0) }
        case .authorization:
            return authorization(node, path: path()).map { .authorization($0) }
        case .secret:
            return secret(node, path: path()).map { .secret($0) }
        case .secrets:
            return secrets(node, path: path()).map { .secrets($0) }
        case .secretURL where node.mapping != nil:
            return secret(node, path: path()).map { .textOrSecret(.secret($0)) }
        case .text, .choice, .flag, .secretURL, .duration, .timeZone, .url, .expression, .path, .template, .mailAddress,
            .count,
            .calendar, .port, .line, .topic, .room:
            guard let text = text(node, type: type, path: path()) else { return nil }
            do throws(ValueComplaint) {
                if type == .flag, !node.isPlain {
                    throw ValueComplaint("text in quotes", expected: type.expectation)
                }
                return try type.value(of: text.value)
            } catch {
                report(error, at: node.position, path: path())
                return nil
            }
        }
    }

    /// A scalar as it is written: `title: 2024` and `title: no` are text, since only text can be meant.
    func scalarText(_ node: YAMLNode) throws(ValueComplaint) -> String {
        if let tag = node.tag, !tag.hasPrefix("tag:yaml.org,2002:") {
            throw ValueComplaint("a value cannot begin with !", expected: "the value in quotes")
        }
        guard !node.isNothing, let text = node.text else {
            throw ValueComplaint("\(node.kindInWords) where a single value should be")
        }
        return text
    }

    private mutating func text(
        _ node: YAMLNode, type: OptionType, path: @autoclosure () -> String
    ) -> Located<String>? {
        do {
            return Located(try scalarText(node), node.position)
        } catch {
            report(
                ValueComplaint(error.message, expected: error.expected ?? type.expectation), at: node.position,
                path: path())
            return nil
        }
    }

    private mutating func filledList(_ node: YAMLNode, type: OptionType, path: String) -> YAMLSequence? {
        if let sequence = node.sequence, !sequence.isEmpty { return sequence }
        let found = node.sequence == nil ? "\(node.kindInWords) where a list should be" : "an empty list"
        report(ValueComplaint(found, expected: type.expectation), at: node.position, path: path)
        return nil
    }

    private mutating func texts(_ node: YAMLNode, type: OptionType, path: String) -> [Located<String>]? {
        guard let sequence = filledList(node, type: type, path: path) else { return nil }
        var texts: [Located<String>] = []
        for element in sequence {
            guard visit(element) else { return nil }
            if let text = text(element, type: .text, path: path) { texts.append(text) }
        }
        return texts.count == sequence.count ? texts : nil
    }

    private mutating func checkedTexts(_ node: YAMLNode, type: OptionType, path: String) -> OptionValue? {
        let found =
            node.isScalar ? text(node, type: type, path: path).map { [$0] } : texts(node, type: type, path: path)
        for text in found ?? [] {
            do throws(ValueComplaint) { _ = try type.value(of: text.value) } catch {
                report(error, at: text.position, path: path)
            }
        }
        return found.map { .list($0) }
    }

    /// What can be read, for other mistakes to be found in it.
    private mutating func mapping(_ node: YAMLNode, type: OptionType, path: String) -> OptionValue? {
        let section = section(node, key: nil, path: path, expected: type.expectation)
        var result: [(key: String, value: Located<String>)] = []
        for entry in section.entries {
            if let complaint = fieldComplaint(entry.key) { report(complaint, at: entry.position, path: path) }
            if visit(entry.value), let text = text(entry.value, type: .text, path: "\(path).\(entry.key)") {
                result.append((entry.key, text))
            }
        }
        return .mapping(result)
    }

    private mutating func rules(_ node: YAMLNode, section: String, type: OptionType, path: String) -> OptionValue? {
        guard let sequence = filledList(node, type: type, path: path) else { return nil }
        let rows = OptionTable.rows(in: section)
        var rules: [SectionValues] = []
        for element in sequence {
            guard visit(element) else { return nil }
            let entries = self.section(element, key: nil, path: path, expected: type.expectation)
            noteTagSlips(entries.entries.first { $0.key == "tags" }?.value, path: path)
            rules.append(read(entries, path: path, rows: OptionRows(rows)))
        }
        return .rules(rules)
    }

    private func fieldComplaint(_ name: String) -> ValueComplaint? {
        guard !SourceFields.names.contains(name) else { return nil }
        return ValueComplaint(
            "unknown field \(quoted(name))", expected: listed(SourceFields.names, "or"),
            suggestion: nearest(to: name, among: SourceFields.names))
    }

    /// The value may be a password, and is not repeated.
    func headerComplaint(_ entry: Entry) -> ValueComplaint? {
        guard entry.key.isToken else {
            // Behind a colon may be what is secret, and behind a blank, where a colon is missing.
            let name = entry.key.prefix { $0 != ":" }
            if name.endIndex < entry.key.endIndex, String(name).isToken { return .tightColon(behind: name) }
            let word = name.prefix { $0 != " " }
            if word.endIndex < name.endIndex {
                return ValueComplaint(
                    "a blank behind \(quoted(String(word))) in the name of an HTTP field",
                    expected: "letters, digits and hyphens, then a colon")
            }
            return ValueComplaint(
                "\(quoted(String(name))) is no name of an HTTP field", expected: "letters, digits and hyphens")
        }
        let value = entry.value.text ?? ""
        return OptionType.complaint(ofLine: value, called: "the value of \(quoted(entry.key))")
    }
}
