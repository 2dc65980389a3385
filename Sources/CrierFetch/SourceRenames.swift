import CrierHashing
import CrierStore

import struct Foundation.Date

/// A source that is called otherwise in the configuration, and is visited and read as before, is the same source.
public struct SourceRename: Sendable, Hashable {
    public let from: String
    public let to: String
    /// Whether the other goes on under a name of its own, and this one begins where that is.
    public let isBranch: Bool

    public init(from: String, to: String, isBranch: Bool = false) {
        self.from = from
        self.to = to
        self.isBranch = isBranch
    }

    /// Those that have happened since the last fetches: a source takes over what is remembered of its address and way of
    /// reading, where that stands under a name that is no longer there or is another address's by now. So names may also change
    /// places, or go to a new source. Of several that had the address the one that was read last knows most. Where several
    /// sources have it now, each takes over one, in the order of their names; those for which none is left are branches. A source
    /// that has another name and another address is known by the latter where it was visited or told of under the former name.
    ///
    /// - Parameters:
    ///   - sources: All of the configuration that can be read, those that are not enabled too.
    ///   - broken: The others by name, with their addresses where these can be read; they keep what they have, unless they
    ///     are known to have another address by now.
    public static func among(
        _ sources: [Source], broken: [String: SourceAddress?] = [:], in store: Store
    ) throws(StoreError) -> [SourceRename] {
        let known = try store.knownAddresses()
        if known.isEmpty { return [] }
        func isSettled(_ source: Source) -> Bool {
            known[source.name].map { $0.fingerprint == source.fingerprint && $0.hasSucceeded } ?? false
        }
        let strangers = sources.indices.filter { !isSettled(sources[$0]) }
        if strangers.isEmpty { return [] }
        func isKept(_ name: String, from source: Source) -> Bool {
            guard let address = broken[name] else { return false }
            return address == nil || address == source.address
        }
        let settled = Set(sources.map(\.name)).subtracting(strangers.map { sources[$0].name })
        let owners = Dictionary(grouping: known.keys.filter { !settled.contains($0) }) { known[$0]?.fingerprint }
        let renames = Dictionary(grouping: strangers) { sources[$0].fingerprint }.flatMap { fingerprint, claimants in
            let source = sources[claimants[0]]
            let all = owners[fingerprint, default: []].filter { !isKept($0, from: source) }.latestFirst(known)
            // What was never read remembers nothing that another's memory would not be better than.
            let read = all.filter { known[$0]?.hasSucceeded ?? false }
            return among(claimants.map { sources[$0].name }, read.isEmpty && claimants.count == 1 ? all : read)
        }
        let present = Set(sources.map(\.name)).union(broken.keys)
        let (heirs, taken) = (Set(renames.map(\.to)), Set(renames.map(\.from)))
        let newcomers = strangers.map { sources[$0] }.filter {
            known[$0.name]?.hasSucceeded != true && !heirs.contains($0.name)
        }
        let gone = known.keys.filter { !taken.contains($0) && (heirs.contains($0) || !present.contains($0)) }
        return try renames + ofEdited(newcomers, gone, known, in: store)
    }

    /// Those of sources that have another address, too, which was not read yet under the former name: it has failed so far, or
    /// the origin has told of it by a permanent redirect.
    ///
    /// - Parameters:
    ///   - newcomers: Sources of which nothing is remembered.
    ///   - gone: Names of which something is, and which are no longer there or another's by now.
    private static func ofEdited(
        _ newcomers: [Source], _ gone: [String], _ known: [String: Store.KnownAddress], in store: Store
    ) throws(StoreError) -> [SourceRename] {
        if newcomers.isEmpty || gone.isEmpty { return [] }
        let read = try store.states(of: gone) { $1 }.compactMap { $0 }.filter { $0.fingerprint != nil }
        func renames(of sources: [Source], owners: (Source) -> [SourceState]) -> [SourceRename] {
            Dictionary(grouping: sources, by: \.fingerprint).values.flatMap { claimants in
                among(claimants.map(\.name), owners(claimants[0]).map(\.name).latestFirst(known))
            }
        }
        let visited = Dictionary(grouping: read, by: \.visited)
        let found = renames(of: newcomers) { visited[$0.fingerprint, default: []] }
        let (heirs, taken) = (Set(found.map(\.to)), Set(found.map(\.from)))
        let left = read.filter { !taken.contains($0.name) }
        let moved = Dictionary(grouping: left) { $0.move?.adopted ?? $0.move?.target }
        return found
            + renames(of: newcomers.filter { !heirs.contains($0.name) }) { source in
                guard case .url(let url) = source.address else { return [] }
                return moved[url, default: []].filter { state in
                    var former = source
                    if let configured = state.move?.configured { former.address = .url(configured) }
                    return former.fingerprint == state.fingerprint
                }
            }
    }

    /// - Parameters:
    ///   - names: Of the sources that have the address now: the first ones take over, so enabled ones come before others.
    ///   - owners: Those under whose names it is remembered, the one that knows most first.
    private static func among(_ names: [String], _ owners: [String]) -> [SourceRename] {
        guard let first = owners.first else { return [] }
        let heirs = zip(owners.prefix(names.count).sorted(), names.prefix(owners.count).sorted())
        let branches = names.dropFirst(owners.count).map { SourceRename(from: first, to: $0, isBranch: true) }
        return heirs.filter { $0 != $1 }.map { SourceRename(from: $0, to: $1) } + branches
    }

    /// Has the state follow.
    public static func adopt(_ renames: [SourceRename], in store: Store, at date: Date) throws(StoreError) {
        var (names, branches): ([String: String], [String: String]) = ([:], [:])
        for rename in renames {
            if rename.isBranch { branches[rename.to] = rename.from } else { names[rename.from] = rename.to }
        }
        if !renames.isEmpty { try store.renameSources(names, branches: branches, at: date) }
    }

    /// Another one for other sources, digests and sinks, or other names, addresses, ways of reading, intervals and places of sinks:
    /// only then can there be renames, and an ``EditedInterval``.
    public static func fingerprint(
        of sources: [Source], broken: [String: SourceAddress?] = [:], _ digests: [Digest], _ sinks: [SinkPlace] = []
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 * sources.count)
        // By index, as a source is much to copy.
        for index in sources.indices {
            bytes += sources[index].name.utf8
            bytes.append(0)
            sources[index].fingerprint.withUnsafeBytes { bytes += $0 }
            withUnsafeBytes(of: sources[index].every.components) { bytes += $0 }
            for digest in sources[index].digests { bytes += digest.utf8 + [0] }
        }
        for (name, address) in broken.sorted(by: { $0.key < $1.key }) {
            bytes += [1] + name.utf8
            if let address { Fingerprint.append(address, to: &bytes) }
        }
        bytes.append(0)
        for digest in digests { bytes += digest.name.utf8 + [0] }
        bytes.append(0)
        for sink in sinks { bytes += sink.name.utf8 + [0] + sink.fingerprint }
        return XXH3.hash(bytes)
    }
}

extension [String] {
    /// Names of sources, the one that was read last first.
    fileprivate func latestFirst(_ known: [String: Store.KnownAddress]) -> [String] {
        sorted { one, other in
            let dates = [one, other].map { known[$0]?.lastSucceeded ?? .distantPast }
            return dates[0] == dates[1] ? one < other : dates[0] > dates[1]
        }
    }
}
