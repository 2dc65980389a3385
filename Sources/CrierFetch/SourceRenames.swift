import CrierStore

/// A source that is called otherwise in the configuration, and is visited and read as before, is the same source.
public struct SourceRename: Sendable, Hashable {
    public let from: String
    public let to: String

    /// Those that have happened since the last fetches: a source takes over what is remembered of its address and way of
    /// reading, where that stands under a name that is no longer there or is another address's by now. So names may also change
    /// places, or go to a new source. Of several that had the address the one that was read last knows most; where several
    /// sources have it now, none takes it over.
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
        return Dictionary(grouping: strangers) { sources[$0].fingerprint }.compactMap { fingerprint, claimants in
            let source = sources[claimants[0]]
            guard claimants.count == 1, let all = owners[fingerprint]?.filter({ !isKept($0, from: source) }) else {
                return nil
            }
            // What was never read remembers nothing that another's memory would not be better than.
            let read = all.filter { known[$0]?.hasSucceeded ?? false }
            func isBefore(_ one: String, _ other: String) -> Bool {
                let dates = [one, other].map { known[$0]?.lastSucceeded ?? .distantPast }
                return dates[0] == dates[1] ? one > other : dates[0] < dates[1]
            }
            let owner = (read.isEmpty ? all : read).max(by: isBefore)
            return owner.flatMap { $0 == source.name ? nil : SourceRename(from: $0, to: source.name) }
        }
    }

    /// Another one for other sources and digests, or other names, addresses and ways of reading: only then can there be renames,
    /// of sources or of digests.
    public static func fingerprint(
        of sources: [Source], broken: [String: SourceAddress?] = [:], _ digests: [Digest]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 * sources.count)
        // By index, as a source is much to copy.
        for index in sources.indices {
            bytes += sources[index].name.utf8
            bytes.append(0)
            sources[index].fingerprint.withUnsafeBytes { bytes += $0 }
            for digest in sources[index].digests { bytes += digest.utf8 + [0] }
        }
        for (name, address) in broken.sorted(by: { $0.key < $1.key }) {
            bytes += [1] + name.utf8
            if let address { Fingerprint.append(address, to: &bytes) }
        }
        bytes.append(0)
        for digest in digests { bytes += digest.name.utf8 + [0] }
        return Fingerprint.of(bytes)
    }
}
