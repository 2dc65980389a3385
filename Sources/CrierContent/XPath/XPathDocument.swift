import CLibXML2

/// A parsed HTML or XML document that XPath expressions are evaluated on.
final class XPathDocument {
    private let document: xmlDocPtr
    private let context: xmlXPathContextPtr

    /// The most operations of all evaluations: some seconds of work.
    private static let mostOperations: UInt = 20_000_000
    /// In seconds, for all evaluations: of steps that each read the whole document, few take long.
    private static let longestEvaluation = 2

    /// In bytes, for all evaluations.
    private static let mostText = 64 << 20

    private let alarm: XPathAlarm
    /// How many bytes of text may still be taken out of the document.
    private var textBound: Int

    /// Neither the network nor any file is read, and no entity is expanded.
    init(_ body: [UInt8], format: ContentFormat, contentType: String?) throws(ContentError) {
        guard body.count < Int(Int32.max) else { throw ContentError(.tooLarge, "the document is too long") }
        guard !Self.isExcessive(body, format: format, contentType: contentType) else {
            throw ContentError(
                .tooLarge,
                "the document has thousands of attributes or comments made to waste time, or declares attributes; "
                    + "ask its publisher for a feed")
        }
        let encoding = Self.encoding(of: body, contentType: contentType)
        let document = body.withUnsafeBytes { buffer -> xmlDocPtr? in
            guard let start = buffer.bindMemory(to: CChar.self).baseAddress else { return nil }
            let count = Int32(buffer.count)
            // XML names its encoding itself, in its declaration.
            return format == .html
                ? crier_xpath_read_html(start, count, encoding) : crier_xpath_read_xml(start, count, nil)
        }
        guard let document else { throw ContentError(.malformed, "the document is empty or beyond repair") }
        let isSafe = crier_declares_entities(document) == 0 && xmlDocGetRootElement(document) != nil
        guard isSafe, let context = crier_xpath_context(document, Self.mostOperations) else {
            let declaresEntities = crier_declares_entities(document) != 0
            xmlFreeDoc(document)
            // Their expansion can grow without bound, and XPath's functions expand them.
            throw declaresEntities
                ? ContentError(.malformed, "the XML declares entities of its own, which are not read")
                : ContentError(.malformed, "the document has no elements")
        }
        self.document = document
        self.context = context
        textBound = min(20 * body.count + 1_000_000, Self.mostText)
        alarm = XPathAlarm(context, after: Self.longestEvaluation)
        registerNamespaces()
    }

    deinit {
        alarm.cancel()
        xmlXPathFreeContext(context)
        xmlFreeDoc(document)
    }

    /// The prefixes that the root element declares can be used in expressions.
    private func registerNamespaces() {
        var namespace = xmlDocGetRootElement(document)?.pointee.nsDef
        while let current = namespace {
            if let prefix = current.pointee.prefix { xmlXPathRegisterNs(context, prefix, current.pointee.href) }
            namespace = current.pointee.next
        }
    }

    /// The nodes that an expression selects, in document order.
    func nodes(_ expression: XPathExpression) throws(ContentError) -> [xmlNodePtr] {
        try evaluate(expression, at: nil) { result throws(ContentError) in
            guard result.pointee.type == XPATH_NODESET || result.pointee.type == XPATH_XSLT_TREE else {
                throw ContentError(.badExpression, "XPath `\(expression.text)` selects no nodes")
            }
            return Self.nodes(of: result)
        }
    }

    /// Whether an expression holds, as XPath's `boolean()` has it.
    func holds(_ expression: XPathExpression) throws(ContentError) -> Bool {
        try evaluate(expression, at: nil) { result throws(ContentError) in xmlXPathCastToBoolean(result) != 0 }
    }

    /// The texts that an expression yields at a node: of each node it selects, or the one string or number it computes.
    ///
    /// - Parameter asHTML: elements give their markup instead of their text.
    func texts(_ expression: XPathExpression, at node: xmlNodePtr?, asHTML: Bool = false) throws(ContentError)
        -> [String]
    {
        try evaluate(expression, at: node) { result throws(ContentError) in
            switch result.pointee.type {
            case XPATH_NODESET, XPATH_XSLT_TREE:
                var texts: [String] = []
                for node in Self.nodes(of: result) {
                    let isMarkup = asHTML && node.pointee.type == XML_ELEMENT_NODE
                    texts.append(try counted(isMarkup ? markup(node) : text(node), of: expression))
                }
                return texts
            case XPATH_STRING, XPATH_NUMBER:
                return [try counted(Self.string(xmlXPathCastToString(result)), of: expression)]
            default: return []
            }
        }
    }

