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
    /// The length of the text.
    let byteCount: Int

    /// Beyond them a file holds no list of sources: 100,000 of them take 6 MiB.
    private static let maximumBytes = 16 << 20
    private static let maximumDuplicates = 100

    init(text: String) {
        byteCount = text.utf8.count
        do throws(Located<ValueComplaint>) {
            var text = text
            if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
            text.makeContiguousUTF8()
            try Self.checkCharacters(of: text)
            var (harmless, aliases) = Self.withoutAliases(text)
            let root = try compose(&harmless)
            if let key = Self.badKey(in: root, aliases: aliases) {
                throw Located(ValueComplaint("a key that is not text", expected: "KEY: VALUE"), key)
            }
            if aliases.isEmpty {
                self.root = root
            } else {
                duplicates = []
                self.root = try compose(&text)
            }
        } catch {
            failure = error
        }
    }

    /// libyaml refuses a control character, but says where only in bytes.
    private static func checkCharacters(of text: String) throws(Located<ValueComplaint>) {
        guard text.utf8.count <= maximumBytes else {
            throw Located(
                ValueComplaint("the file is longer than \(maximumBytes >> 20) MiB"), FilePosition(line: 1, column: 1))
        }
        guard let index = text.unicodeScalars.firstIndex(where: { !isAllowed($0) }) else { return }
        var position = FilePosition(line: 1, column: 1)
        for scalar in text.unicodeScalars[..<index] { position.advance(over: scalar) }
        throw Located(ValueComplaint("a control character", expected: "text, or \"\\xNN\" in double quotes"), position)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xFFFD, 0x10000...: true
        default: false
        }
    }

    /// The text with a word of its own for each alias, and where each stands. A few aliases of aliases as a key would
    /// keep the search for duplicate keys busy for years, so keys are looked at without them first.
    private static func withoutAliases(_ text: String) -> (text: String, aliases: [String: FilePosition]) {
        guard text.utf8.contains(UInt8(ascii: "*")) else { return (text, [:]) }
        var aliases: [String: FilePosition] = [:]
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var position = FilePosition(line: 1, column: 1)
        var previous = UInt8(ascii: "\n")
        var isInAlias = false
        // In bytes: characters are put together ten times as slowly, and all that is looked for is ASCII.
        for byte in text.utf8 {
            if byte == UInt8(ascii: "*"), " \t\n\r[{,".utf8.contains(previous) {
                let word = "\u{E000}\(aliases.count)"
                aliases[word] = position
                result += word.utf8
                isInAlias = true
            } else {
                isInAlias = isInAlias && isAnchorCharacter(Unicode.Scalar(byte))
                if !isInAlias { result.append(byte) }
            }
            previous = byte
            position.advance(over: byte)
        }
        return (String(decoding: result, as: UTF8.self), aliases)
    }

    private static func isAnchorCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }

    private static func badKey(in node: Node?, aliases: [String: FilePosition]) -> FilePosition? {
        switch node {
        case .mapping(let mapping):
            for (key, value) in mapping {
                guard let scalar = key.scalar else { return key.position }
                if let alias = aliases[scalar.string] { return alias }
                if let position = badKey(in: value, aliases: aliases) { return position }
            }
            return nil
        case .sequence(let sequence):
            return sequence.lazy.compactMap { badKey(in: $0, aliases: aliases) }.first
        case .scalar, .alias, nil:
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
