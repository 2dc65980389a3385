/// Names in XPath expressions that compile (https://www.w3.org/TR/xpath-10/#exprlex).
enum XPathNames {
    /// The functions that are called, with the place of each as the number of its first character.
    static func calls(in expression: String) -> [(name: String, place: Int)] {
        names(in: expression).compactMap { name in
            guard name.next == "(", !["node", "text", "comment", "processing-instruction"].contains(name.text),
                !name.text.contains(":"), !operators.contains(name.text) || name.isFirst
            else { return nil }
            return (name.text, name.place)
        }
    }

    /// The namespace prefixes that are used, each with its place.
    static func prefixes(in expression: String) -> [(name: String, place: Int)] {
        names(in: expression).compactMap { name in
            name.text.firstIndex(of: ":").map { (String(name.text[..<$0]), name.place) }
        }
    }

    /// The variables that are used, with their `$`.
    static func variables(in expression: String) -> [(name: String, place: Int)] {
        names(in: expression).compactMap { $0.isVariable ? ("$" + $0.text, $0.place - 1) : nil }
    }

    /// Names too where an operand has come before them, as in `a and (b)`.
    private static let operators: Set<String> = ["and", "or", "div", "mod"]

    private struct Name {
        var text: String
        var place: Int
        /// The character after it and any space.
        var next: Character?
        /// Whether nothing comes before it in its group.
        var isFirst: Bool
        var isVariable: Bool
    }

    private static func names(in expression: String) -> [Name] {
        let characters = Array(expression)
        var names: [Name] = []
        var quote: Character?
        var previous: Character?
        var index = 0
        while index < characters.count {
            let character = characters[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character.isLetter || character == "_" {
                let start = index
                while index < characters.count, isPart(characters, index) { index += 1 }
                let next = characters[index...].first { !$0.isWhitespace }
                let isFirst = previous.map { "([,".contains($0) } ?? true
                names.append(
                    Name(
                        text: String(characters[start..<index]), place: start + 1, next: next, isFirst: isFirst,
                        isVariable: previous == "$"))
                previous = "x"
                continue
            }
            if !character.isWhitespace { previous = character }
            index += 1
        }
        return names
    }

    /// A colon is part of a name where one follows that is not of an axis, as in `a:b` and not in `self::b`.
    private static func isPart(_ characters: [Character], _ index: Int) -> Bool {
        let character = characters[index]
        guard character == ":" else { return character.isLetter || character.isNumber || "_-.".contains(character) }
        let next = index + 1 < characters.count ? characters[index + 1] : " "
        return next.isLetter || next == "_" || next == "*"
    }
}
