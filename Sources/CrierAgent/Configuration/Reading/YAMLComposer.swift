import CYAML

/// Makes a tree of what libyaml reads.
struct YAMLComposer: ~Copyable {
    /// A key that a mapping has twice. Its second entry counts as not there.
    struct Duplicate {
        var key: String
        var first: FilePosition
        var second: FilePosition
    }

    private let text: String
    private let lines: YAMLLines
    /// It points at itself, so it must stay where it is.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private var values: [YAMLTree.Value] = []
    private var bytes: [UInt8] = []
    private var texts: [Int: String] = [:]
    private var tags: [Int: String] = [:]
    /// Indices of values.
    private var anchors: [String: Int] = [:]
    /// How many lists and mappings are open, and how many of those aliases may repeat.
    private var depth = 0
    private var sharedDepth = 0
    private var duplicates: [Duplicate] = []
    private var badKey: FilePosition?
    /// Of the last text in quotes that is longer than a line.
    private var longQuote: (start: yaml_mark_t, end: yaml_mark_t)?

    private static let maximumDepth = 1000
    private static let maximumDuplicates = 100

    private init(_ text: String) {
        self.text = text
        lines = YAMLLines(text)
        parser.initialize(to: yaml_parser_t())
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        // As many as lists of sources have. What is not needed is never touched.
        values.reserveCapacity(text.utf8.count / 8)
        bytes.reserveCapacity(text.utf8.count)
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
        var composer = YAMLComposer(text)
        let root = text.withUTF8 { bytes in
            yaml_parser_set_input_string(composer.parser, bytes.baseAddress, bytes.count)
            return Result { () throws(Located<ValueComplaint>) in try composer.document() }
        }
        return (try root.get(), composer.duplicates)
    }

    private mutating func document() throws(Located<ValueComplaint>) -> YAMLNode? {
        try skip()  // the start of the stream
        var event = try next()
        defer { yaml_event_delete(&event) }
        guard event.type != YAML_STREAM_END_EVENT else { return nil }
        try addValue()
        try skip()  // the end of the document
        var end = try next()
        defer { yaml_event_delete(&end) }
        guard end.type == YAML_STREAM_END_EVENT else {
            throw SyntaxSentence.complaint(
                "but found another document", at: lines.position(end.start_mark), start: nil, text)
        }
        if let badKey { throw SyntaxSentence.complaint("a key that is not text", at: badKey, start: nil, text) }
        return YAMLNode(YAMLTree(values, bytes: bytes, texts: texts, tags: tags), 0)
    }

    private mutating func addValue() throws(Located<ValueComplaint>) {
        var event = try next()
        defer { yaml_event_delete(&event) }
        try add(event)
    }

    /// Adds the value that an event is, or begins.
    private mutating func add(_ event: yaml_event_t) throws(Located<ValueComplaint>) {
        let index = values.count
        let position = lines.position(event.start_mark)
        let anchor: UnsafeMutablePointer<yaml_char_t>?
        switch event.type {
        case YAML_ALIAS_EVENT:
            guard let place = anchors[String(cString: event.data.alias.anchor)] else {
                throw SyntaxSentence.complaint("found undefined alias", at: position, start: nil, text)
            }
            values.append(YAMLTree.Value(.alias, at: position))
            values[index].place = UInt32(place)
            return
        case YAML_SEQUENCE_START_EVENT:
            anchor = event.data.sequence_start.anchor
            values.append(YAMLTree.Value(.sequence, at: position))
            try open(isShared: anchor != nil, at: position)
            try addElements(of: index)
            close(isShared: anchor != nil)
        case YAML_MAPPING_START_EVENT:
            anchor = event.data.mapping_start.anchor
            values.append(YAMLTree.Value(.mapping, at: position))
            try open(isShared: anchor != nil, at: position)
            try addPairs(of: index)
            close(isShared: anchor != nil)
        default:
            anchor = event.data.scalar.anchor
            addText(event, at: position, isShared: anchor != nil || sharedDepth > 0)
        }
        if let anchor { anchors[String(cString: anchor)] = index }
    }

