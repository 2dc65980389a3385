import CrierStore

/// A digest that is called otherwise in the configuration, and tells of the same sources, is the same digest.
public struct DigestRename: Sendable, Hashable {
    public let from: String
    public let to: String

    /// Those that have happened since the last runs: a digest that was never seen takes over what waits for one that is no
    /// longer there, if it tells of every source of that which is still there. Where nothing waits, the last issue tells of which
    /// sources it was. Where several could be meant, none is; those that something waits for come first.
    ///
    /// - Parameters:
    ///   - sources: All of the configuration that can be read, by their present names.
    ///   - broken: The names of the others. Of which digests those are is not known; at the next run all digests were seen.
    public static func among(
        _ digests: [Digest], of sources: [Source], broken: Set<String> = [], in store: Store
    ) throws(StoreError) -> [DigestRename] {
        if digests.isEmpty { return [] }
        let seen = try store.seenDigests()
        let new = digests.map(\.name).filter { !seen.contains($0) }
        if new.isEmpty { return [] }
        let names = Set(digests.map(\.name))
        func claims(by gone: [String: Set<String>]) -> [DigestRename] {
            gone.compactMap { name, origins in
                let left = sources.filter { origins.contains($0.name) }
                let takers = new.filter { taker in left.allSatisfy { $0.digests.contains(taker) } }
                let isLeft = !left.isEmpty || !origins.isDisjoint(with: broken)
                let isClaim = isLeft && takers.count == 1 && !names.contains(name)
                return isClaim ? DigestRename(from: name, to: takers[0]) : nil
            }
        }
        let waiting = claims(by: try store.waitingSources())
        // What waits would never be told, and comes before what was told.
        let told = claims(by: try store.lastToldSources()).filter { claim in !waiting.contains { $0.to == claim.to } }
        let all = waiting + told
        return all.filter { claim in all.count { $0.to == claim.to } == 1 }
    }
}
