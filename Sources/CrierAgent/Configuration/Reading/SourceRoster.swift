import CrierFetch

/// The sources of a configuration, enabled ones first, by what other sections call them by.
struct SourceRoster {
    /// How many there are.
    let count: Int
    private var names: [String: Int] = [:]
    /// In order, so that those within a tag stand together.
    private let tags: [(tag: String, place: Int)]

    init(_ configuration: Configuration) {
        let sources = configuration.sources + configuration.disabledSources
        count = sources.count
        for (place, source) in sources.enumerated() { names[source.name] = place }
        let all = sources.enumerated().flatMap { place, source in source.tags.map { (tag: $0, place: place) } }
        tags = all.sorted { $0.tag < $1.tag }
    }

    /// Whether a source has that tag, or one within it.
    func hasTag(_ tag: String) -> Bool { !places(tagged: tag).isEmpty }

    /// The places of those that have one of some names, or of some tags, or one within it; of all where both are nil.
    func places(named names: [String]? = nil, tagged tags: [String]?) -> Set<Int> {
        guard names != nil || tags != nil else { return Set(0..<count) }
        return Set((names ?? []).compactMap { self.names[$0] } + (tags ?? []).flatMap(places(tagged:)))
    }

    private func places(tagged tag: String) -> [Int] {
        // `0` is what comes behind `/`.
        let within = tags[firstIndex(from: "\(tag)/")..<firstIndex(from: "\(tag)0")]
        return tags[firstIndex(from: tag)...].prefix { $0.tag == tag }.map(\.place) + within.map(\.place)
    }

    /// That of the first tag that is not before one.
    private func firstIndex(from tag: String) -> Int {
        var (start, end) = (0, tags.count)
        while start < end {
            let middle = (start + end) / 2
            if tags[middle].tag < tag { start = middle + 1 } else { end = middle }
        }
        return start
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