    private func evaluate<Value>(
        _ expression: XPathExpression, at node: xmlNodePtr?,
        _ body: (xmlXPathObjectPtr) throws(ContentError) -> Value
    ) throws(ContentError) -> Value {
        if Task.isCancelled { throw ContentError(.tooLarge, "the XPath evaluation was stopped") }
        if alarm.hasRung { throw Self.late(expression) }
        context.pointee.node = node ?? UnsafeMutableRawPointer(document).assumingMemoryBound(to: xmlNode.self)
        crier_xpath_forget_error(context)
        guard let result = crier_xpath_evaluate(expression.compiled, context) else {
            throw alarm.hasRung ? Self.late(expression) : XPathExpression.failure(expression.text, context)
        }
        defer { xmlXPathFreeObject(result) }
        return try body(result)
    }

    /// Takes a text's size off the bound on all of them.
    private func counted(_ text: String, of expression: XPathExpression) throws(ContentError) -> String {
        textBound -= text.utf8.count
        guard textBound >= 0 else {
            throw ContentError(
                .tooLarge,
                "\(expression.shown): all items together take far more text than the document has; "
                    + "select something smaller, within the item")
        }
        if alarm.hasRung { throw Self.late(expression) }
        return text
    }

    private static func late(_ expression: XPathExpression) -> ContentError {
        ContentError(
            .tooLarge,
            "\(expression.shown): the expressions take longer than \(longestEvaluation) s; "
                + "use paths within the item, such as `a/@href`, in place of `//` and `string(/)`")
    }

    /// The scan is of UTF-8, in whatever encoding the document is.
    private static func isExcessive(_ body: [UInt8], format: ContentFormat, contentType: String?) -> Bool {
        TextEncoding.utf8(ContentDocument(body: body, url: "", contentType: contentType)).withUnsafeBufferPointer {
            format == .html ? HTMLBurden.isExcessive($0) : XMLBurden.isExcessive($0)
        }
    }

    private static func nodes(of result: xmlXPathObjectPtr) -> [xmlNodePtr] {
        guard let set = result.pointee.nodesetval, let table = set.pointee.nodeTab else { return [] }
        return (0..<Int(set.pointee.nodeNr)).compactMap { table[$0] }
            // A namespace node has another layout than every other node.
            .filter { $0.pointee.type != XML_NAMESPACE_DECL }
    }

    /// What a node is without any of its texts, which may be secret: `an element <li>`.
    func shape(_ node: xmlNodePtr) -> String {
        switch node.pointee.type {
        case XML_ELEMENT_NODE: "an element <\(Self.name(node))>"
        case XML_ATTRIBUTE_NODE: "an attribute \(Self.name(node))"
        case XML_TEXT_NODE, XML_CDATA_SECTION_NODE: "a text"
        default: "no element"
        }
    }

    private static func name(_ node: xmlNodePtr) -> String {
        node.pointee.name.map { PlainText.line(text: String(cString: $0), limit: 30) } ?? ""
    }

    private func text(_ node: xmlNodePtr) -> String { Self.string(xmlNodeGetContent(node)) }

    private func markup(_ node: xmlNodePtr) -> String {
        guard let buffer = xmlBufferCreate() else { return "" }
        defer { xmlBufferFree(buffer) }
        htmlNodeDump(buffer, document, node)
        return xmlBufferContent(buffer).map { String(cString: $0) } ?? ""
    }

    /// Takes over the memory.
    private static func string(_ text: UnsafeMutablePointer<xmlChar>?) -> String {
        guard let text else { return "" }
        defer { crier_xpath_free(text) }
        return String(cString: text)
    }

    /// The encoding for the HTML parser: the transport's, else UTF-8 where the bytes are, else the parser's own search.
    private static func encoding(of body: [UInt8], contentType: String?) -> String? {
        if let charset = contentType?.lowercased().firstRange(of: "charset="), let contentType {
            let name = contentType.lowercased()[charset.upperBound...].prefix { $0 != ";" && $0 != " " }
            let plain = name.filter { $0 != "\"" && $0 != "'" }
            if !plain.isEmpty, xmlFindCharEncodingHandler(plain) != nil, contentType.utf8.count < 200 { return plain }
        }
        return String(validating: body, as: UTF8.self) == nil ? nil : "UTF-8"
    }
}
