/// Text of the file for a message: in quotes, on one line, without control characters, cut at 60 characters.
func quoted(_ text: String) -> String {
    let start = text.prefix(60)
    return "\"" + printable(start) + (start.endIndex < text.endIndex ? "…" : "") + "\""
}

/// The text with a replacement character for each one that could do something to a terminal.
func printable(_ text: some StringProtocol) -> String {
    String(
        text.map { character in
            let isHarmless = character.unicodeScalars.allSatisfy {
                ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
            }
            return isHarmless ? character : "\u{FFFD}"
        })
}

/// `a, b or c`.
///
/// - Parameter limit: How many to name; what is the user's may be thousands.
func listed(_ words: [String], _ conjunction: String, atMost limit: Int = .max) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    let rest = words.count - limit
    let named = rest > 1 ? words.prefix(limit) : words.dropLast()
    let end = rest <= 1 ? last : conjunction == "or" ? "one of \(rest) more" : "\(rest) more"
    return named.joined(separator: ", ") + " \(conjunction) \(end)"
}

/// What to say, behind a name that is none of a few, of those that there are: the one that may be meant, else all of them.
func suggestion(for name: String, among names: [String]) -> String {
    if let meant = nearest(to: name, among: names) { return "; did you mean \(quoted(meant))?" }
    return names.isEmpty ? "; the configuration has none" : "; there is \(listed(names.map(quoted), "and", atMost: 12))"
}

/// `[a, b]`, where a text is the names of several that there are.
func list(meantBy text: String, among known: some Collection<String>) -> String? {
    let names = text.split { ",，、[] ".contains($0) }.map(String.init)
    guard names.count > 1, names.allSatisfy({ known.contains($0) }) else { return nil }
    return "[\(names.joined(separator: ", "))]"
}
