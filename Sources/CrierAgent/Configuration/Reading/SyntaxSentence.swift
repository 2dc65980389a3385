/// libyaml's errors in words that tell a user what to do.
enum SyntaxSentence {
    private struct Row {
        var message: String
        var expected: String?
        /// Whether the place where it began says more than the place where it was noticed.
        var isAtStart = false
    }

    private static let quotes = "the value in quotes"
    private static let alike = "the keys of one mapping indented alike"

    /// By the text of libyaml's message.
    private static let rows: [String: Row] = [
        "mapping values are not allowed in this context": Row(
            message: "a colon where no key can stand",
            expected: "\(alike), and quotes around a value that holds \": \""),
        "could not find expected ':'": Row(
            message: "a line without a colon", expected: "KEY: VALUE", isAtStart: true),
        "did not find expected key": Row(
            message: "this does not fit the lines above it",
            expected: "\(alike), and nothing after a closing quote or bracket"),
        "did not find expected <document start>": Row(
            message: "this does not fit the lines above it", expected: alike),
        "did not find expected '-' indicator": Row(
            message: "this does not fit the list above it", expected: "- and the next entry"),
        "block sequence entries are not allowed in this context": Row(
            message: "a list entry where none can stand", expected: "- on a line of its own below the key"),
        "did not find expected ',' or ']'": Row(
            message: "a list that begins with [ is not closed", expected: "a comma or ]", isAtStart: true),
        "did not find expected ',' or '}'": Row(
            message: "a mapping that begins with { is not closed", expected: "a comma or }", isAtStart: true),
        "found unexpected end of stream": Row(
            message: "a quote is opened and never closed", expected: "the same quote at the end", isAtStart: true),
        "found unexpected document indicator": Row(
            message: "a quote is opened and never closed", expected: "the same quote at the end", isAtStart: true),
        "found unknown escape character": Row(
            message: "an unknown escape after a backslash", expected: "single quotes around text with backslashes"),
        "did not find expected hexdecimal number": Row(
            message: "a bad escape after a backslash", expected: "single quotes around text with backslashes"),
        "found invalid Unicode character escape code": Row(
            message: "a bad escape after a backslash", expected: "single quotes around text with backslashes"),
        "a key that is not text": Row(message: "a key that is not text", expected: "KEY: VALUE"),
        "found undefined alias": Row(
            message: "* begins an alias, but no anchor has its name", expected: "\(quotes) if the * belongs to it"),
        "did not find expected alphabetic or numeric character": Row(
            message: "a value cannot begin with * or &", expected: quotes, isAtStart: true),
        "did not find expected node content": Row(message: "a value is missing", expected: "a value"),
        "found unexpected ':'": Row(message: "a colon in the middle of a value", expected: quotes),
        "but found another document": Row(
            message: "a second document begins", expected: "one document, without lines of ---"),
        "did not find expected comment or line break": Row(
            message: "text after | or >", expected: "the text on the following lines, indented"),
        "did not find expected whitespace or line break": Row(
            message: "a value cannot begin with !", expected: quotes, isAtStart: true),
        "found undefined tag handle": Row(message: "a value cannot begin with !", expected: quotes, isAtStart: true),
    ]

    private static let tightColonProblems: Set = [
        "mapping values are not allowed in this context", "could not find expected ':'",
    ]

    /// A key without a space behind its colon begins a text, in which a later colon is too much, or after which one is missing.
    private static func tightColon(near position: FilePosition, _ lines: [[Unicode.Scalar]]) -> Located<ValueComplaint>?
    {
        for number in [position.line, position.line - 1] where lines.indices.contains(number - 1) {
            let indentation = lines[number - 1].prefix { $0 == " " }.count
            let text = String(String.UnicodeScalarView(lines[number - 1].dropFirst(indentation)))
            if let complaint = ValueComplaint(ofTightColonIn: text) {
                return Located(complaint, FilePosition(line: number, column: indentation + 1))
            }
        }
        return nil
    }

