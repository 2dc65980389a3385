import CrierStore

/// A source that is called otherwise in the configuration, and is visited and read as before, is the same source.
public struct SourceRename: Sendable, Hashable {
    public let from: String
    public let to: String

    /// Those that have happened since the last fetches: a source takes over what is remembered of its address and way of
    /// reading, where that stands under a name that is no longer there, or is a source's that takes over something itself. So
    /// names may also change places. Where several could be meant, none is.
    ///
    /// - Parameter sources: All of the configuration, those that are not enabled too.
    public static func among(_ sources: [Source], in store: Store) throws(StoreError) -> [SourceRename] {
        let prints = try store.fingerprints()
        let strangers = sources.indices.filter { prints[sources[$0].name] != sources[$0].fingerprint }
        if strangers.isEmpty || prints.isEmpty { return [] }
        let names = Set(strangers.map { sources[$0].name })
        let settled = Set(sources.map(\.name)).subtracting(names)
        let owners = Dictionary(grouping: prints.keys.filter { !settled.contains($0) }) { prints[$0] }
        let claims = Dictionary(grouping: strangers) { sources[$0].fingerprint }
        var renames = claims.compactMap { print, claimants -> SourceRename? in
            guard claimants.count == 1, let owners = owners[print], owners.count == 1 else { return nil }
            return SourceRename(from: owners[0], to: sources[claimants[0]].name)
        }
        // Who gives up a name must have another's memory for it, or this one's would be lost to it.
        var count: Int
        repeat {
            count = renames.count
            let takers = Set(renames.map(\.to))
            renames.removeAll { names.contains($0.from) && !takers.contains($0.from) }
        } while renames.count < count
        return renames
    }

    /// Another one for other sources and digests, or other names, addresses and ways of reading: only then can there be renames,
    /// of sources or of digests.
    public static func fingerprint(of sources: [Source], _ digests: [Digest]) -> [UInt8] {
        var bytes: [UInt8] = []
        // By index, as a source is much to copy.
        for index in sources.indices {
            bytes += sources[index].name.utf8
            bytes.append(0)
            bytes += sources[index].fingerprint
            for digest in sources[index].digests { bytes += digest.utf8 + [0] }
        }
        bytes.append(0)
        for digest in digests { bytes += digest.name.utf8 + [0] }
        return Fingerprint.of(bytes)
    }
}
