/// A value of a YAML document and where it stands. An alias is the node of its anchor itself, and stands where that does.
///
/// Each source of a long list has half a dozen of these, so they are small: a tag, which hardly any has, lies apart.
final class YAMLNode: Sendable {
    struct Scalar: Sendable, Hashable {
        let string: String
        private let style: Style

        private enum Style: Hashable {
            case plain, other
            indirect case tagged(String, isPlain: Bool)
        }

        /// - Parameters:
        ///   - isPlain: Whether it is written without quotes and is no block of text.
        ///   - tag: That the file gives it; nil where it means text.
        init(_ string: String, isPlain: Bool, tag: String?) {
            self.string = string
            style = tag.map { .tagged($0, isPlain: isPlain) } ?? (isPlain ? .plain : .other)
        }

        var isPlain: Bool {
            switch style {
            case .plain, .tagged(_, isPlain: true): true
            case .other, .tagged(_, isPlain: false): false
            }
        }

        var tag: String? { if case .tagged(let tag, _) = style { tag } else { nil } }
    }

    typealias Pair = (key: YAMLNode, value: YAMLNode)

    enum Content: Sendable {
        case scalar(Scalar)
        case sequence([YAMLNode])
        /// In file order, each key once.
        case mapping([Pair])
    }

    let content: Content
    private let line, column: UInt32

    init(_ content: Content, at position: FilePosition) {
        self.content = content
        line = UInt32(clamping: position.line)
        column = UInt32(clamping: position.column)
    }

    var position: FilePosition { FilePosition(line: Int(line), column: Int(column)) }

    var scalar: Scalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    /// Whether it is this text, quoted or not.
    func says(_ text: String) -> Bool {
        if case .scalar(let scalar) = content { scalar.string == text } else { false }
    }

    var sequence: [YAMLNode]? {
        if case .sequence(let nodes) = content { nodes } else { nil }
    }

    var mapping: [Pair]? {
        if case .mapping(let pairs) = content { pairs } else { nil }
    }
}
