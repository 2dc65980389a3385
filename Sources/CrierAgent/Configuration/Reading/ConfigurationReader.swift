import CrierFetch
import CrierHTTP

import struct Foundation.TimeZone

/// Reads a document by the rows of ``OptionTable`` and collects every problem on the way.
struct ConfigurationReader {
    let file: String
    let validateExpression: ExpressionValidator?
    /// Of digests that name none.
    let language: Digest.Language
    var problems: [ConfigurationProblem] = []
    /// The source that is being read: what is wrong now spoils only it.
    var source: String?
    /// Of sources with a mistake beside it.
    var addresses: [String: SourceAddress] = [:]
    /// Of conditions on items; nil where there is none.
    var slips: [String: ValueComplaint?] = [:]
    /// Of what may come to nothing.
    var places: RemarkPlaces
    /// How many more nodes may be visited: as many as a file of its length can have, and some for aliases. Few of
    /// those can stand for more nodes than memory holds.
    private(set) var nodesLeft: Int
    private static let maximumNodesOfAliases = 100_000
    private var hasTooManyNodes = false

    /// - Parameter byteCount: The length of the text.
    init(file: String, byteCount: Int, language: Digest.Language, validateExpression: ExpressionValidator?) {
        self.file = file
        nodesLeft = Self.maximumNodesOfAliases + byteCount
        places = RemarkPlaces(file: file)
        self.language = language
        self.validateExpression = validateExpression
    }

    /// The whole file, from top to bottom.
    mutating func read(_ document: ConfigurationDocument, machineTimeZone: TimeZone?) -> ConfigurationResult {
        if let failure = document.failure {
            report(failure.value, at: failure.position, path: "")
            return result(nil)
        }
        let top = readTop(document.root)
        report(document.duplicates, sources: top.entries["sources"])
        let values = read(top.options, path: "", rows: OptionRows(OptionTable.rows(in: "")))
        var configuration = Configuration(timeZone: values.timeZone("time-zone") ?? machineTimeZone)
        configuration.quietHours = quietHours(values, of: configuration)
        places["quiet-hours"] = values.position(of: "quiet-hours")
        configuration.background = values.text("background").flatMap(BackgroundPolicy.init) ?? .authorized
        configuration.metricsPort = values.count("metrics-port")
        let names = readSinks(top.entries["sinks"], into: &configuration)
        let rules = rules(values, sinks: names, path: "")
        readHosts(top.entries["hosts"], into: &configuration)
        readSources(top.entries["sources"], sinks: names, into: &configuration)
        readDigests(top.entries["digests"], sources: top.entries["sources"], sinks: names, into: &configuration)
        let broken = Set(problems.compactMap(\.source))
        for name in broken { configuration.brokenSources.updateValue(addresses[name], forKey: name) }
        if !rules.isEmpty {
            let roster = SourceRoster(configuration)
            configuration.add(rules, roster)
            for rule in rules { configuration.note(rule.tags, at: "rules", roster) }
        }
        if values.text("unique") == UniqueWords.url { configuration.tellEachAddressOnce() }
        configuration.places = places
        if !broken.isEmpty {
            configuration.sources.removeAll { broken.contains($0.name) }
            configuration.disabledSources.removeAll { broken.contains($0.name) }
        }
        return result(configuration)
    }

    private func result(_ configuration: Configuration?) -> ConfigurationResult {
        let isUsable = problems.allSatisfy { $0.source != nil }
        var seen: Set<ConfigurationProblem> = []
        let sorted = problems.filter { seen.insert($0).inserted }.sorted { $0.position < $1.position }
        return ConfigurationResult(configuration: isUsable ? configuration : nil, problems: sorted)
    }

    /// Splits the top level into the sections and the options, without the user's own keys.
    private mutating func readTop(_ root: YAMLNode?) -> (entries: [String: Entry], options: Section) {
        let section = section(root, key: FilePosition(line: 1, column: 1), path: "", expected: "KEY: VALUE")
        let names = ["sinks", "digests", "sources", "hosts"]
        var options = section
        options.entries.removeAll { names.contains($0.key) || $0.key.hasPrefix(OptionSections.ownPrefix) }
        options.otherKeys = names
        let entries = section.entries.filter { names.contains($0.key) }
        return (Dictionary(entries.map { ($0.key, $0) }) { first, _ in first }, options)
    }

