import CrierStore

/// A digest that is called otherwise in the configuration, and tells of the same sources, is the same digest.
public struct DigestRename: Sendable, Hashable {
    public let from: String
    public let to: String

    /// Those that have happened since the last runs: a digest that was never seen takes over what waits for one that is no
    /// longer there, if it tells of every source of that which is still there. Where several could be meant, none is.
    ///
    /// - Parameter sources: All of the configuration, by their present names.
    public static func among(
        _ digests: [Digest], of sources: [Source], in store: Store
    ) throws(StoreError) -> [DigestRename] {
        if digests.isEmpty { return [] }
        let seen = try store.seenDigests()
        let new = digests.map(\.name).filter { !seen.contains($0) }
        if new.isEmpty { return [] }
        let names = Set(digests.map(\.name))
        let waiting = try store.waitingSources().filter { !names.contains($0.key) }
        let claims = waiting.compactMap { name, origins -> DigestRename? in
            let left = sources.filter { origins.contains($0.name) }
            let takers = new.filter { taker in left.allSatisfy { $0.digests.contains(taker) } }
            return left.isEmpty || takers.count != 1 ? nil : DigestRename(from: name, to: takers[0])
        }
        return claims.filter { claim in claims.count { $0.to == claim.to } == 1 }
    }
}
