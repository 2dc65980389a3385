import CLibXML2

/// Reads HTML and XML of any shape through the XPath 1.0 expressions of a mapping.
///
/// Fields are evaluated at the item's node. In XML the prefixes that the root element declares may be used, and a
/// default namespace is reached by `*[local-name() = "entry"]`.
public enum XPathDecoder {
    /// The items, in document order.
    ///
    /// - Throws: ``ContentError``: `reportsError` where `mapping.when` does not hold; `badExpression`, `malformed`,
    ///   `tooLarge`.
    static func decode(
        _ document: ContentDocument, mapping: ContentMapping
    ) throws(ContentError) -> DecodedContent {
        let expressions = try Expressions(mapping)
        let format = mapping.format == .xml ? ContentFormat.xml : .html
        let tree = try XPathDocument(document, format: format)
        if let when = expressions.when, try !tree.holds(when) {
            throw ContentError(.reportsError, "the document reports an error: `\(when.text)` does not hold")
        }
        var content = DecodedContent(format: format)
        var base = document.url
        if format == .html {
            if let given = try tree.texts(expressions.base, at: nil).first {
                base = ContentBounds.base(given, against: document.url) ?? base
            }
            content.title = try tree.texts(expressions.title, at: nil).first.flatMap {
                ContentBounds.text(PlainText.line(text: $0), to: ContentBounds.title)
            }
        }
        let nodes = try tree.nodes(expressions.items)
        guard nodes.count <= ContentBounds.items else { throw .tooManyItems }
        var items = MappedItems(
            mapping: mapping, base: base, length: document.body.count, decodesReferences: false)
        let title = expressions.fields.first { $0.field == .title }?.expression
        for node in nodes {
            var values: [ContentField: [String]] = [:]
            for (field, expression) in expressions.fields {
                values[field] = try tree.texts(expression, at: node, as: reading(of: field, in: format))
            }
            try items.append(sample: tree.sample(without: title, at: node)) { values[$0] ?? [] }
        }
        content.items = items.items
        ItemIdentity.assign(to: &content.items)
        content.remarks = items.remarks
        if tree.ending != .whole {
            content.isCut = true
            content.mayEndSo = tree.ending == .doubtful
            content.endsInItem = format == .xml || tree.isAtEnd(listOf: nodes)
            content.remarks.append(DecodedContent.cut)
        }
        content.selectsNothing = nodes.isEmpty
        if content.selectsNothing { content.remarks = [tree.explainNothing(expressions.items)] }
        return content
    }

    private static func reading(of field: ContentField, in format: ContentFormat) -> XPathDocument.Reading {
        switch field {
        case .summary: .markup
        case .title where format == .html: .line
        default: .text
        }
    }

    /// Checks the expressions of a mapping without a document.
    ///
    /// - Throws: ``ContentError`` of the kind `badExpression`, which names the expression at fault, or `unavailable` without
    ///   libxml2.
    public static func check(_ mapping: ContentMapping) throws(ContentError) { _ = try Expressions(mapping) }

    private struct Expressions {
        let when: XPathExpression?
        let items: XPathExpression
        let fields: [(field: ContentField, expression: XPathExpression)]
        let base: XPathExpression
        let title: XPathExpression

        init(_ mapping: ContentMapping) throws(ContentError) {
            guard let items = mapping.items else {
                throw ContentError(
                    .badExpression, "HTML and XML need `items`, an XPath expression that selects the items")
            }
            self.items = try XPathExpression(items)
            when = if let when = mapping.when { try XPathExpression(when) } else { nil }
            var fields: [(field: ContentField, expression: XPathExpression)] = []
            for field in ContentField.allCases {
                if let text = mapping.fields[field] { fields.append((field, try XPathExpression(text))) }
            }
            self.fields = fields
            base = try XPathExpression("(//base/@href)[1]")
            title = try XPathExpression("(//title)[1]")
        }
    }
}
