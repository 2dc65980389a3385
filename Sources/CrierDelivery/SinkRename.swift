import CrierStore

import struct Foundation.Date

/// A sink that is called otherwise in the configuration, and leads where it led, is the same sink.
public struct SinkRename: Sendable, Hashable {
    public let from: String
    public let to: String

    public init(from: String, to: String) {
        self.from = from
        self.to = to
    }

    /// Those that have happened since the last runs: a sink takes over what waits for one that led where it leads and whose name is
    /// no longer there, or leads elsewhere by now. So names may also change places. Where several led there or lead there now,
    /// each takes over one, in the order of their names.
    ///
    /// - Parameter places: Those of all sinks of the configuration.
    public static func among(_ places: [SinkPlace], in store: Store) throws(StoreError) -> [SinkRename] {
        let known = try store.sinkPlaces()
        if known.isEmpty { return [] }
        let settled = Set(places.filter { known[$0.name] == $0.fingerprint }.map(\.name))
        let owners = Dictionary(grouping: known.keys.filter { !settled.contains($0) }) { known[$0] }
        let claimants = Dictionary(grouping: places.filter { !settled.contains($0.name) }, by: \.fingerprint)
        return claimants.flatMap { fingerprint, places in
            zip(owners[fingerprint, default: []].sorted(), places.map(\.name).sorted()).map(SinkRename.init)
        }
    }

    /// Has the state follow.
    public static func adopt(_ renames: [SinkRename], in store: Store, at date: Date) throws(StoreError) {
        if renames.isEmpty { return }
        try store.renameSinks(Dictionary(renames.map { ($0.from, $0.to) }) { $1 }, at: date)
    }
}
