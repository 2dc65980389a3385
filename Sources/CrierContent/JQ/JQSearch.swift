/// Says how far the path to the items gets in a document, and what is there instead.
enum JQSearch {
    /// Why there are no items.
    static func explainNothing(from items: String?, in document: JSONNode) -> String {
        guard let items else {
            return "no items: the document is \(document.shape), and the mapping has no `items`"
        }
        return "no items from \(shown(items)): " + finding(items, in: document)
    }

    /// The failure of an expression for the items, with what it found.
    static func explain(_ error: ContentError, of items: String?, in document: JSONNode) -> String {
        guard let items else { return error.description }
        return "\(shown(items)): \(error.description); " + finding(items, in: document)
    }

    private static func shown(_ items: String) -> String { "`\(PlainText.line(text: items, limit: 80))`" }

    /// Where the path ends, and where it is nothing the last place that is something.
    private static func finding(_ items: String, in document: JSONNode) -> String {
        guard let steps = path(in: items), !steps.isEmpty else { return "the document is \(document.shape)" }
        var last = (text: ".", shape: document.shape)
        for length in 1...steps.count {
            var found: (shape: String, isNull: Bool)?
            try? JQPath.walkFirst(steps[..<length], from: document) { found = ($0.shape, $0.kind == .null) }
            guard let found else { break }
            let text = JQPath.text(of: steps[..<length])
            if found.isNull { return "`\(text)` is null, `\(last.text)` is \(last.shape)" }
            last = (text, found.shape)
        }
        return "`\(last.text)` is \(last.shape)"
    }

    /// The path that a program begins with: all of it, or what stands before one of its `|`.
    private static func path(in items: String) -> [JQPath.Step]? {
        let ends = [items.endIndex] + items.indices.filter { items[$0] == "|" }.reversed()
        for end in ends {
            if let path = JQPath(String(items[..<end])), case .steps(let steps)? = path.alternatives.first {
                return steps
            }
        }
        return nil
    }
}

extension JQPath {
    /// Hands the first value that steps lead to, if any, to `body`.
    static func walkFirst(
        _ steps: ArraySlice<Step>, from value: JSONNode, _ body: (JSONNode) -> Void
    ) throws(ContentError) {
        _ = try walk(steps, from: value) { value throws(ContentError) in
            body(value)
            return false
        }
    }

    /// The program that steps were read from.
    static func text(of steps: ArraySlice<Step>) -> String {
        let text = steps.map { step in
            switch step {
            case .member(let name, _):
                name.utf8.allSatisfy { $0.isASCIILetter || $0 == 0x5F } ? ".\(name)" : "[\"\(name)\"]"
            case .element(let index, _): "[\(index)]"
            case .iterate: "[]"
            }
        }.joined()
        return text.hasPrefix(".") ? text : "." + text
    }
}
