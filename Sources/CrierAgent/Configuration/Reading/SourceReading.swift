import CrierContent
import CrierFetch
import CrierNotifications

import struct Foundation.TimeZone

extension ConfigurationReader {
    /// One entry of `sources`; nil if it has a problem.
    ///
    /// - Parameter shared: The settings of earlier ones.
    mutating func readSource(
        _ entry: Entry, sinks: [String], timeZone: TimeZone?, like shared: inout SharedSettings
    ) -> (source: Source, isEnabled: Bool)? {
        let pairs = entry.value.mapping
        if let pairs, let url = pairs.url.flatMap({ try? scalarText($0) }),
            (try? SourceFields.url.value(of: url)) != nil,
            let settings = shared.settings(of: pairs), spend(settings.nodes)
        {
            return (settings.source(named: entry.key, at: url), settings.isEnabled)
        }
        let (nodes, remarks) = (nodesLeft, places.countOfShared)
        guard let read = readSource(entry, sinks: sinks, timeZone: timeZone) else { return nil }
        // What is odd is told of each that has it.
        if let pairs, !read.dependsOnAddress, pairs.url != nil, places.countOfShared == remarks {
            shared.note(
                SharedSettings.Settings(pairs, read.source, isEnabled: read.isEnabled, nodes: nodes - nodesLeft))
        }
        return (read.source, read.isEnabled)
    }

    /// - Returns: Besides, whether what holds of it would not of another address.
    private mutating func readSource(
        _ entry: Entry, sinks: [String], timeZone: TimeZone?
    ) -> (source: Source, isEnabled: Bool, dependsOnAddress: Bool)? {
        let path = "sources.\(entry.key)"
        let count = problems.count
        let section = section(
            entry.value, key: entry.position, path: path, expected: "the settings of a source, such as {url: …}")
        guard problems.count == count else { return nil }
        let values = read(section, path: path, rows: .ofSources)
        let address = address(section, values, path: path)
        let request = request(values, address: address, path: path)
        checkInterval(section, values, address: address, after: count, path: path)
        let names = sinkNames(values, known: sinks, path: path)
        let format = values.text("format").flatMap(ContentFormat.init)
        let mapping = mapping(format, section, values, timeZone: timeZone, path: path)
        validate(mapping, values, path: path)
        for key in ["only", "skip"] { check(values, key: key, path: path) }
        let rules = rules(values, sinks: sinks, path: path).map(\.rule)
        var seen: Set<String> = []
        let tags = (tags(values, path: path) ?? []).filter { seen.insert($0).inserted }
        guard problems.count == count, let address, let every = values.duration("every"),
            let notify = values.text("notify").flatMap(NotifyPolicy.init),
            let first = values.text("first").flatMap(BaselinePolicy.init),
            let level = values.text("level").flatMap(InterruptionLevel.init)
        else {
            addresses[entry.key] = address
            return nil
        }
        let source = Source(
            name: entry.key, address: address, request: request, mapping: mapping, every: every,
            isEveryChosen: values.position(of: "every") != nil, notify: notify, first: first,
            title: values.text("title"), only: values.text("only"), skip: values.text("skip"), rules: rules,
            updates: values.text("updates").flatMap(UpdatePolicy.init) ?? .ignore, level: level,
            expectEvery: values.duration("expect-every"), sinks: names, tags: tags,
            onlyOn: Set((values.list("only-on") ?? []).compactMap { FetchCondition(rawValue: $0.value) }))
        let dependsOnAddress =
            every < NextFetch.leastInterval || OptionTable.requests.contains { values.position(of: $0.key) != nil }
        return (source, values.flag("enabled") ?? true, dependsOnAddress)
    }

    private mutating func address(_ section: Section, _ values: SectionValues, path: String) -> SourceAddress? {
        switch (values.position(of: "url"), values.position(of: "command")) {
        case (nil, nil):
            if values.hasUnknownKeys { return nil }
            report(
                ValueComplaint("there is nothing to fetch", expected: "url or command"), at: section.position,
                path: path)
            return nil
        case (.some, nil):
            return values.text("url").map { .url($0) }
        case (nil, .some):
            return values.list("command").map { .command($0.map(\.value)) }
        case (let url?, let command?):
            report(
                ValueComplaint("both url and command are given", expected: "one of them"), at: max(url, command),
                path: path)
            return nil
        }
    }

    /// Others' servers are asked every quarter of an hour at most.
    ///
    /// - Parameter count: Of the problems of other sources.
    private mutating func checkInterval(
        _ section: Section, _ values: SectionValues, address: SourceAddress?, after count: Int, path: String
    ) {
        guard case .url(let url) = address, let every = values.duration("every"),
            let position = values.position(of: "every"), problems.count > count || every < NextFetch.leastInterval,
            let parsed = try? WebAddress(url, schemes: ["http", "https", "file"]), !parsed.isLocal
        else { return }
        let least = NextFetch.leastInterval
        if let place = problems[count...].firstIndex(where: { $0.path == "\(path).every" }) {
            // Said before it was known whose server it is.
            let text = section.entries.first { $0.key == "every" }?.value.text ?? ""
            do throws(ValueComplaint) { _ = try OptionType.duration(atLeast: least).value(of: text) } catch {
                problems[place].expected = error.expected
                problems[place].suggestion = error.suggestion
            }
        } else if every < least {
            report(
                ValueComplaint(
                    "\(quoted(DurationText.describe(every))) is too often for somebody else's server",
                    expected: "at least \(DurationText.describe(least))"),
                at: position, path: "\(path).every")
        }
    }