    private mutating func addText(_ event: yaml_event_t, at position: FilePosition, isShared: Bool) {
        let scalar = event.data.scalar
        let index = values.count
        if event.start_mark.line < event.end_mark.line,
            scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE || scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE
        {
            longQuote = (event.start_mark, event.end_mark)
        }
        if scalar.quoted_implicit != 1, let tag = scalar.tag { tags[index] = String(cString: tag) }
        var value = YAMLTree.Value(scalar.style == YAML_PLAIN_SCALAR_STYLE ? .plain : .otherText, at: position)
        value.place = UInt32(bytes.count)
        value.count = UInt32(scalar.length)
        value.isShared = isShared
        values.append(value)
        let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        bytes.append(contentsOf: text)
        if isShared { texts[index] = String(decoding: text, as: UTF8.self) }
    }

    private mutating func open(isShared: Bool, at position: FilePosition) throws(Located<ValueComplaint>) {
        depth += 1
        if isShared { sharedDepth += 1 }
        guard depth < Self.maximumDepth else { throw Located(ValueComplaint("nested too deep"), position) }
    }

    private mutating func close(isShared: Bool) {
        depth -= 1
        if isShared { sharedDepth -= 1 }
    }

    private mutating func addElements(of index: Int) throws(Located<ValueComplaint>) {
        var count: UInt32 = 0
        while true {
            var event = try next()
            defer { yaml_event_delete(&event) }
            if event.type == YAML_SEQUENCE_END_EVENT { break }
            try add(event)
            count += 1
        }
        values[index].count = count
        values[index].place = UInt32(values.count)
    }

    private mutating func addPairs(of index: Int) throws(Located<ValueComplaint>) {
        var count: UInt32 = 0
        while true {
            var event = try next()
            defer { yaml_event_delete(&event) }
            if event.type == YAML_MAPPING_END_EVENT { break }
            if event.type != YAML_SCALAR_EVENT { badKey = badKey ?? lines.position(event.start_mark) }
            try add(event)
            try addValue()
            count += 1
        }
        values[index].count = count
        values[index].place = UInt32(values.count)
        guard badKey == nil else { return }
        if count > 8 || !hasDistinctKeys(index) { try leaveOutLaterKeys(of: index) }
    }

    /// Whether that is seen at a glance, as in most mappings: a set of their keys takes longer than their YAML. Those that are
    /// not ASCII may be written in two ways.
    private func hasDistinctKeys(_ index: Int) -> Bool {
        var key = index + 1
        while key < values.count {
            let isASCII = bytes[values[key].text].allSatisfy { $0 < 0x80 }
            var other = index + 1
            while other < key {
                if bytes[values[other].text].elementsEqual(bytes[values[key].text]) { return false }
                other = values.next(after: other + 1)
            }
            guard isASCII else { return false }
            key = values.next(after: key + 1)
        }
        return true
    }

    /// Leaves out those whose key was there before, and notes them.
    private mutating func leaveOutLaterKeys(of index: Int) throws(Located<ValueComplaint>) {
        var firsts: [String: Int] = [:]
        firsts.reserveCapacity(Int(values[index].count))
        var key = index + 1
        while key < values.count {
            let name = String(decoding: bytes[values[key].text], as: UTF8.self)
            if let first = firsts.updateValue(key, forKey: name) {
                firsts[name] = first
                try note(Duplicate(key: name, first: values[first].position, second: values[key].position))
                values[key].isLeftOut = true
                values[index].count -= 1
            }
            key = values.next(after: key + 1)
        }
    }

    private mutating func note(_ duplicate: Duplicate) throws(Located<ValueComplaint>) {
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
        let position = lines.position(parser.pointee.problem_mark)
        let context = parser.pointee.context.map { _ in parser.pointee.context_mark }
        if let end = lines.endOfComment(before: parser.pointee.problem_mark)
            ?? context.flatMap(lines.endOfComment(before:))
        {
            return Located(
                ValueComplaint("the character \(end.name), at which a comment ends in YAML", expected: "a space"),
                end.position)
        }
        let line = (context ?? parser.pointee.problem_mark).line
        if let quote = longQuote, [line, parser.pointee.problem_mark.line].contains(quote.end.line) {
            let end = lines.position(quote.end).line
            return Located(
                ValueComplaint(
                    "a quote is opened here and closed in line \(end) only", expected: "the same quote at the end"),
                lines.position(quote.start))
        }
        return SyntaxSentence.complaint(
            String(cString: parser.pointee.problem), at: position, start: context.map(lines.position), text)
    }
}
