/// Where the sources stand in a configuration's text.
struct ConfigurationOutline {
    struct Entry {
        var name: String
        /// Index into the lines.
        var line: Int
        /// Spaces before the key.
        var indentation: Int
        /// Spaces before the keys of its settings; nil if they do not stand on lines of their own.
        var inner: Int?
    }

    /// Where a new source goes.
    struct Place {
        var line: Int
        var indentation: Int
        /// How much deeper each level is.
        var step: Int
        /// Lines to insert before it.
        var above: [String] = []
    }

    let lines: TextLines
    /// nil if the file holds nothing but comments.
    let root: YAMLNode?
    /// In file order.
    private(set) var sources: [Entry] = []
    private var section: YAMLNode.Pair?
    private let byteCount: Int

    init(_ text: String) throws(ConfigurationEditError) {
        let document = ConfigurationDocument(text: text)
        if let failure = document.failure {
            let place = failure.position
            throw .byHand(
                "line \(place.line), column \(place.column): \(failure.value.message)", mistake: place)
        }
        if let duplicate = document.duplicates.first {
            throw .byHand(
                "line \(duplicate.second.line): the key \(quoted(duplicate.key)) is given twice",
                mistake: duplicate.second)
        }
        // YAML begins a line behind it.
        guard !text.utf8.contains(0x0D) || !text.contains("\r" as Character) else {
            throw .byHand("a line ends with a carriage return alone")
        }
        byteCount = document.byteCount
        lines = TextLines(text)
        root = document.root
        guard let root, !root.isNothing else { return }
        guard let mapping = root.mapping else { throw .byHand("the file is not a mapping", mistake: root.position) }
        section = mapping.first { $0.key.says("sources") }
        // Sources of its own would take their place.
        guard section != nil || !readsSources else { throw .byHand("a merge key (<<) brings \"sources\" here") }
        guard let pairs = section?.value.mapping else { return }
        for (key, value) in pairs {
            let inner = value.mapping?.first.map { $0.key.position }
            sources.append(
                Entry(
                    name: key.text ?? "", line: key.position.line - 1, indentation: key.position.column - 1,
                    inner: inner.flatMap { $0.line > key.position.line ? $0.column - 1 : nil }))
        }
    }

    private var readsSources: Bool {
        var reader = reader
        return reader.entries(of: root).contains { $0.key == "sources" }
    }

    /// The sources as they are read, since merge keys bring some, too, and what their `url` says.
    func readSources() -> [(name: String, url: String?)] {
        var reader = reader
        return reader.entries(of: section?.value).map { source in
            let url = reader.entries(of: source.value).first { $0.key == "url" }
            return (source.key, url?.value.text)
        }
    }

    /// Where digests name a source, as they are read.
    func references(toSource name: String) -> [SourceReference] {
        var reader = reader
        let digests = reader.entries(of: root).first { $0.key == "digests" }
        return reader.entries(of: digests?.value).flatMap { digest in
            let value = reader.entries(of: digest.value).first { $0.key == "sources" }?.value
            return (value?.elements ?? []).filter { $0.text == name }.map {
                SourceReference(path: "digests.\(digest.key).sources", position: $0.position)
            }
        }
    }

    private var reader: ConfigurationReader {
        ConfigurationReader(file: "", byteCount: byteCount, language: .english, validateExpression: nil)
    }

    /// The lines of a source, the comment lines directly above it, and a blank line that would be left over.
    func rangeOfSource(at index: Int) throws(ConfigurationEditError) -> Range<Int> {
        let entry = sources[index]
        try checkOwnLine(entry)
        var start = entry.line
        while start > 0, lines.isComment(start - 1), lines.indentation(of: start - 1) == entry.indentation {
            start -= 1
        }
        var end = lines.endOfEntry(at: entry.line, indentation: entry.indentation)
        let isBlankBelow = end < lines.lines.count && lines.isBlank(end)
        let isLast = index == sources.count - 1
        if start > 0, lines.isBlank(start - 1), isBlankBelow || isLast {
            start -= 1
        } else if index == 0, !isLast, isBlankBelow {
            end += 1
        }
        return start..<end
    }

