import CrierContent
import CrierFetch
import CrierNotifications

/// A rule and the sources it is for.
struct TaggedRule {
    /// Nil is every source.
    let tags: [String]?
    let rule: ItemRule
}

extension ConfigurationReader {
    /// The value of `rules`, of a source or at the top.
    mutating func rules(_ values: SectionValues, sinks: [String], path: String) -> [TaggedRule] {
        let path = path.isEmpty ? "rules" : "\(path).rules"
        return values.rules("rules").enumerated().map { index, rule in
            check(rule, key: "when", path: path)
            places.note(rule.list("tags"), at: path)
            let read = ItemRule(
                when: rule.text("when"), skip: rule.flag("skip"),
                level: rule.text("level").flatMap(InterruptionLevel.init),
                sinks: rule.list("to") == nil ? nil : sinkNames(rule, known: sinks, path: path))
            if read.skip == nil, read.level == nil, read.sinks == nil {
                places[path] = values.position(of: "rules")
                places.idleRules[path, default: []].append(index + 1)
            }
            return TaggedRule(tags: tags(rule, path: path), rule: read)
        }
    }

    /// Nil where none are given; one that is nothing but slashes names no folder.
    mutating func tags(_ values: SectionValues, path: String) -> [String]? {
        guard let tags = values.list("tags") else { return nil }
        for tag in tags where tag.value.allSatisfy({ $0 == "/" }) {
            let words = tag.value.isEmpty ? "an empty text" : "\(quoted(tag.value)) is no tag"
            report(
                ValueComplaint(words, expected: "a text such as news or tech/linux"), at: tag.position,
                path: "\(path).tags")
        }
        return tags.map(\.value)
    }

    /// That a condition on items compiles. What says the same of each may be meant so, and is remarked on.
    mutating func check(_ values: SectionValues, key: String, path: String) {
        guard let validateExpression, let text = values.text(key), let position = values.position(of: key) else {
            return
        }
        if let message = validateExpression(.jq, text) {
            report(
                ValueComplaint(message, expected: "a valid \(ExpressionLanguage.jq.rawValue) expression"),
                at: position, path: "\(path).\(key)")
        } else if !(key == "when" && text == "true"), let slip = slip(in: text) {
            note(slip, at: position, path: "\(path).\(key)")
        }
    }

    /// Each condition is looked at once, however often it stands there.
    private mutating func slip(in text: String) -> ValueComplaint? {
        if let known = slips[text] { return known }
        let slip = ConditionSlip.first(in: text)
        slips[text] = .some(slip)
        return slip
    }
}

extension Configuration {
    /// Adds rules that are for several sources, behind those of each source.
    mutating func add(_ rules: [TaggedRule], _ roster: SourceRoster) {
        var added = [[ItemRule]](repeating: [], count: roster.count)
        for rule in rules {
            for place in roster.places(tagged: rule.tags) { added[place].append(rule.rule) }
        }
        for (place, rules) in added.enumerated() where !rules.isEmpty { change(place) { $0.rules += rules } }
    }

    /// Notes which of the tags that a key names no source has, nor one within them.
    mutating func note(_ tags: [String]?, at path: String, _ roster: SourceRoster) {
        for tag in tags ?? [] where !roster.hasTag(tag) { unusedTags[path, default: []].insert(tag) }
    }
}
