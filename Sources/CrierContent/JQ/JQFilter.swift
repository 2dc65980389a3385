import CJQ

import struct Foundation.Date

/// A jq program that says of an item whether it is wanted (`only` of a source).
///
/// The program sees `{id, title, url, published, updated, summary, authors, attachments, categories}`; dates are ISO
/// 8601 in UTC, what an item lacks is null, attachments are `{url, type, length}`.
public struct JQFilter: Sendable {
    private let program: JQProgram

    /// - Throws: ``ContentError`` of the kind `badExpression` where the program does not compile.
    public init(_ text: String, programs: JQPrograms = JQPrograms()) throws(ContentError) {
        program = try programs.program(text)
    }

    /// The items for which the program yields something, and neither false nor null.
    ///
    /// - Throws: ``ContentError`` where the program fails on an item or takes too long.
    public func keeping(_ items: [ContentItem]) throws(ContentError) -> [ContentItem] {
        guard !items.isEmpty else { return [] }
        var verdicts: [Bool?] = Array(repeating: nil, count: items.count)
        let inputs = JQValue(owning: items.reduce(jv_array()) { jv_array_append($0, JQValue($1).reference()) })
        try program.run(onEachOf: inputs, limits: JQLimits(outputs: 100)) { index, output throws(ContentError) in
            verdicts[index] = (verdicts[index] ?? true) && output.isTruthy
            return true
        }
        return zip(items, verdicts).filter { $1 == true }.map(\.0)
    }
}

extension JQValue {
    /// The normalised item.
    init(_ item: borrowing ContentItem) {
        let attachments = Self.array(
            item.attachments.map { attachment in
                let length = attachment.length.map { jv_number(Double($0)) } ?? jv_null()
                return Self.object([
                    ("url", JQValue(attachment.url).reference()), ("type", Self.text(attachment.type)),
                    ("length", length),
                ])
            })
        self.init(
            owning: Self.object([
                ("id", Self.text(item.declaredIdentifier ?? item.identifier)), ("title", Self.text(item.title)),
                ("url", Self.text(item.url)), ("published", Self.text(item.published.map(Self.iso8601))),
                ("updated", Self.text(item.updated.map(Self.iso8601))), ("summary", Self.text(item.summary)),
                ("authors", Self.array(item.authors.map { JQValue($0).reference() })), ("attachments", attachments),
                ("categories", Self.array(item.categories.map { JQValue($0).reference() })),
            ]))
    }

    private static func text(_ text: String?) -> jv {
        guard let text else { return jv_null() }
        return JQValue(text).reference()
    }

    private static func array(_ elements: [jv]) -> jv { elements.reduce(jv_array()) { jv_array_append($0, $1) } }

    private static func object(_ members: [(String, jv)]) -> jv {
        members.reduce(jv_object()) { jv_object_set($0, JQValue($1.0).reference(), $1.1) }
    }

    private static func iso8601(_ date: Date) -> String { CivilTime(date).iso8601 }
}
