/// A value of a YAML document and where it stands. An alias is the node of its anchor itself, and stands where that does.
final class YAMLNode: Sendable {
    struct Scalar: Sendable, Hashable {
        var string: String
        /// Whether it is written without quotes and is no block of text.
        var isPlain: Bool
        /// That the file gives it; nil where it means text.
        var tag: String?
    }

    typealias Pair = (key: YAMLNode, value: YAMLNode)

    enum Content: Sendable {
        case scalar(Scalar)
        case sequence([YAMLNode])
        /// In file order, each key once.
        case mapping([Pair])
    }

    let content: Content
    let position: FilePosition

    init(_ content: Content, at position: FilePosition) {
        self.content = content
        self.position = position
    }

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
