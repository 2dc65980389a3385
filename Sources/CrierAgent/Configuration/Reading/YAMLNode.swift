/// A value of a YAML document and where it stands. An alias is the node of its anchor itself, and stands where that does.
struct YAMLNode: Sendable {
    typealias Pair = (key: YAMLNode, value: YAMLNode)

    fileprivate let tree: YAMLTree
    /// In its document, of an alias that of its anchor.
    let index: Int

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

    var sequence: YAMLSequence? { tree[index].kind == .sequence ? YAMLSequence(node: self) : nil }

    var mapping: YAMLMapping? { tree[index].kind == .mapping ? YAMLMapping(node: self) : nil }

    /// Those of a list; of anything else itself.
    var elements: [YAMLNode] { sequence.map(Array.init) ?? [self] }

    /// Of a list, its elements; of a mapping, its keys.
    fileprivate var count: Int { Int(tree[index].count) }

    /// Whether both are scalars of the same bytes, written alike.
    func isSameScalar(as other: YAMLNode) -> Bool {
        tree.isSameScalar(at: index, as: other.index, of: other.tree)
    }
}

/// The elements of a list.
struct YAMLSequence: Sequence, Sendable {
    fileprivate let node: YAMLNode

    var count: Int { node.count }
    var underestimatedCount: Int { count }
    var isEmpty: Bool { count == 0 }

    struct Iterator: IteratorProtocol {
        fileprivate let tree: YAMLTree
        fileprivate var index: Int
        fileprivate let end: Int

        mutating func next() -> YAMLNode? {
            guard index < end else { return nil }
            defer { index = tree.next(after: index) }
            return YAMLNode(tree, index)
        }
    }

    func makeIterator() -> Iterator {
        Iterator(tree: node.tree, index: node.index + 1, end: node.tree.next(after: node.index))
    }
}

/// The pairs of a mapping in file order, each key once.
struct YAMLMapping: Sequence, Sendable {
    fileprivate let node: YAMLNode
    private var tree: YAMLTree { node.tree }

    var count: Int { node.count }
    var underestimatedCount: Int { count }
    var first: YAMLNode.Pair? { first { _ in true } }

    /// - Parameter key: In ASCII.
    func value(of key: StaticString) -> YAMLNode? {
        var pairs = YAMLTree.Pairs(of: node.index)
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
        var (pairs, others) = (YAMLTree.Pairs(of: node.index), YAMLTree.Pairs(of: other.node.index))
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

    func makeIterator() -> Iterator { Iterator(tree: tree, pairs: YAMLTree.Pairs(of: node.index)) }
}
