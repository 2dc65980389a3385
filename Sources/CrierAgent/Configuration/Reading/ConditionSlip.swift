import CrierContent

/// Why a condition may say the same of each item, or something else than was meant.
enum ConditionSlip {
    /// Nil where it compares.
    static func assignment(in text: String) -> ValueComplaint? {
        guard JQFilter.yieldsAssigned(text) else { return nil }
        return ValueComplaint(
            "\(quoted("=")) sets a value instead of comparing, and what it yields is always met",
            suggestion: "==")
    }

    /// Nil where there is nothing of the sort.
    static func first(in text: String) -> ValueComplaint? {
        if let assignment = assignment(in: text) { return assignment }
        if text.wholeMatch(of: /\s*(true|false|null|-?[0-9]+|"[^"\\]*")\s*/) != nil {
            return ValueComplaint(
                "it says the same of each item", expected: "a condition such as .title | test(\"release\")")
        }
        if JQFilter.holdsBackspace(text) {
            return ValueComplaint(
                "\(quoted("\\b")) is a backspace in a text of jq", expected: "\\\\b for the edge of a word")
        }
        if let match = text.firstMatch(of: /\.(authors|categories)\s*([!=])=\s*"/) {
            return ValueComplaint(
                "\(quoted(String(match.1))) is a list, and no text",
                expected: match.2 == "=" ? question(match.1) : "all(.\(match.1)[]; . != \"x\")")
        }
        return (try? JQFilter(text)).flatMap(first)
    }

    private static func first(of filter: JQFilter) -> ValueComplaint? {
        if let unknown = filter.unknownKey {
            let list = ["author": "authors", "category": "categories"][unknown]
            let suggestion = list == nil ? nearest(to: unknown, among: ItemDocument.keys) : nil
            return ValueComplaint(
                "no item has the key \(quoted(unknown))",
                expected: list.map { question($0[...]) } ?? (suggestion == nil ? listed(ItemDocument.keys, "or") : nil),
                suggestion: suggestion)
        }
        guard filter.answers(on: sample) > 1 else { return nil }
        return ValueComplaint(
            "it gives several answers, and is met only where all of them are",
            expected: "one answer, as any(…; …) and all(…; …) give of a list")
    }

    /// How it is asked whether a list holds something.
    private static func question(_ list: Substring) -> String { "any(.\(list)[]; . == \"x\")" }

    /// With two of what an item may have several of.
    private static let sample = ContentItem(
        title: "x", url: "https://example.org/", summary: "x", authors: ["x", "y"], categories: ["x", "y"])
}
