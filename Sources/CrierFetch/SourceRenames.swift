import CrierStore

/// A source that is called otherwise in the configuration, and is visited and read as before, is the same source.
public struct SourceRename: Sendable, Hashable {
    public let from: String
    public let to: String

    /// Those that have happened since the last fetches: a name that was never fetched takes over what is remembered under a
    /// name that is no longer there. Where several could be meant, none is.
    ///
    /// - Parameters:
    ///   - sources: All of the configuration that are enabled.
    ///   - disabled: The names of the others, which keep what is remembered of them.
    public static func among(
        _ sources: [Source], disabled: Set<String>, in store: Store
    ) throws(StoreError) -> [SourceRename] {
        let known = try store.sourceNames()
        let new = sources.indices.lazy.filter { !known.contains(sources[$0].name) }.map { sources[$0] }
        if new.isEmpty { return [] }
        let gone = known.subtracting(sources.map(\.name)).subtracting(disabled)
        if gone.isEmpty { return [] }
        let states = try store.states()
        var owners: [[UInt8]: [String]] = [:]
        for name in gone {
            guard let state = states[name], let print = state.fingerprint ?? state.visited else { continue }
            owners[print, default: []].append(name)
        }
        let claims = Dictionary(grouping: new) { Fingerprint.of($0) }
        return claims.compactMap { print, sources in
            guard sources.count == 1, let from = owners[print], from.count == 1 else { return nil }
            return SourceRename(from: from[0], to: sources[0].name)
        }
    }
}
