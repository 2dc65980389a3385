/// A configuration file as YAML: a tree of nodes that know where they stand, and what was wrong on the way there.
struct ConfigurationDocument {
    /// nil if the file holds nothing but comments, or is no YAML (then ``failure`` says so).
    private(set) var root: YAMLNode?
    private(set) var duplicates: [YAMLComposer.Duplicate] = []
    private(set) var failure: Located<ValueComplaint>?
    /// The length of the text.
    let byteCount: Int

    /// Beyond them a file holds no list of sources: 100,000 of them take 6 MiB.
    static let maximumBytes = 16 << 20

    init(text: String) {
        byteCount = text.utf8.count
        do throws(Located<ValueComplaint>) {
            var text = text
            if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
            try Self.checkCharacters(of: text)
            (root, duplicates) = try YAMLComposer.compose(text)
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
        // In bytes first, as nearly all of a long list of sources is plain.
        var bytes = text
        let isPlain = bytes.withUTF8 { bytes in
            // Without a way out of the loop, many of them are looked at in one instruction.
            bytes.reduce(into: UInt8(0)) { $0 |= ($1 &- 0x20 <= 0x5E ? 0 : 1) & ($1 == 0x0A ? 0 : 1) } == 0
        }
        if isPlain { return }
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
}

extension Located: Error where Value: Error {}

extension Located {
    init(_ value: Value, _ position: FilePosition) {
        self.init(value: value, position: position)
    }
}
