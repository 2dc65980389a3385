import ArgumentParser
import CrierAgent
import CrierContent
import Foundation

/// How to read an address that is no feed, on the command line.
struct MappingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What the document is: auto, rss, atom, rdf, json-feed, json, html or xml; auto tells it by its content.",
            valueName: "format"), completion: .list(SourceFields.formats))
    var read: String?

    @Option(help: ArgumentHelp("What yields the items: jq for JSON, XPath for HTML and XML.", valueName: "expression"))
    var items: String?

    @Option(
        name: .customLong("field"),
        help: ArgumentHelp(
            "What yields a field of an item: id, title, url, published, updated, summary, author, attachment or category; may be repeated.",
            valueName: "name=expression"))
    var fields: [String] = []

    @Option(
        help: ArgumentHelp(
            "What must hold for a JSON document to be a success, such as '.error == false'.", valueName: "jq"))
    var when: String?

    @Option(
        help: ArgumentHelp(
            "The zone of its days, and of dates that name none: \(TimeZoneName.rule).", valueName: "zone"))
    var timeZone: String?

    @Option(
        help: ArgumentHelp("declared, or local: dates are in that zone in spite of a Z.", valueName: "how"),
        completion: .list(SourceFields.dates))
    var dates: String?

    /// Whether any of them is given.
    var isGiven: Bool { [read, items, when, timeZone, dates].contains { $0 != nil } || !fields.isEmpty }

    /// Whether the document is to be read by expressions.
    var isMapped: Bool { items != nil || !fields.isEmpty }

    /// Whether only jq knows the expression: then an API that has several formats is asked for its JSON.
    private var isForJSON: Bool {
        guard let items, !fields.isEmpty, Expressions.complaint(.xpath, items) != nil else { return false }
        return Expressions.complaint(.jq, items) == nil
    }

    /// An expression that does not compile is known before an origin is asked for what it is to read.
    func validate() throws {
        let mapping = try mapping()
        if let format = mapping.format, let complaint = complaint(of: format) { throw ValidationError(complaint) }
        var expressions = try fieldPairs().map { ("--field \($0.field.rawValue)", $0.expression) }
        if let items { expressions.insert(("--items", items), at: 0) }
        // Where only the content will tell, it may be either.
        let languages = mapping.format.map { [$0.language].compactMap(\.self) } ?? ExpressionLanguage.allCases
        for (option, text) in expressions { try compile(text, languages, of: option) }
        if let when { try compile(when, [.jq], of: "--when") }
    }

    /// Which of them say nothing of a document of that format; nil where all do.
    func complaint(of format: ContentFormat) -> String? {
        if format.isFeed, isMapped {
            return "--items and --field need --read json, html or xml: a feed says itself where its items are"
        }
        let isJSON = format == .json || format == .jsonFeed
        return when == nil || isJSON ? nil : "--when is for JSON documents: --read json or json-feed"
    }

    private func compile(_ text: String, _ languages: [ExpressionLanguage], of option: String) throws {
        var complaints: [String] = []
        for language in languages {
            guard let complaint = Expressions.complaint(language, text) else { return }
            complaints.append(complaint)
        }
        guard !complaints.isEmpty else { return }
        throw ValidationError("\(option): \(complaints.joined(separator: "; ").shown)")
    }

    /// The fields by name, in the order given.
    func fieldPairs() throws -> [(field: ContentField, expression: String)] {
        try fields.map { text in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let field = ContentField(rawValue: parts[0]) else {
                let known = SourceFields.names.joined(separator: ", ")
                throw ValidationError("--field takes NAME=EXPRESSION with a name among \(known), not “\(text.shown)”")
            }
            return (field, parts[1])
        }
    }

    /// Nil where the content tells it.
    func format() throws -> ContentFormat? {
        guard let read, read != SourceFields.automatic else { return isForJSON ? .json : nil }
        guard let format = ContentFormat(rawValue: read) else {
            throw ValidationError("--read takes \(SourceFields.formats.joined(separator: ", ")), not “\(read.shown)”")
        }
        return format
    }

    func mapping() throws -> ContentMapping {
        var mapping = ContentMapping(format: try format(), items: items, when: when, timeZone: nil)
        for (field, expression) in try fieldPairs() { mapping.fields[field] = expression }
        if let timeZone {
            guard let zone = TimeZoneName.zone(timeZone) else {
                let meant = TimeZoneName.suggestion(for: timeZone).map { "; did you mean \($0)?" } ?? ""
                throw ValidationError("--time-zone takes \(TimeZoneName.rule), not “\(timeZone.shown)”\(meant)")
            }
            mapping.timeZone = zone
        }
        if let dates, !SourceFields.dates.contains(dates) {
            let known = SourceFields.dates.joined(separator: " or ")
            throw ValidationError("--dates takes \(known), not “\(dates.shown)”")
        }
        mapping.datesAreLocal = dates == SourceFields.localDates
        return mapping
    }
}
