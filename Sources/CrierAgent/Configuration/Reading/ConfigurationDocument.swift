import Yams

/// A configuration file as YAML: a tree of nodes that know where they stand, and what was wrong on the way there.
struct ConfigurationDocument {
    /// A key that a mapping has twice. Its second entry is left out of ``root``.
    struct Duplicate {
        var key: String
        var first: FilePosition
        var second: FilePosition
    }

    /// nil if the file holds nothing but comments, or is no YAML (then ``failure`` says so).
    private(set) var root: Node?
    private(set) var duplicates: [Duplicate] = []
    private(set) var failure: Located<ValueComplaint>?

    /// Beyond them a file is none that a person wrote.
    private static let maximumBytes = 1 << 20
    private static let maximumDuplicates = 100

    init(text: String) {
        do {
            var text = text
            if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
            text.makeContiguousUTF8()
            try Self.checkCharacters(of: text)
            try Self.checkKeys(of: text)
            root = try compose(&text)
        } catch {
            failure = error
        }
    }

    /// libyaml refuses a control character, but says where only in bytes.
    private static func checkCharacters(of text: String) throws(Located<ValueComplaint>) {
        var position = FilePosition(line: 1, column: 1)
        guard text.utf8.count <= maximumBytes else {
            throw Located(ValueComplaint("the file is longer than 1 MiB"), position)
        }
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xFFFD, 0x10000...: position.advance(over: scalar)
            default:
                throw Located(
                    ValueComplaint("a control character", expected: "text, or \"\\xNN\" in double quotes"), position)
            }
        }
    }

    /// Refuses keys that are not text. Without this, a few aliases of aliases as a key would keep the search for
    /// duplicate keys busy for years; so it looks at the text with its aliases made harmless.
    private static func checkKeys(of text: String) throws(Located<ValueComplaint>) {
        var scalars = Array(text.unicodeScalars)
        var starts: Set<FilePosition> = []
        var position = FilePosition(line: 1, column: 1)
        for index in scalars.indices {
            let scalar = scalars[index]
            if scalar == "*", index == 0 || " \t\n\r[{,".unicodeScalars.contains(scalars[index - 1]) {
                scalars[index] = "_"
                starts.insert(position)
            }
            position.advance(over: scalar)
        }
        guard !starts.isEmpty || text.contains("?") || text.contains("{") || text.contains("[") else { return }
        var harmless = String.UnicodeScalarView()
        harmless.append(contentsOf: scalars)
        // What is wrong with it in other ways is found again, and told, in the text itself.
        guard let root = try? Yams.compose(yaml: String(harmless), .basic, .default, .utf8) else { return }
        if let key = badKey(in: root, aliases: starts) {
            throw Located(ValueComplaint("a key that is not text", expected: "KEY: VALUE"), key)
        }
    }

    private static func badKey(in node: Node, aliases: Set<FilePosition>) -> FilePosition? {
        switch node {
        case .mapping(let mapping):
            for (key, value) in mapping {
                let isAlias = key.scalar?.style == .plain && aliases.contains(key.position)
                if key.scalar == nil || isAlias { return key.position }
                if let position = badKey(in: value, aliases: aliases) { return position }
            }
            return nil
        case .sequence(let sequence):
            return sequence.lazy.compactMap { badKey(in: $0, aliases: aliases) }.first
        case .scalar, .alias:
            return nil
        }
    }

    /// Yams stops at a mapping with a duplicate key. So that the rest of the file is read as well, the second entry is
    /// blanked out and the text composed again.
    private mutating func compose(_ text: inout String) throws(Located<ValueComplaint>) -> Node? {
        while true {
            do {
                return try Yams.compose(yaml: text, .basic, .default, .utf8)
            } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
                let first = FilePosition(context.mark)
                let key = keys.first ?? ""
                var lines = TextLines(text)
                guard let second = lines.blankSecondEntry(key: key, first: first),
                    duplicates.count < Self.maximumDuplicates
                else { throw Located(ValueComplaint("the key \(quoted(key)) is given twice"), first) }
                duplicates.append(Duplicate(key: key, first: first, second: second))
                text = lines.text
            } catch {
                throw SyntaxSentence.complaint(for: error, in: text)
            }
        }
    }
}

extension Located: Error where Value: Error {}

extension Located {
    init(_ value: Value, _ position: FilePosition) {
        self.init(value: value, position: position)
    }
}

extension FilePosition {
    init(_ mark: Mark) {
        self.init(line: mark.line, column: mark.column)
    }
}

extension Node {
    /// Where it begins; an alias stands where its anchor does.
    var position: FilePosition {
        mark.map { FilePosition($0) } ?? FilePosition(line: 1, column: 1)
    }
}
