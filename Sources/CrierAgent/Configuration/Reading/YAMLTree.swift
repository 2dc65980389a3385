#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The values of a YAML document in file order: behind each list and mapping stands what it holds.
///
/// A list of 100,000 sources has half a million of them. Each as an object of its own took a seventh of a start.
final class YAMLTree: Sendable {
    struct Value: Sendable {
        enum Kind: UInt8, Sendable {
            /// Text without quotes that is no block.
            case plain
            case otherText
            case sequence, mapping, alias
        }

        let kind: Kind
        /// Whether it is a key that its mapping already has.
        var isLeftOut = false
        /// Whether it is a text that aliases may repeat.
        var isShared = false
        let line, column: UInt32
        /// Of a text, where its bytes begin; of an alias, the index of what it stands for; of a list or a mapping, the index
        /// behind all that it holds.
        var place: UInt32 = 0
        /// Of a text, its bytes; of a list, its elements; of a mapping, its keys.
        var count: UInt32 = 0

        init(_ kind: Kind, at position: FilePosition) {
            self.kind = kind
            line = UInt32(clamping: position.line)
            column = UInt32(clamping: position.column)
        }

        var position: FilePosition { FilePosition(line: Int(line), column: Int(column)) }

        var isText: Bool { kind == .plain || kind == .otherText }

        /// Where the bytes of a text are.
        var text: Range<Int> { Int(place)..<Int(place) + Int(count) }
    }

    private let values: [Value]
    private let bytes: [UInt8]
    /// Of shared texts, by their indices: however many aliases repeat one, it is held once.
    private let texts: [Int: String]
    /// That the file gives, by the indices of what they stand at; without those that mean text.
    private let tags: [Int: String]

    init(_ values: [Value], bytes: [UInt8], texts: [Int: String], tags: [Int: String]) {
        self.values = values
        self.bytes = bytes
        self.texts = texts
        self.tags = tags
    }

    subscript(index: Int) -> Value { values[index] }

    /// The index of what stands behind a value and all that it holds.
    func next(after index: Int) -> Int { values.next(after: index) }

    /// The index of what an alias stands for, that of any other value itself.
    func resolved(_ index: Int) -> Int { values[index].kind == .alias ? Int(values[index].place) : index }

    func tag(at index: Int) -> String? { tags.isEmpty ? nil : tags[index] }

    func text(at index: Int) -> String? {
        guard values[index].isText else { return nil }
        return values[index].isShared ? texts[index] : withText(at: index) { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a value is this text, quoted or not.
    ///
    /// - Parameter text: In ASCII.
    func says(_ text: StaticString, at index: Int) -> Bool {
        let words = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return values[index].isText && withText(at: index) { Self.isEqual($0, words) }
    }

    /// Whether both are scalars of the same bytes, written alike.
    func isSameScalar(at index: Int, as other: Int, of tree: YAMLTree) -> Bool {
        guard values[index].isText, values[index].kind == tree[other].kind, tag(at: index) == tree.tag(at: other)
        else { return false }
        return withText(at: index) { text in tree.withText(at: other) { Self.isEqual(text, $0) } }
    }

    private func withText<T>(at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
        bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[values[index].text])) }
    }

    private static func isEqual(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        guard let start = one.baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(start, otherStart, one.count) == 0
    }

    /// As far as it is seen at a glance: an alias of the same, a single value or a short list of such.
    func isSurelySame(at index: Int, as other: Int) -> Bool {
        var (one, two) = (resolved(index), resolved(other))
        if one == two || isSameScalar(at: one, as: two, of: self) { return true }
        guard values[one].kind == .sequence, values[two].kind == .sequence, values[one].count == values[two].count,
            values[one].count < 16
        else { return false }
        let end = next(after: one)
        (one, two) = (one + 1, two + 1)
        while one < end {
            guard isSameScalar(at: resolved(one), as: resolved(two), of: self) else { return false }
            (one, two) = (next(after: one), next(after: two))
        }
        return true
    }

    /// Goes through the pairs of a mapping without those that are left out.
    struct Pairs {
        private let mapping: Int
        private var index: Int

        /// - Parameter mapping: The index of one.
        init(of mapping: Int) {
            self.mapping = mapping
            index = mapping + 1
        }

        /// - Returns: Indices.
        mutating func next(in tree: YAMLTree) -> (key: Int, value: Int)? {
            while index < tree.next(after: mapping) {
                let key = index
                // A key is a scalar.
                index = tree.next(after: key + 1)
                if !tree[key].isLeftOut { return (key, key + 1) }
            }
            return nil
        }
    }
}

extension [YAMLTree.Value] {
    /// The index of what stands behind a value and all that it holds.
    func next(after index: Int) -> Int {
        switch self[index].kind {
        case .sequence, .mapping: Int(self[index].place)
        case .plain, .otherText, .alias: index + 1
        }
    }
}
