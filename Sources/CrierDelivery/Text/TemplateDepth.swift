/// How deep the sections of a Mustache text stand in one another: each is read and rendered within the one around it, on a
/// stack that has an end.
enum TemplateDepth {
    /// More than anybody writes.
    static let limit = 64

    static func isTooDeep(_ text: String) -> Bool {
        var opening = "{{"
        var depth = 0
        var rest = text[...]
        while let tag = rest.firstRange(of: opening) {
            rest = rest[tag.upperBound...]
            switch rest.first {
            case "#", "^", "<", "$": depth += 1
            case "/": depth = max(0, depth - 1)
            // The delimiters become others: `{{=<% %>=}}`.
            case "=":
                let delimiters = rest.dropFirst().split(maxSplits: 1, whereSeparator: \.isWhitespace)
                opening = delimiters.first.map(String.init) ?? opening
            default: break
            }
            if depth > limit { return true }
        }
        return false
    }
}
