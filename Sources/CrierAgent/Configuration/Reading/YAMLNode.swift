/// A value of a YAML document and where it stands. An alias is the node of its anchor itself, and stands where that does.
struct YAMLNode: Sendable {
    typealias Pair = (key: YAMLNode, value: YAMLNode)

    fileprivate let tree: YAMLTree
    fileprivate let index: Int

    /// - Parameter index: Of one of the tree's values.
    init(_ tree: YAMLTree, _ index: Int) {
        self.tree = tree
        self.index = tree.resolved(index)
    }

    var position: FilePosition { tree[index].position }

    /// Whether it is text without quotes that is no block.
    var isPlain: Bool { tree[index].kind == .plain }

    var isScalar: Bool { tree[index].isText }

    /// Of a scalar.
    var text: String? { tree.text(at: index) }

    /// That the file gives it; nil where it means text.
    var tag: String? { tree.tag(at: index) }

    /// Whether it is this text, quoted or not.
    ///
    /// - Parameter text: In ASCII.
    func says(_ text: StaticString) -> Bool { tree.says(text, at: index) }

    var sequence: [YAMLNode]? {
        let value = tree[index]
        guard value.kind == .sequence else { return nil }
        var nodes: [YAMLNode] = []
        nodes.reserveCapacity(Int(value.place))
        var next = index + 1
        while next < value.extent {
            nodes.append(YAMLNode(tree, next))
            next = tree.next(after: next)
        }
        return nodes
    }

    var mapping: YAMLMapping? { tree[index].kind == .mapping ? YAMLMapping(self) : nil }

    /// Whether both are scalars of the same bytes, written alike.
    func isSameScalar(as other: YAMLNode) -> Bool {
        tree.isSameScalar(at: index, as: other.index, of: other.tree)
    }
}

/// The pairs of a mapping in file order, each key once.
struct YAMLMapping: Sequence, Sendable {
    private let tree: YAMLTree
    private let index: Int

    fileprivate init(_ node: YAMLNode) {
        tree = node.tree
        index = node.index
    }

    var count: Int { Int(tree[index].place) }
    var underestimatedCount: Int { count }
    var first: YAMLNode.Pair? { first { _ in true } }

    /// - Parameter key: In ASCII.
    func value(of key: StaticString) -> YAMLNode? {
        var pairs = YAMLTree.Pairs(of: index)
        while let pair = pairs.next(in: tree) {
            if tree.says(key, at: pair.key) { return YAMLNode(tree, pair.value) }
        }
        return nil
    }

    /// Whether it says the same as another of the same document but for the value of a key, as far as that is seen at a glance:
    /// each value is an alias of the same, a single value or a short list of such.
    ///
    /// - Parameter key: In ASCII.
    func isSurelySame(as other: YAMLMapping, but key: StaticString) -> Bool {
        guard count == other.count, tree === other.tree else { return false }
        var (pairs, others) = (YAMLTree.Pairs(of: index), YAMLTree.Pairs(of: other.index))
        while let one = pairs.next(in: tree), let two = others.next(in: tree) {
            guard tree.isSameScalar(at: one.key, as: two.key, of: tree),
                tree.says(key, at: one.key) || tree.isSurelySame(at: one.value, as: two.value)
            else { return false }
        }
        return true
    }

    struct Iterator: IteratorProtocol {
        fileprivate let tree: YAMLTree
        fileprivate var pairs: YAMLTree.Pairs

        mutating func next() -> YAMLNode.Pair? {
            pairs.next(in: tree).map { (YAMLNode(tree, $0.key), YAMLNode(tree, $0.value)) }
        }
    }

    func makeIterator() -> Iterator { Iterator(tree: tree, pairs: YAMLTree.Pairs(of: index)) }
}
