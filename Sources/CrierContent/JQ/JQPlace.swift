/// Finds the place of a mistake in a program; libjq 1.6 tells its line only.
enum JQPlace {
    /// In words, such as `character 7` or `line 2, character 7`; nil where it is not to be found.
    ///
    /// - Parameters:
    ///   - message: libjq's complaint about the whole program.
    ///   - complaint: what libjq says of another program, nil where it compiles.
    static func find(_ message: String, in program: String, complaint: (String) -> String?) -> String? {
        if let unknown = message.firstMatch(of: /(\$?[A-Za-z_][A-Za-z0-9_]*)(?:\/\d+)? is not defined/) {
            return place(of: String(unknown.1), in: program).map { words($0, in: program) }
        }
        guard message.contains("syntax error") else { return nil }
        if isUnfinished(message) { return "at its end" }
        return firstWrong(in: program, complaint: complaint).map { words($0, in: program) }
    }

    /// Whether the only mistake is that the program does not go on.
    private static func isUnfinished(_ message: String) -> Bool {
        message.contains("unexpected $end") || message.contains("unexpected end of file")
    }

    /// Where the first word begins up to which the program is wrong: all that is shorter could be completed.
    private static func firstWrong(in program: String, complaint: (String) -> String?) -> String.Index? {
        let ends = wordEnds(in: program)
        var low = 0
        var high = ends.count
        while low < high {
            let middle = (low + high) / 2
            let said = complaint(String(program[..<ends[middle]])) ?? ""
            if said.contains("syntax error") && !isUnfinished(said) { high = middle } else { low = middle + 1 }
        }
        guard low < ends.count else { return nil }
        let start = low == 0 ? program.startIndex : ends[low - 1]
        return program[start...].firstIndex { !$0.isWhitespace }
    }

    /// Where words and operators end; other characters stand alone.
    private static func wordEnds(in program: String) -> [String.Index] {
        func kind(_ character: Character) -> Int {
            if "_.$@".contains(character) || character.isASCII && (character.isLetter || character.isNumber) {
                return 1
            }
            if character.isWhitespace { return 2 }
            return "=<>!?|/+-*%".contains(character) ? 3 : 0
        }
        let indices = program.indices.dropFirst()
        return indices.filter {
            let before = kind(program[program.index(before: $0)])
            return before != 2 && (before == 0 || before != kind(program[$0]))
        } + [program.endIndex]
    }

    private static func place(of name: String, in program: String) -> String.Index? {
        func isPart(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || "_.$".contains(character)
        }
        var isInString = false
        var isEscaped = false
        for index in program.indices {
            let character = program[index]
            defer { isEscaped = character == "\\" && !isEscaped }
            if character == "\"", !isEscaped { isInString.toggle() }
            guard !isInString, program[index...].hasPrefix(name) else { continue }
            let isStart = index == program.startIndex || !isPart(program[program.index(before: index)])
            if isStart, program[index...].dropFirst(name.count).first.map(isPart) != true { return index }
        }
        return nil
    }

    /// The first name outside quotes that has to stand in some: jq's own are of ASCII letters.
    static func unquotedName(in program: String) -> String? {
        let outside = program.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter {
            $0.offset % 2 == 0
        }
        let names = outside.flatMap { $0.element.matches(of: /\.([\p{L}_][\p{L}\p{N}_]*)/).map(\.1) }
        return names.first { !$0.utf8.allSatisfy { $0 < 0x80 } }.map(String.init)
    }

    private static func words(_ place: String.Index, in program: String) -> String {
        let before = program[..<place]
        let start = before.lastIndex(where: \.isNewline).map { program.index(after: $0) } ?? program.startIndex
        let character = "character \(program.distance(from: start, to: place) + 1)"
        let line = before.count(where: \.isNewline) + 1
        return program.contains(where: \.isNewline) ? "line \(line), \(character)" : character
    }
}
