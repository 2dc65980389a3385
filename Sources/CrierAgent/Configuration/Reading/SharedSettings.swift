import CrierFetch

/// The settings of the sources last read, for those that say the same and differ in name and `url` only.
///
/// Long lists of feeds are like that: reading the settings of each of 100,000 sources anew takes a third of a start.
struct SharedSettings {
    /// Those of one source. Not a structure: as such they would be copied to be looked at.
    final class Settings: Sendable {
        let isEnabled: Bool
        /// How many were visited to read them.
        let nodes: Int
        fileprivate let pairs: [YAMLNode.Pair]
        private let source: Source

        /// - Parameter source: Read without a problem, and nothing of it but the address depends on that.
        init(_ pairs: [YAMLNode.Pair], _ source: Source, isEnabled: Bool, nodes: Int) {
            self.pairs = pairs
            self.source = source
            self.isEnabled = isEnabled
            self.nodes = nodes
        }

        /// - Parameter url: Checked.
        func source(named name: String, at url: String) -> Source {
            var source = source
            source.name = name
            source.address = .url(url)
            return source
        }
    }

    /// Latest first.
    private var settings: [Settings] = []
    private static let limit = 8

    /// Those of an earlier source that are the same; nil where there are none.
    func settings(of pairs: [YAMLNode.Pair]) -> Settings? { settings.first { Self.areSame($0.pairs, pairs) } }

    mutating func note(_ new: Settings) {
        settings.insert(new, at: 0)
        if settings.count > Self.limit { settings.removeLast() }
    }

    private static func areSame(_ pairs: [YAMLNode.Pair], _ others: [YAMLNode.Pair]) -> Bool {
        guard pairs.count == others.count else { return false }
        return pairs.indices.allSatisfy { index in
            pairs[index].key.isSurelySame(as: others[index].key)
                && (pairs[index].key.says("url") || pairs[index].value.isSurelySame(as: others[index].value))
        }
    }
}

extension [YAMLNode.Pair] {
    /// The value of `url` where it stands here itself, and not in what is merged.
    var url: YAMLNode? { value(of: "url") }

    func value(of key: String) -> YAMLNode? { first { $0.key.says(key) }?.value }
}

extension YAMLNode {
    /// Whether it says the same, as far as that is seen at a glance: an alias of the same, a single value or a short list of
    /// such.
    fileprivate func isSurelySame(as other: YAMLNode) -> Bool {
        if self === other { return true }
        switch (content, other.content) {
        case (.scalar(let scalar), .scalar(let other)): return scalar == other
        case (.sequence(let list), .sequence(let others)):
            return list.count < 16 && list.elementsEqual(others) { $0.scalar != nil && $0.scalar == $1.scalar }
        default: return false
        }
    }
}