    mutating func sinkNames(_ values: SectionValues, known: [String], path: String) -> [String] {
        // An absent key means every sink; a bad value has been reported.
        guard let names = values.list("to") else { return known }
        var result: [String] = []
        for name in names {
            // As it is spelled at the sink, by which what waits for it is known: letters with accents have two spellings.
            if let sink = known.first(where: { $0 == name.value }) {
                if !result.contains(sink) { result.append(sink) }
            } else {
                report(
                    ValueComplaint(
                        "there is no sink \(quoted(name.value))", expected: listed(known, "or", atMost: 12),
                        suggestion: list(meantBy: name.value, among: known) ?? nearest(to: name.value, among: known)),
                    at: name.position, path: "\(path).to")
            }
        }
        return result
    }

    private mutating func mapping(
        _ format: ContentFormat?, _ section: Section, _ values: SectionValues, timeZone: TimeZone?, path: String
    ) -> ContentMapping {
        checkFormat(format, section, values, path: path)
        var fields: [ContentField: String] = [:]
        for (key, expression) in values.mapping("fields") {
            if let field = ContentField(rawValue: key) { fields[field] = expression.value }
        }
        return ContentMapping(
            format: format, items: values.text("items"), fields: fields, when: values.text("when"),
            timeZone: values.timeZone("time-zone") ?? timeZone,
            datesAreLocal: values.text("dates") == SourceFields.localDates)
    }

    /// Expressions make sense in some formats only, and pages make no sense without them.
    private mutating func checkFormat(
        _ format: ContentFormat?, _ section: Section, _ values: SectionValues, path: String
    ) {
        let language = format?.language
        if language == nil {
            for key in ["items", "fields"] {
                guard let position = values.position(of: key) else { continue }
                report(
                    ValueComplaint(
                        "a feed says itself where its items are", expected: "format: json, html or xml beside it"),
                    at: position, path: "\(path).\(key)")
            }
        }
        if format != .json, format != .jsonFeed, let position = values.position(of: "when") {
            report(
                ValueComplaint("\"when\" is for JSON documents", expected: "format: json or json-feed beside it"),
                at: position, path: "\(path).when")
        }
        if format == .json, lacksField(values, path: path) {
            report(
                ValueComplaint(
                    "format json needs \"fields\"", expected: "fields: {title: JQ}, or format: json-feed"),
                at: values.position(of: "fields") ?? section.position, path: path)
        }
        guard language == .xpath, let format else { return }
        if values.position(of: "items") == nil {
            report(
                ValueComplaint(
                    "format \(format.rawValue) needs \"items\"", expected: "an XPath expression such as //article"),
                at: section.position, path: path)
        }
        if lacksField(values, path: path, named: "title") {
            report(
                ValueComplaint(
                    "format \(format.rawValue) needs \"fields\" with a title", expected: "fields: {title: XPATH}"),
                at: values.position(of: "fields") ?? section.position, path: path)
        }
    }

    /// Whether there is no such field; nil: none at all. Not where something is wrong with a field, which may be meant for it.
    private func lacksField(_ values: SectionValues, path: String, named name: String? = nil) -> Bool {
        if values.position(of: "fields") == nil { return true }
        guard case .mapping(let fields) = values["fields"],
            !problems.contains(where: { $0.path.hasPrefix("\(path).fields") })
        else { return false }
        return !fields.contains { name == nil || $0.key == name }
    }

    private mutating func validate(_ mapping: ContentMapping, _ values: SectionValues, path: String) {
        guard let validateExpression else { return }
        var expressions: [(key: String, language: ExpressionLanguage, text: String, position: FilePosition?)] = []
        if let text = values.text("when") { expressions.append(("when", .jq, text, values.position(of: "when"))) }
        if let language = mapping.format?.language {
            if let items = mapping.items {
                expressions.append(("items", language, items, values.position(of: "items")))
            }
            for (key, value) in values.mapping("fields") {
                expressions.append(("fields.\(key)", language, value.value, value.position))
            }
        }
        for expression in expressions {
            guard let position = expression.position else { continue }
            let path = "\(path).\(expression.key)"
            if let message = validateExpression(expression.language, expression.text) {
                report(
                    ValueComplaint(message, expected: "a valid \(expression.language.rawValue) expression"),
                    at: position, path: path)
            } else if expression.key == "when", let slip = ConditionSlip.assignment(in: expression.text) {
                note(slip, at: position, path: path)
            }
        }
    }
}

extension ContentFormat {
    /// What the expressions over the document are written in; nil for feeds, which need none.
    public var language: ExpressionLanguage? {
        switch self {
        case .json: .jq
        case .html, .xml: .xpath
        default: nil
        }
    }
}