    /// Where a new source goes: after the last one, or below `sources:`, or below a new `sources:` at the end.
    func placeForSource(in lines: inout TextLines) throws(ConfigurationEditError) -> Place {
        guard let (key, value) = section else { return try placeAtEnd(of: &lines) }
        let outer = key.position.column - 1
        guard let last = sources.last else {
            guard value.mapping != nil || value.isNothing else {
                throw .byHand("\"sources\" is not a mapping from names to sources", mistake: value.position)
            }
            try clear(value, in: &lines)
            let line = key.position.line - 1
            return Place(line: lines.endOfEntry(at: line, indentation: outer), indentation: outer + 2, step: 2)
        }
        try checkOwnLine(last)
        let step = last.indentation - outer
        guard step > 0 else { throw .byHand("the sources stand in an unusual place") }
        let inner = sources.lazy.compactMap { entry in entry.inner.map { $0 - entry.indentation } }.first { $0 > 0 }
        var top = last.line
        while top > 0, lines.isComment(top - 1), lines.indentation(of: top - 1) == last.indentation { top -= 1 }
        let isSpaced = sources.count > 1 && lines.isBlank(top - 1)
        return Place(
            line: lines.endOfEntry(at: last.line, indentation: last.indentation), indentation: last.indentation,
            step: inner ?? step, above: isSpaced ? [""] : [])
    }

    private func placeAtEnd(of lines: inout TextLines) throws(ConfigurationEditError) -> Place {
        if let root, root.mapping?.first == nil {
            try clear(root, in: &lines)
            let line = root.position.line - 1
            if line < lines.lines.count, lines.isBlank(line) { lines.lines.remove(at: line) }
        }
        let outer = (root?.mapping?.first?.key.position.column ?? 1) - 1
        if let first = root?.mapping?.first?.key.position {
            try checkOwnLine(Entry(name: "", line: first.line - 1, indentation: outer))
        }
        let count = lines.endOfDocument
        let isApart = count == 0 || lines.isBlank(count - 1)
        let heading = String(repeating: " ", count: outer) + "sources:"
        return Place(line: count, indentation: outer + 2, step: 2, above: (isApart ? [] : [""]) + [heading])
    }

    /// Takes away the `{}` or `null` that stands after `sources:`, or for the whole file.
    private func clear(_ value: YAMLNode, in lines: inout TextLines) throws(ConfigurationEditError) {
        let line = value.position.line - 1
        let column = value.position.column - 1
        guard line < lines.lines.count, column <= lines.lines[line].count else { return }
        let rest = lines.lines[line][column...]
        let length: Int
        if value.mapping != nil, rest.first == "{", let close = rest.firstIndex(of: "}") {
            length = close - column + 1
        } else if value.isNothing, let text = value.text {
            length = text.unicodeScalars.count
        } else {
            throw .byHand("the sources stand in an unusual place")
        }
        guard length > 0 else { return }
        lines.lines[line].removeSubrange(column..<column + length)
        // The space after the colon goes with it, unless a comment follows.
        let isAtEnd = lines.lines[line][column...].allSatisfy { " \r\n".unicodeScalars.contains($0) }
        if isAtEnd, column > 0, lines.lines[line][column - 1] == " " { lines.lines[line].remove(at: column - 1) }
    }

    /// Sources in `{ }` cannot be told apart by lines.
    private func checkOwnLine(_ entry: Entry) throws(ConfigurationEditError) {
        guard entry.line < lines.lines.count else { throw .byHand("the sources stand in an unusual place") }
        let line = lines.lines[entry.line]
        guard line.prefix(entry.indentation).allSatisfy({ $0 == " " }),
            line.dropFirst(entry.indentation).first.map({ !"{[".unicodeScalars.contains($0) }) ?? false
        else { throw .byHand("the sources do not stand on lines of their own") }
    }
}

extension ConfigurationReader {
    /// Nobody is told what is wrong with it.
    fileprivate mutating func entries(of node: YAMLNode?) -> [CrierAgent.Entry] {
        section(node, key: nil, path: "", expected: "").entries
    }
}
