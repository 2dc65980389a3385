import ArgumentParser
import CrierContent
import Foundation

/// How to read an address that is no feed, on the command line.
struct MappingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How to read the document: auto, rss, atom, rdf, json-feed, json, html or xml.", valueName: "format"))
    var read: String?

    @Option(help: ArgumentHelp("What yields the items: jq for JSON, XPath for HTML and XML.", valueName: "expression"))
    var items: String?

    @Option(
        name: .customLong("field"),
        help: ArgumentHelp("What yields a field of an item; may be repeated.", valueName: "name=expression"))
    var fields: [String] = []

    @Option(help: ArgumentHelp("The zone of dates that name none.", valueName: "zone"))
    var timeZone: String?

    /// Whether the document is to be read as anything but a feed.
    var isGiven: Bool { items != nil || !fields.isEmpty }

    /// The fields by name, in the order given.
    func fieldPairs() throws -> [(field: ContentField, expression: String)] {
        try fields.map { text in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let field = ContentField(rawValue: parts[0]) else {
                let known = ContentField.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--field takes NAME=EXPRESSION with a name among \(known), not “\(text.shown)”")
            }
            return (field, parts[1])
        }
    }

    func format() throws -> ContentFormat? {
        guard let read, read != "auto" else { return items == nil && fields.isEmpty ? nil : .json }
        guard let format = ContentFormat(rawValue: read) else {
            throw ValidationError(
                "--read takes auto, \(ContentFormat.allCases.map(\.rawValue).joined(separator: ", ")), not “\(read.shown)”"
            )
        }
        return format
    }

    func mapping() throws -> ContentMapping {
        var mapping = ContentMapping(format: try format(), items: items)
        for (field, expression) in try fieldPairs() { mapping.fields[field] = expression }
        if let timeZone {
            guard let zone = TimeZone(identifier: timeZone) else {
                throw ValidationError("no time zone is called “\(timeZone.shown)”")
            }
            mapping.timeZone = zone
        } else {
            mapping.timeZone = .current
        }
        return mapping
    }
}
