import CrierFetch

/// The settings of the sources last read, for those that say the same and differ in name and `url` only.
///
/// Long lists of feeds are like that: reading the settings of each of 100,000 sources anew takes a third of a start.
struct SharedSettings {
    /// Not a structure: as such it would be copied to be looked at.
    private final class Settings: Sendable {
        let pairs: [YAMLNode.Pair]
        let source: Source
        let isEnabled: Bool

        init(_ pairs: [YAMLNode.Pair], _ source: Source, isEnabled: Bool) {
            self.pairs = pairs
            self.source = source
            self.isEnabled = isEnabled
        }
    }

    /// Latest first.
    private var settings: [Settings] = []
    private static let limit = 8

    /// A source and whether it is enabled; nil where no earlier one has the same settings.
    ///
    /// - Parameter url: Checked.
    func source(named name: String, at url: String, _ pairs: [YAMLNode.Pair]) -> (source: Source, isEnabled: Bool)? {
        guard let same = settings.first(where: { Self.areSame($0.pairs, pairs) }) else { return nil }
        var source = same.source
        source.name = name
        source.address = .url(url)
        return (source, same.isEnabled)
    }

    /// Keeps what was read without a problem, unless something else of it depends on the address.
    mutating func note(_ pairs: [YAMLNode.Pair], _ read: (source: Source, isEnabled: Bool)) {
        guard pairs.url != nil, read.source.every >= SourceFields.leastInterval, read.source.request == SourceRequest()
        else { return }
        settings.insert(Settings(pairs, read.source, isEnabled: read.isEnabled), at: 0)
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
    var url: YAMLNode? { first { $0.key.says("url") }?.value }
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
