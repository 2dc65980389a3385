import CrierFetch

/// The sources of a configuration, enabled ones first, by what other sections call them by.
struct SourceRoster {
    /// How many there are.
    let count: Int
    private var names: [String: Int] = [:]
    private var tags: [String: [Int]] = [:]

    init(_ configuration: Configuration) {
        let sources = configuration.sources + configuration.disabledSources
        count = sources.count
        for (index, source) in sources.enumerated() {
            names[source.name] = index
            for tag in Set(source.tags.flatMap(Self.withThoseAround)) { tags[tag, default: []].append(index) }
        }
    }

    /// Whether a source has that tag, or one within it.
    func hasTag(_ tag: String) -> Bool { tags[tag] != nil }

    /// The places of those that have one of some names, or of some tags, or one within it; of all where both are nil.
    func places(named names: [String]? = nil, tagged tags: [String]?) -> [Int] {
        guard names != nil || tags != nil else { return Array(0..<count) }
        let named = (names ?? []).compactMap { self.names[$0] }
        return Array(Set(named + (tags ?? []).flatMap { self.tags[$0] ?? [] }))
    }

    /// `a/b/c`, `a/b` and `a`.
    private static func withThoseAround(_ tag: String) -> [String] {
        [tag] + tag.indices.filter { tag[$0] == "/" }.map { String(tag[..<$0]) }
    }
}

extension Configuration {
    /// By its place in a roster that was made of this configuration.
    mutating func change(_ place: Int, _ body: (inout Source) -> Void) {
        if place < sources.count {
            body(&sources[place])
        } else {
            body(&disabledSources[place - sources.count])
        }
    }
}
