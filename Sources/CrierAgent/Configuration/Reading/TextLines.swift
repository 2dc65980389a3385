/// A text as lines that keep their line ends.
struct TextLines {
    /// Each with its line end, if it has one.
    var lines: [[Unicode.Scalar]]

    init(_ text: String) {
        lines = []
        var line: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars {
            line.append(scalar)
            if scalar == "\n" {
                lines.append(line)
                line = []
            }
        }
        if !line.isEmpty { lines.append(line) }
    }

    var text: String {
        var view = String.UnicodeScalarView()
        for line in lines { view.append(contentsOf: line) }
        return String(view)
    }

    /// The spaces that a line begins with.
    func indentation(of index: Int) -> Int {
        lines[index].prefix { $0 == " " }.count
    }

    func isBlank(_ index: Int) -> Bool {
        lines[index].allSatisfy { " \t\r\n".unicodeScalars.contains($0) }
    }

    func isComment(_ index: Int) -> Bool {
        lines[index].first { $0 != " " && $0 != "\t" } == "#"
    }

    /// The entries of a list may stand right below its key, not indented deeper.
    private func isListEntry(_ index: Int, indentation: Int) -> Bool {
        let rest = lines[index].dropFirst(indentation)
        return self.indentation(of: index) == indentation && rest.first == "-"
            && rest.dropFirst().first.map { " \t\r\n".unicodeScalars.contains($0) } ?? true
    }

    /// Where the block entry ends whose key stands in line `index` with `indentation` spaces before it: the line after
    /// its last line that holds content or a comment that is indented deeper.
    func endOfEntry(at index: Int, indentation: Int) -> Int {
        var end = index + 1
        var next = index + 1
        while next < lines.count {
            if !isBlank(next) {
                if self.indentation(of: next) > indentation || isListEntry(next, indentation: indentation) {
                    end = next + 1
                } else if !isComment(next) {
                    break
                }
            }
            next += 1
        }
        return end
    }

    /// Empties the lines of the second entry of a block mapping with this key, whose first key stands at `first`.
    ///
    /// - Returns: Where the second key stands; nil if it cannot be told.
    mutating func blankSecondEntry(key: String, first: FilePosition) -> FilePosition? {
        let indentation = first.column - 1
        var index = first.line
        while index < lines.count {
            let indented = self.indentation(of: index)
            if !isBlank(index), !isComment(index), indented <= indentation {
                guard indented == indentation else { return nil }
                if holds(key: key, line: index, indentation: indentation) {
                    for line in index..<endOfEntry(at: index, indentation: indentation) {
                        lines[line] = lines[line].filter { $0 == "\n" }
                    }
                    return FilePosition(line: index + 1, column: first.column)
                }
            }
            index += 1
        }
        return nil
    }

    private func holds(key: String, line: Int, indentation: Int) -> Bool {
        let rest = lines[line].dropFirst(indentation)
        return [key, "\"\(key)\"", "'\(key)'"].contains { spelling in
            let scalars = Array(spelling.unicodeScalars)
            return rest.starts(with: scalars) && rest.dropFirst(scalars.count).first { $0 != " " } == ":"
        }
    }
}
