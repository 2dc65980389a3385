import CLibXML2

/// A compiled XPath 1.0 expression.
final class XPathExpression {
    let text: String
    let compiled: xmlXPathCompExprPtr

    /// - Throws: ``ContentError`` of the kind `badExpression`, or `unavailable` without libxml2.
    init(_ text: String) throws(ContentError) {
        guard text.utf8.count <= 4096 else { throw ContentError(.badExpression, "an XPath expression is too long") }
        guard !text.utf8.contains(0) else { throw ContentError(.badExpression, "an XPath expression holds no NUL") }
        try LibXML2.demand()
        guard let context = crier_xpath_context(nil, 0) else { throw .noLibXML2 }
        defer { xmlXPathFreeContext(context) }
        // Without the space libxml2 overlooks a `|` at the very end.
        guard let compiled = xmlXPathCtxtCompile(context, text + " ") else {
            throw Self.failure(text, context, isSyntax: true)
        }
        if let variable = XPathNames.variables(in: text).first {
            xmlXPathFreeCompExpr(compiled)
            throw ContentError(
                .badExpression,
                "\(Self.shown(text)): the variable \(variable.name) is not defined (character \(variable.place))")
        }
        if let call = XPathNames.calls(in: text).first(where: { xmlXPathFunctionLookup(context, $0.name) == nil }) {
            xmlXPathFreeCompExpr(compiled)
            throw ContentError(
                .badExpression,
                "\(Self.shown(text)): the function \(call.name)() is not known (character \(call.place))")
        }
        self.text = text
        self.compiled = compiled
    }

    /// The expression as errors name it.
    var shown: String { Self.shown(text) }

    private static func shown(_ text: String) -> String { "XPath `\(PlainText.line(text: text, limit: 80))`" }

    deinit { xmlXPathFreeCompExpr(compiled) }

    /// libxml2's error in words; of syntax errors the place too.
    static func failure(_ text: String, _ context: xmlXPathContextPtr, isSyntax: Bool = false) -> ContentError {
        let code = Int(crier_xpath_error_code(context)) - Int(XML_XPATH_EXPRESSION_OK.rawValue)
        // libxml2 counts bytes.
        let place = String(decoding: text.utf8.prefix(Int(crier_xpath_error_place(context))), as: UTF8.self).count
        let name = shown(text) + ": "
        if code == Int(XPATH_OP_LIMIT_EXCEEDED.rawValue) || code == Int(XPATH_RECURSION_LIMIT_EXCEEDED.rawValue) {
            return ContentError(.tooLarge, name + "takes too many steps")
        }
        let message = messages.indices.contains(code) ? messages[code] : "does not run"
        return ContentError(.badExpression, name + message + (isSyntax ? " (character \(place + 1))" : ""))
    }

    /// By libxml2's `xmlXPathError` codes.
    private static let messages = [
        "does not run", "a number is not complete", "a string is not closed", "the literal does not begin",
        "a variable is not complete", "the variable is not defined", "a predicate is not valid",
        "the expression is not valid", "a parenthesis is not closed", "the function is not known",
        "an operand is not valid", "a value has the wrong type", "a function has the wrong number of arguments",
        "the context has no size", "the context has no position", "no memory", "a syntax error", "a resource error",
        "a sub-resource error", "the namespace prefix is not declared on the root element", "an encoding error",
        "a character is not allowed", "the context is not valid",
    ]
}