    /// Where a value begins that is a key of a template, and to YAML a mapping in a mapping.
    private static func bareTemplate(near position: FilePosition, _ lines: [[Unicode.Scalar]]) -> FilePosition? {
        // What is not closed is missed behind the last line.
        let last = lines.lastIndex { !$0.allSatisfy(\.properties.isWhitespace) } ?? 0
        let number = min(position.line - 1, last)
        guard lines.indices.contains(number) else { return nil }
        let line = lines[number]
        guard let place = line.indices.first(where: { line[$0...].starts(with: ": {{".unicodeScalars) }),
            !line[..<place].contains(where: { "'\"#".unicodeScalars.contains($0) })
        else { return nil }
        return FilePosition(line: number + 1, column: place + 3)
    }

    private static func isAtEnd(_ position: FilePosition, of lines: [[Unicode.Scalar]]) -> Bool {
        let rest = lines.dropFirst(position.line - 1).enumerated().flatMap { offset, line in
            offset == 0 ? line.dropFirst(position.column - 1) : line[...]
        }
        return rest.allSatisfy(\.properties.isWhitespace)
    }

    /// What went wrong and where.
    ///
    /// - Parameter start: Of what it went wrong in.
    static func complaint(
        _ problem: String, at position: FilePosition, start: FilePosition?, _ text: String
    ) -> Located<ValueComplaint> {
        let lines = TextLines(text).lines
        let line = position.line <= lines.count ? lines[position.line - 1] : []
        if let tab = line.prefix(while: { $0 == " " || $0 == "\t" }).firstIndex(of: "\t") {
            return Located(
                ValueComplaint("a tab indents the line", expected: "spaces: YAML knows no other indentation"),
                FilePosition(line: position.line, column: tab + 1))
        }
        if let place = line.firstIndex(where: { $0 != " " }), line[place].isOtherSpace {
            return Located(
                ValueComplaint(ofIndentation: line[place]), FilePosition(line: position.line, column: place + 1))
        }
        if let place = [start ?? position, position].lazy.compactMap({ bareTemplate(near: $0, lines) }).first {
            return Located(
                ValueComplaint("a value cannot begin with {{", expected: "the value in single quotes"), place)
        }
        if problem == "found character that cannot start any token", position.column <= line.count {
            let character = String(line[position.column - 1])
            return Located(ValueComplaint("a value cannot begin with \(quoted(character))", expected: quotes), position)
        }
        if problem == "did not find expected node content", isAtEnd(position, of: lines) {
            return Located(ValueComplaint("a [ or { is not closed", expected: "] or }"), position)
        }
        if tightColonProblems.contains(problem), let found = tightColon(near: start ?? position, lines) { return found }
        guard let row = rows[problem] else {
            return Located(ValueComplaint("YAML cannot read this: \(problem)"), position)
        }
        return Located(
            ValueComplaint(row.message, expected: row.expected), row.isAtStart ? start ?? position : position)
    }
}

extension ValueComplaint {
    /// Of a text that begins like a key with its value, but has no space between them; nil where it does not.
    init?(ofTightColonIn text: String) {
        guard let colon = text.firstIndex(of: ":"), let next = text[colon...].unicodeScalars.dropFirst().first,
            !next.properties.isWhitespace || next.isOtherSpace
        else { return nil }
        let key = text[..<colon]
        guard OptionTable.rows.contains(where: { $0.key == key }) else { return nil }
        guard next.isOtherSpace else {
            self = Self.tightColon(behind: key)
            return
        }
        self.init(
            "the space behind the colon of \(quoted(String(key))) is \(next.notation), which YAML does not take for one",
            expected: "\(key): VALUE")
    }

    /// Nil where a key does not begin with what looks like indentation and is none.
    init?(ofIndentationIn key: String) {
        guard let first = key.unicodeScalars.first, first.isOtherSpace else { return nil }
        self.init(ofIndentation: first)
    }

    init(ofIndentation space: Unicode.Scalar) {
        self.init(
            "the character \(space.notation) indents the line", expected: "spaces: YAML knows no other indentation")
    }

    static func tightColon(behind key: Substring) -> ValueComplaint {
        ValueComplaint("no space behind the colon of \(quoted(String(key)))", expected: "\(key): VALUE")
    }
}

extension Unicode.Scalar {
    /// Nobody can tell it from a blank, and it is a letter like any other to YAML.
    fileprivate var isOtherSpace: Bool { properties.generalCategory == .spaceSeparator && self != " " }
}
