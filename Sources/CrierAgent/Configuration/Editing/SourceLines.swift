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

    /// Removes lines. A text without a line end at its end still has none after it.
    mutating func remove(_ range: Range<Int>) {
        let isBare = !lines.isEmpty && !endsWithLineEnd && range.upperBound == lines.count
        lines.removeSubrange(range)
        if isBare, let last = lines.last { lines[lines.count - 1] = Self.withoutLineEnd(last) }
    }
}
