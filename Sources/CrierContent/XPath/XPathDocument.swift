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
    /// Those that the root element declares.
    private var prefixes: [String] = []
    /// Of XML it is the root element that has an end or lacks it.
    let ending: PageEnding

    /// Neither the network nor any file is read, and no entity is expanded.
    init(_ source: ContentDocument, format: ContentFormat) throws(ContentError) {
        try LibXML2.demand()
        let text = format == .html ? TextEncoding.utf8(page: source) : TextEncoding.utf8(source)
        guard text.count < Int(Int32.max) else { throw ContentError(.tooLarge, "the document is too long") }
        let isExcessive = text.withUnsafeBufferPointer {
            format == .html ? HTMLBurden.isExcessive($0) : XMLBurden.isExcessive($0)
        }
        guard !isExcessive else {
            throw ContentError(
                .tooLarge,
                "the document has thousands of attributes or comments made to waste time, or declares attributes; "
                    + "ask its publisher for a feed")
        }
        let repaired = UTF8Repair.repaired(text)
        let readable = format == .html ? UTF8Repair.withoutNUL(repaired) : repaired
        let document = readable.withUnsafeBytes { buffer -> xmlDocPtr? in
            guard let start = buffer.bindMemory(to: CChar.self).baseAddress else { return nil }
            let count = Int32(clamping: buffer.count)
            return format == .html ? crier_xpath_read_html(start, count) : crier_xpath_read_xml(start, count)
        }
        guard let document else { throw ContentError(.malformed, "the document is empty or beyond repair") }
        do throws(ContentError) {
            context = try Self.context(of: document)
        } catch {
            xmlFreeDoc(document)
            throw error
        }
        self.document = document
        ending =
            format == .html
            ? text.withUnsafeBufferPointer { PageEnding(of: $0) } : Self.isCut(text, document) ? .cut : .whole
        textBound = min(20 * text.count + 1_000_000, Self.mostText)
        alarm = XPathAlarm(context, after: Self.longestEvaluation)
        registerNamespaces()
    }

    private static func context(of document: xmlDocPtr) throws(ContentError) -> xmlXPathContextPtr {
        // Their expansion can grow without bound, and XPath's functions expand them.
        guard crier_declares_entities(document) == 0 else {
            throw ContentError(.malformed, "the XML declares entities of its own, which are not read")
        }
        guard xmlDocGetRootElement(document) != nil else {
            throw ContentError(.malformed, "the document has no elements")
        }
        guard let context = crier_xpath_context(document, mostOperations) else { throw .noLibXML2 }
        return context
    }

    private static func isCut(_ text: ArraySlice<UInt8>, _ document: xmlDocPtr) -> Bool {
        // One without content may be written without an end.
        guard let root = xmlDocGetRootElement(document), root.pointee.children != nil else { return false }
        let name = String(utf8: root.pointee.name).split(separator: ":").last ?? ""
        return text.withUnsafeBufferPointer { !XMLRootEnd.isPresent(in: $0, of: String(name)) }
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
            if let prefix = current.pointee.prefix {
                xmlXPathRegisterNs(context, prefix, current.pointee.href)
                prefixes.append(PlainText.line(text: String(utf8: prefix), limit: 30))
            }
            namespace = current.pointee.next
        }
    }

    /// The nodes that an expression selects, in document order.
    func nodes(_ expression: XPathExpression, at node: xmlNodePtr? = nil) throws(ContentError) -> [xmlNodePtr] {
        try evaluate(expression, at: node) { result throws(ContentError) in
            guard result.pointee.type == XPATH_NODESET else {
                throw ContentError(.badExpression, "XPath `\(expression.text)` selects no nodes")
            }
            return Self.nodes(of: result)
        }
    }

    /// Whether an expression holds, as XPath's `boolean()` has it.
    func holds(_ expression: XPathExpression) throws(ContentError) -> Bool {
        try evaluate(expression, at: nil) { result throws(ContentError) in xmlXPathCastToBoolean(result) != 0 }
    }

    /// What an element gives.
    enum Reading {
        /// All text in it, as it is: also what tells items from one another, which must stay as it was.
        case text
        /// Its text as a person sees it, in one line: scripts are none of it, and lines and blocks are apart.
        case line
        case markup
    }

    /// The texts that an expression yields at a node: of each node it selects, or the one string or number it computes.
    func texts(
        _ expression: XPathExpression, at node: xmlNodePtr?, as reading: Reading = .text
    ) throws(ContentError) -> [String] {
        try evaluate(expression, at: node) { result throws(ContentError) in
            switch result.pointee.type {
            case XPATH_NODESET:
                var texts: [String] = []
                for node in Self.nodes(of: result) {
                    texts.append(try read(node, as: reading, of: expression))
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
        alarm.evaluationBegins()
        let value = crier_xpath_evaluate(expression.compiled, context)
        alarm.evaluationEnds()
        guard let result = value else {
            throw alarm.hasRung ? Self.late(expression) : failure(expression)
        }
        defer { xmlXPathFreeObject(result) }
        return try body(result)
    }

    private func failure(_ expression: XPathExpression) -> ContentError {
        let unknown = XPathNames.prefixes(in: expression.text).first { xmlXPathNsLookup(context, $0.name) == nil }
        guard let unknown else { return XPathExpression.failure(expression.text, context) }
        let known = prefixes.isEmpty ? "none" : prefixes.prefix(8).joined(separator: ", ")
        return ContentError(
            .badExpression,
            "\(expression.shown): the root element does not declare the namespace prefix \(unknown.name) "
                + "(character \(unknown.place)); it declares \(known)"
        )
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

    private static func nodes(of result: xmlXPathObjectPtr) -> [xmlNodePtr] {
        guard let set = result.pointee.nodesetval, let table = set.pointee.nodeTab else { return [] }
        return (0..<Int(set.pointee.nodeNr)).compactMap { table[$0] }
            // A namespace node has another layout than every other node.
            .filter { $0.pointee.type != XML_NAMESPACE_DECL }
    }

    var root: xmlNodePtr? { xmlDocGetRootElement(document) }

    private func read(
        _ node: xmlNodePtr, as reading: Reading, of expression: XPathExpression
    ) throws(ContentError) -> String {
        guard node.pointee.type == XML_ELEMENT_NODE else { return try counted(text(node), of: expression) }
        switch reading {
        case .text: return try counted(text(node), of: expression)
        case .markup: return try counted(markup(node), of: expression)
        case .line:
            let inner = Self.children(of: node)
            // Mostly it holds nothing but text.
            if !inner.contains(where: { $0.pointee.type == XML_ELEMENT_NODE }) {
                return try counted(text(node), of: expression)
            }
            return PlainText.line(html: try counted(inner.map { markup($0) }.joined(), of: expression))
        }
    }

    private static func children(of node: xmlNodePtr) -> [xmlNodePtr] {
        var children: [xmlNodePtr] = []
        var next = node.pointee.children
        while let child = next {
            children.append(child)
            next = child.pointee.next
        }
        return children
    }

    private func text(_ node: xmlNodePtr) -> String { Self.string(xmlNodeGetContent(node)) }

    private func markup(_ node: xmlNodePtr) -> String {
        guard let buffer = xmlBufferCreate() else { return "" }
        defer { xmlBufferFree(buffer) }
        htmlNodeDump(buffer, document, node)
        return xmlBufferContent(buffer).map { String(utf8: $0) } ?? ""
    }

    /// Takes over the memory.
    private static func string(_ text: UnsafeMutablePointer<xmlChar>?) -> String {
        guard let text else { return "" }
        defer { crier_xpath_free(text) }
        return String(utf8: text)
    }
}