    private mutating func readSinks(_ entry: Entry?, into configuration: inout Configuration) -> [String] {
        let section = section(entry?.value, key: entry?.position, path: "sinks", expected: "sinks by name")
        guard !section.entries.isEmpty else { return configuration.sinks.map(\.name) }
        configuration.sinks = []
        for entry in section.entries {
            if checkName(entry, path: "sinks"), let sink = readSink(entry) { configuration.sinks.append(sink) }
        }
        return section.entries.map(\.key)
    }

    private mutating func readSources(_ entry: Entry?, sinks: [String], into configuration: inout Configuration) {
        let section = section(entry?.value, key: entry?.position, path: "sources", expected: "sources by name")
        configuration.sources.reserveCapacity(section.entries.count)
        var shared = SharedSettings()
        for entry in section.entries {
            source = entry.key
            defer { source = nil }
            guard checkName(entry, path: "sources"),
                let read = readSource(entry, sinks: sinks, timeZone: configuration.namedTimeZone, like: &shared)
            else { continue }
            if read.source.tags.contains(where: { Self.slip(inTag: $0) != nil }) {
                noteTagSlips(entry.value.mapping?.value(of: "tags"), path: "sources.\(entry.key)")
            }
            if read.source.updates != .ignore {
                let value = entry.value.mapping?.value(of: "updates")
                places["sources.\(entry.key).updates"] = value?.position ?? entry.position
            }
            if case .url(let url) = read.source.address, URLCredentials.havePassword(in: url) {
                places.passwords.append("sources.\(entry.key).url")
                places["sources.\(entry.key).url"] = entry.value.mapping?.value(of: "url")?.position ?? entry.position
            }
            if read.isEnabled {
                configuration.sources.append(read.source)
            } else {
                configuration.disabledSources.append(read.source)
            }
        }
    }

    mutating func checkName(_ entry: Entry, path: String) -> Bool {
        guard !OptionSections.isName(entry.key) else { return true }
        let unfit = ValueComplaint("\(quoted(entry.key)) cannot be a name", expected: OptionSections.nameRule)
        report(ValueComplaint(ofIndentationIn: entry.key) ?? unfit, at: entry.position, path: path)
        return false
    }

    /// A key that is there twice spoils the source in which it is, or that it names.
    private mutating func report(_ duplicates: [YAMLComposer.Duplicate], sources: Entry?) {
        guard !duplicates.isEmpty else { return }
        let names = sources?.value.mapping?.map(\.key) ?? []
        for duplicate in duplicates {
            let before = names.last { $0.position < duplicate.first }
            let named = names.first { $0.position == duplicate.first }
            let isInside = before.map { $0.position.column < duplicate.first.column } ?? false
            source = named?.text ?? (isInside ? before?.text : nil)
            report(
                ValueComplaint(
                    "the key \(quoted(duplicate.key)) is given twice, first in line \(duplicate.first.line)"),
                at: duplicate.second, path: source.map { "sources.\($0)" } ?? "")
        }
        source = nil
    }

    mutating func report(_ complaint: ValueComplaint, at position: FilePosition, path: String) {
        // What is not visited any more only seems to be missing.
        if hasTooManyNodes { return }
        problems.append(
            ConfigurationProblem(
                file: file, position: position, path: path, message: complaint.message, expected: complaint.expected,
                suggestion: complaint.suggestion, source: source))
    }

    /// Notes what is no mistake, and most likely meant otherwise.
    mutating func note(_ slip: ValueComplaint, at position: FilePosition, path: String) {
        places.slips.append(
            ConfigurationProblem(
                file: file, position: position, path: path, message: slip.message, expected: slip.expected,
                suggestion: slip.suggestion))
    }

    /// Counts nodes that were visited for an earlier source, and need not be again. False where fewer are left.
    mutating func spend(_ nodes: Int) -> Bool {
        guard nodes <= nodesLeft else { return false }
        nodesLeft -= nodes
        return true
    }

    /// Whether one more node may be visited; says once that there are too many.
    mutating func visit(_ node: YAMLNode) -> Bool {
        nodesLeft -= 1
        if nodesLeft < 0, !hasTooManyNodes {
            source = nil
            report(
                ValueComplaint("too many values", expected: "fewer aliases"), at: node.position, path: "")
            hasTooManyNodes = true
        }
        return nodesLeft >= 0
    }
}
