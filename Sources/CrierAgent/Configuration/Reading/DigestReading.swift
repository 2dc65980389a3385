import CrierFetch
import CrierNotifications

extension ConfigurationReader {
    /// The section `digests`. A mistake in it spoils the whole file: without its digest, a source with `notify: none` would
    /// fall silent.
    mutating func readDigests(
        _ entry: Entry?, sources: Entry?, sinks: [String], into configuration: inout Configuration
    ) {
        let section = section(entry?.value, key: entry?.position, path: "digests", expected: "digests by name")
        guard !section.entries.isEmpty else { return }
        let known = KnownNames(sources?.value.mapping?.compactMap(\.key.text) ?? [])
        let roster = SourceRoster(configuration)
        for entry in section.entries {
            guard checkName(entry, path: "digests") else { continue }
            readDigest(entry, sources: known, roster, sinks: sinks, into: &configuration)
        }
    }

    private mutating func readDigest(
        _ entry: Entry, sources: KnownNames, _ roster: SourceRoster, sinks: [String],
        into configuration: inout Configuration
    ) {
        let path = "digests.\(entry.key)"
        let count = problems.count
        let section = section(
            entry.value, key: entry.position, path: path, expected: "the settings of a digest, such as {at: 08:30}")
        guard problems.count == count else { return }
        let values = read(section, path: path, rows: OptionRows(OptionTable.rows(in: "digests.*")))
        check(values, key: "only", path: path)
        let to = sinkNames(values, known: sinks, path: path)
        let names = checkedSources(values, known: sources, path: path)
        let tags = tags(values, path: path)
        noteTagSlips(section.entries.first { $0.key == "tags" }?.value, path: path)
        guard problems.count == count, let at = values.calendar("at") else { return }
        let zone = values.timeZone("time-zone") ?? configuration.timeZone
        var digest = Digest(name: entry.key, at: at, timeZone: zone, sinks: to)
        digest.title = values.text("title")
        digest.only = values.text("only")
        digest.grouping = values.text("group-by").flatMap(Digest.Grouping.init) ?? digest.grouping
        digest.order = values.text("order").flatMap(Digest.Order.init) ?? digest.order
        digest.limit = values.count("max") ?? digest.limit
        digest.emptiness = values.text("empty").flatMap(Digest.Emptiness.init) ?? digest.emptiness
        digest.showsImages = values.flag("images") ?? false
        digest.language = values.text("language").flatMap(Digest.Language.init) ?? language
        digest.level = values.text("level").flatMap(InterruptionLevel.init) ?? .active
        configuration.digests.append(digest)
        configuration.digestTemplates[entry.key] = DigestTemplateTexts(
            text: values.text("text"), html: values.text("html"), markdown: values.text("markdown"))
        for place in roster.places(named: names, tagged: tags) {
            configuration.change(place) { $0.digests.append(entry.key) }
        }
        configuration.note(tags, at: "\(path).tags", roster)
        values.notePositions(in: &places, of: path)
        places.note(values.list("tags"), at: "\(path).tags")
    }

    /// Nil where the digest names none.
    private mutating func checkedSources(_ values: SectionValues, known: KnownNames, path: String) -> [String]? {
        guard let names = values.list("sources") else { return nil }
        for name in names where !known.all.contains(name.value) {
            report(
                ValueComplaint(
                    "there is no source \(quoted(name.value))",
                    expected: known.inOrder.isEmpty ? nil : listed(known.inOrder, "or", atMost: 12),
                    suggestion: list(meantBy: name.value, among: known.all)
                        ?? nearest(to: name.value, among: known.inOrder)),
                at: name.position, path: "\(path).sources")
        }
        return names.map(\.value)
    }
}

/// The names of the sources, those with mistakes included.
private struct KnownNames {
    let inOrder: [String]
    let all: Set<String>

    init(_ names: [String]) {
        inOrder = names
        all = Set(names)
    }
}
