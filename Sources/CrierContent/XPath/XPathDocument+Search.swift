import CLibXML2

/// What is told of a document in which something is not found: names, and none of its texts, which may be secret.
extension XPathDocument {
    /// Why there are no items: how far the expression gets.
    func explainNothing(_ items: XPathExpression) -> String {
        var found: (text: String, count: Int)?
        for part in Self.beginnings(of: items.text) {
            guard let expression = try? XPathExpression(part), let nodes = try? nodes(expression) else { continue }
            if nodes.isEmpty { return sentence(items, found) + (found == nil ? "" : ", `\(part)` nothing") }
            found = (part, nodes.count)
        }
        return sentence(items, found)
    }

    private func sentence(_ items: XPathExpression, _ found: (text: String, count: Int)?) -> String {
        let nothing = "no items: `\(items.text)` selects nothing"
        if let found { return nothing + "; `\(found.text)` selects \(found.count)" }
        return nothing + (root.map { "; the document is \(shape($0))" } ?? "")
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
                names.append("@" + PlainText.line(text: String(cString: name), limit: 30))
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
        node.pointee.name.map { PlainText.line(text: String(cString: $0), limit: 30) } ?? ""
    }
}
