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

    // To append each line by itself would count the scalars of all that are there.
    var text: String { String(String.UnicodeScalarView(lines.joined())) }

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

    /// Before the line of dots that may stand behind all else (YAML 1.2 section 9.1.2).
    var endOfDocument: Int {
        lines.lastIndex { $0.starts(with: "...".unicodeScalars) } ?? lines.count
    }

    /// The entries of a list may stand right below its key, not indented deeper.
    private func isListEntry(_ index: Int, indentation: Int) -> Bool {
        let rest = lines[index].dropFirst(indentation)
        return self.indentation(of: index) == indentation && rest.first == "-"
            && rest.dropFirst().first.map { " \t\r\n".unicodeScalars.contains($0) } ?? true
    }

    /// Where the block entry ends whose key stands in line `index` with `indentation` spaces before it: the line after
    /// its last line that holds content or a comment that is indented deeper. Comments behind one that is not are no more of it.
    func endOfEntry(at index: Int, indentation: Int) -> Int {
        var end = index + 1
        var isBehindOther = false
        for next in lines.indices.dropFirst(index + 1) where !isBlank(next) {
            let isDeeper = self.indentation(of: next) > indentation
            if isComment(next) {
                isBehindOther = isBehindOther || !isDeeper
                if !isBehindOther { end = next + 1 }
            } else if isDeeper || isListEntry(next, indentation: indentation) {
                end = next + 1
                isBehindOther = false
            } else {
                break
            }
        }
        return end
    }
}
