/// The lines of a new source, without line ends.
struct SourceLines {
    let lines: [String]

    init(name: String, settings: [SourceSetting], indentation: Int, step: Int) {
        let outer = String(repeating: " ", count: indentation)
        let inner = outer + String(repeating: " ", count: step)
        let deepest = inner + String(repeating: " ", count: step)
        var lines = ["\(outer)\(YAMLText.scalar(name)):"]
        for setting in settings {
            switch setting.value {
            case .text(let text): lines.append("\(inner)\(setting.key): \(YAMLText.scalar(text))")
            case .list(let texts): lines.append("\(inner)\(setting.key): \(YAMLText.list(texts))")
            case .mapping(let fields):
                lines.append("\(inner)\(setting.key):")
                lines += fields.map { "\(deepest)\($0.name): \(YAMLText.scalar($0.expression))" }
            }
        }
        self.lines = lines
    }
}

extension TextLines {
    /// What lines end with.
    private var lineEnd: String {
        lines.first.map { $0.suffix(2).elementsEqual("\r\n".unicodeScalars) } ?? false ? "\r\n" : "\n"
    }

    private var endsWithLineEnd: Bool { lines.last?.last == "\n" }

    private static func withoutLineEnd(_ line: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard line.last == "\n" else { return line }
        return line.dropLast().last == "\r" ? line.dropLast(2) : line.dropLast()
    }

    /// Inserts lines with the text's own line end. A text without one at its end still has none after it.
    mutating func insert(_ new: [String], at index: Int) {
        let end = lineEnd
        let isBare = !lines.isEmpty && !endsWithLineEnd && index == lines.count
        if isBare { lines[index - 1] += Array(end.unicodeScalars) }
        lines.insert(contentsOf: new.map { Array(($0 + end).unicodeScalars) }, at: index)
        if isBare { lines[lines.count - 1] = Self.withoutLineEnd(lines[lines.count - 1]) }
    }

    /// The text without some lines. If it has no line end at its end, then the same holds afterwards; the second
    /// choice, where there is one, is to leave that line end, which may belong to a folded text.
    func removing(_ range: Range<Int>) -> [TextLines] {
        var rest = self
        rest.lines.removeSubrange(range)
        guard !endsWithLineEnd, range.upperBound == lines.count, let last = rest.lines.last else { return [rest] }
        var bare = rest
        bare.lines[bare.lines.count - 1] = Self.withoutLineEnd(last)
        return [bare, rest]
    }
}
