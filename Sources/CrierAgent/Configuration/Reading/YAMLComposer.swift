import CYAML

/// Makes a tree of what libyaml reads.
final class YAMLComposer {
    /// A key that a mapping has twice. Its second entry is left out of the tree.
    struct Duplicate {
        var key: String
        var first: FilePosition
        var second: FilePosition
    }

    private let text: String
    /// It points at itself, so it must stay where it is.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private var anchors: [String: YAMLNode] = [:]
    private var depth = 0
    private var duplicates: [Duplicate] = []
    private var badKey: FilePosition?

    private static let maximumDepth = 1000
    private static let maximumDuplicates = 100

    private init(_ text: String) {
        self.text = text
        parser.initialize(to: yaml_parser_t())
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// The only document of a text, nil if it holds nothing but comments, and the keys that are given twice.
    static func compose(
        _ text: String
    ) throws(Located<ValueComplaint>) -> (root: YAMLNode?, duplicates: [Duplicate]) {
        var text = text
        let composer = YAMLComposer(text)
        let root = text.withUTF8 { bytes in
            yaml_parser_set_input_string(composer.parser, bytes.baseAddress, bytes.count)
            return Result { () throws(Located<ValueComplaint>) in try composer.document() }
        }
        return (try root.get(), composer.duplicates)
    }

    private func document() throws(Located<ValueComplaint>) -> YAMLNode? {
        try skip()  // the start of the stream
        var event = try next()
        defer { yaml_event_delete(&event) }
        guard event.type != YAML_STREAM_END_EVENT else { return nil }
        let root = try node()
        try skip()  // the end of the document
        var end = try next()
        defer { yaml_event_delete(&end) }
        guard end.type == YAML_STREAM_END_EVENT else {
            throw SyntaxSentence.complaint(
                "but found another document", at: FilePosition(end.start_mark), start: nil, text)
        }
        if let badKey { throw Located(ValueComplaint("a key that is not text", expected: "KEY: VALUE"), badKey) }
        return root
    }

    private func node() throws(Located<ValueComplaint>) -> YAMLNode {
        var event = try next()
        defer { yaml_event_delete(&event) }
        return try node(event)
    }

    private func node(_ event: yaml_event_t) throws(Located<ValueComplaint>) -> YAMLNode {
        let position = FilePosition(event.start_mark)
        let anchor: UnsafeMutablePointer<yaml_char_t>?
        let content: YAMLNode.Content
        switch event.type {
        case YAML_ALIAS_EVENT:
            guard let node = anchors[String(cString: event.data.alias.anchor)] else {
                throw SyntaxSentence.complaint("found undefined alias", at: position, start: nil, text)
            }
            return node
        case YAML_SEQUENCE_START_EVENT:
            anchor = event.data.sequence_start.anchor
            content = .sequence(try inside(position) { () throws(Located<ValueComplaint>) in try elements() })
        case YAML_MAPPING_START_EVENT:
            anchor = event.data.mapping_start.anchor
            content = .mapping(try inside(position) { () throws(Located<ValueComplaint>) in try pairs() })
        default:
            anchor = event.data.scalar.anchor
            content = .scalar(YAMLNode.Scalar(event))
        }
        let node = YAMLNode(content, at: position)
        if let anchor { anchors[String(cString: anchor)] = node }
        return node
    }

    private func inside<T>(
        _ position: FilePosition, _ read: () throws(Located<ValueComplaint>) -> T
    ) throws(Located<ValueComplaint>) -> T {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.maximumDepth else { throw Located(ValueComplaint("nested too deep"), position) }
        return try read()
    }

    private func elements() throws(Located<ValueComplaint>) -> [YAMLNode] {
        var nodes: [YAMLNode] = []
        while true {
            var event = try next()
            defer { yaml_event_delete(&event) }
            if event.type == YAML_SEQUENCE_END_EVENT { return nodes }
            nodes.append(try node(event))
        }
    }

    private func pairs() throws(Located<ValueComplaint>) -> [YAMLNode.Pair] {
        var pairs: [YAMLNode.Pair] = []
        while true {
            var event = try next()
            defer { yaml_event_delete(&event) }
            if event.type == YAML_MAPPING_END_EVENT {
                return Self.haveEachKeyOnce(pairs) ? pairs : try firsts(of: pairs)
            }
            let key = try node(event)
            let value = try node()
            if event.type == YAML_SCALAR_EVENT {
                pairs.append((key, value))
            } else {
                badKey = badKey ?? FilePosition(event.start_mark)
            }
        }
    }

    /// The few of most mappings are looked through: a set of them takes longer than their YAML.
    private static func haveEachKeyOnce(_ pairs: [YAMLNode.Pair]) -> Bool {
        if pairs.count > 8 { return Set(pairs.lazy.map(\.key.name)).count == pairs.count }
        return pairs.indices.allSatisfy { index in
            let name = pairs[index].key.name
            return !pairs[..<index].contains { $0.key.says(name) }
        }
    }

    /// Without those whose key was there before, which are noted.
    private func firsts(of pairs: [YAMLNode.Pair]) throws(Located<ValueComplaint>) -> [YAMLNode.Pair] {
        var positions: [String: FilePosition] = [:]
        var firsts: [YAMLNode.Pair] = []
        for pair in pairs {
            if let first = positions[pair.key.name] {
                try note(Duplicate(key: pair.key.name, first: first, second: pair.key.position))
            } else {
                positions[pair.key.name] = pair.key.position
                firsts.append(pair)
            }
        }
        return firsts
    }

    private func note(_ duplicate: Duplicate) throws(Located<ValueComplaint>) {
        guard duplicates.count < Self.maximumDuplicates else {
            throw Located(ValueComplaint("the key \(quoted(duplicate.key)) is given twice"), duplicate.first)
        }
        duplicates.append(duplicate)
    }

    /// To be deleted by the caller.
    private func next() throws(Located<ValueComplaint>) -> yaml_event_t {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
        return event
    }

    private func skip() throws(Located<ValueComplaint>) {
        var event = try next()
        yaml_event_delete(&event)
    }

    private func failure() -> Located<ValueComplaint> {
        guard parser.pointee.error == YAML_SCANNER_ERROR || parser.pointee.error == YAML_PARSER_ERROR else {
            return Located(ValueComplaint("this is not YAML"), FilePosition(line: 1, column: 1))
        }
        let start = parser.pointee.context.map { _ in FilePosition(parser.pointee.context_mark) }
        return SyntaxSentence.complaint(
            String(cString: parser.pointee.problem), at: FilePosition(parser.pointee.problem_mark), start: start, text)
    }
}

extension YAMLNode {
    /// Of a key.
    fileprivate var name: String { if case .scalar(let scalar) = content { scalar.string } else { "" } }
}

extension YAMLNode.Scalar {
    fileprivate init(_ event: yaml_event_t) {
        let scalar = event.data.scalar
        self.init(
            String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self),
            isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE,
            tag: scalar.quoted_implicit == 1 ? nil : scalar.tag.map { String(cString: $0) })
    }
}

extension FilePosition {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: mark.line + 1, column: mark.column + 1)
    }
}
