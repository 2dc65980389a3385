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
        fileprivate let pairs: YAMLMapping
        private let source: Source

        /// - Parameter source: Read without a problem, and nothing of it but the address depends on that.
        init(_ pairs: YAMLMapping, _ source: Source, isEnabled: Bool, nodes: Int) {
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
    func settings(of pairs: YAMLMapping) -> Settings? {
        settings.first { $0.pairs.isSurelySame(as: pairs, but: "url") }
    }

    mutating func note(_ new: Settings) {
        settings.insert(new, at: 0)
        if settings.count > Self.limit { settings.removeLast() }
    }
}

extension YAMLMapping {
    /// The value of `url` where it stands here itself, and not in what is merged.
    var url: YAMLNode? { value(of: "url") }
}
