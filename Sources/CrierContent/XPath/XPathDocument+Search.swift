import CLibXML2

/// What is told of a document in which something is not found: names, and none of its texts, which may be secret.
extension XPathDocument {
    /// Why there are no items: how far the expression gets.
    func explainNothing(_ items: XPathExpression) -> String {
        "no items: `\(items.text)` selects nothing"
            + ((finding(items, at: nil) ?? root.map { "the document is \(shape($0))" }).map { "; \($0)" } ?? "")
            + namespaceAdvice
    }

    /// Where names without a prefix are those of a namespace, which XPath 1.0 finds by no name without one (§2.3).
    private var namespaceAdvice: String {
        guard let space = root?.pointee.ns, space.pointee.prefix == nil else { return "" }
        return "; its elements are of a namespace, and found by `*[local-name() = \"NAME\"]`"
    }

    /// What an item has in place of what a field should find.
    func sample(without expression: XPathExpression?, at node: xmlNodePtr) -> String {
        expression.flatMap { finding($0, at: node) }.map { "in the first \($0)" } ?? "the first is \(shape(node))"
    }

    /// How far an expression gets that selects nothing at a node; nil where not one of its steps does.
    func finding(_ expression: XPathExpression, at node: xmlNodePtr?) -> String? {
        var found: (text: String, count: Int)?
        for part in Self.beginnings(of: expression.text) {
            guard let beginning = try? XPathExpression(part), let nodes = try? nodes(beginning, at: node) else {
                continue
            }
            if nodes.isEmpty { return found.map { "`\($0.text)` selects \($0.count), `\(part)` nothing" } }
            found = (part, nodes.count)
        }
        return found.map { "`\($0.text)` selects \($0.count)" }
    }

    /// The expression up to each of its steps and predicates, the shortest first; none of one that is more than a path.
    private static func beginnings(of expression: String) -> [String] {
        var parts: [String] = []
        var depth = 0
        var quote: Character?
        for (index, character) in zip(expression.indices, expression) {
            if let open = quote {
                if character == open { quote = nil }
                continue
            }
            switch character {
            case "'", "\"": quote = character
            case "|": return []
            case "/", "[":
                let part = expression[..<index]
                if depth == 0, part.contains(where: { $0 != "/" && $0 != "." }), part.last != "/" {
                    parts.append(String(part))
                }
                if character == "[" { depth += 1 }
            case "(": depth += 1
            case "]", ")": depth -= 1
            default: break
            }
        }
        return Array(parts.prefix(20))
    }

    /// `an element <li> with @id, h2, time`.
    func shape(_ node: xmlNodePtr) -> String {
        switch node.pointee.type {
        case XML_ELEMENT_NODE:
            let names = Self.names(in: node)
            let list = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
            return "an element <\(Self.name(node))>" + (names.isEmpty ? "" : " with \(list)")
        case XML_ATTRIBUTE_NODE: return "an attribute \(Self.name(node))"
        case XML_TEXT_NODE, XML_CDATA_SECTION_NODE: return "a text"
        default: return "no element"
        }
    }

    /// The names of an element's attributes and of the elements in it, each once; nine at most.
    private static func names(in node: xmlNodePtr) -> [String] {
        var names: [String] = []
        var attribute = node.pointee.properties
        while let current = attribute, names.count < 9 {
            if let name = current.pointee.name {
                names.append("@" + PlainText.line(text: String(utf8: name), limit: 30))
            }
            attribute = current.pointee.next
        }
        var child = node.pointee.children
        var steps = 0
        while let current = child, names.count < 9, steps < 1000 {
            steps += 1
            if current.pointee.type == XML_ELEMENT_NODE, !names.contains(name(current)) { names.append(name(current)) }
            child = current.pointee.next
        }
        return names
    }

    private static func name(_ node: xmlNodePtr) -> String {
        node.pointee.name.map { PlainText.line(text: String(utf8: $0), limit: 30) } ?? ""
    }
}
