import CrierDelivery
import CrierFetch
import CrierStore
import Foundation

/// What is called otherwise in the configuration than it was at the last run.
public struct Renames: Sendable, Hashable {
    public var sources: [SourceRename] = []
    public var digests: [DigestRename] = []
    public var sinks: [SinkRename] = []
}

extension Configuration {
    /// Lets sources, digests and sinks that are called otherwise in the configuration keep what is remembered of them, shorter
    /// intervals hold from the last visits on, and what comes back be tried that was gone for good.
    @discardableResult
    public func adoptEdits(in store: Store, at date: Date) throws(StoreError) -> Renames {
        let present = configurationFingerprint
        if try store.lastConfiguration() == present { return Renames() }
        var renames = Renames(sources: try sourceRenames(in: store))
        try SourceRename.adopt(renames.sources, in: store, at: date)
        renames.digests = try digestRenames(in: store)
        for rename in renames.digests { try store.renameDigest(rename.from, to: rename.to) }
        // One whose name comes back is a new one, which may take over what waits.
        try store.forgetDigests(but: Set(digests.map(\.name)))
        renames.sinks = try sinkRenames(in: store)
        try SinkRename.adopt(renames.sinks, in: store, at: date)
        let returned = try store.noteSources(allSources.map(\.name) + brokenSources.keys, at: date)
        try store.startAfresh(returned: returned, at: date)
        try store.forgetGoneSinks(but: sinks.map(\.name), at: date)
        try store.note(sinks.map(\.place))
        try EditedInterval.adopt(try editedIntervals(in: store), in: store)
        try store.noteConfiguration(present)
        return renames
    }

    /// The state as the next run will find it, for those who only look: it is that itself, or where something is called
    /// otherwise by now, a copy in memory.
    public func foreseen(_ store: Store, at date: Date) throws(StoreError) -> Store {
        if try store.lastConfiguration() == configurationFingerprint { return store }
        if try sourceRenames(in: store).isEmpty, try digestRenames(in: store).isEmpty,
            try sinkRenames(in: store).isEmpty, try editedIntervals(in: store).isEmpty
        {
            return store
        }
        guard let copy = try Store.copy(ofFileAt: store.path) else { return store }
        try adoptEdits(in: copy, at: date)
        return copy
    }

    /// While it is the same, no name, no place of a sink and no interval was edited: to look for that goes through all that is remembered.
    private var configurationFingerprint: [UInt8] {
        SourceRename.fingerprint(of: allSources, broken: brokenSources, digests, sinks.map(\.place))
    }

    private func sourceRenames(in store: Store) throws(StoreError) -> [SourceRename] {
        try SourceRename.among(allSources, broken: brokenSources, in: store)
    }

    private func digestRenames(in store: Store) throws(StoreError) -> [DigestRename] {
        try DigestRename.among(digests, of: allSources, broken: Set(brokenSources.keys), in: store)
    }

    private func sinkRenames(in store: Store) throws(StoreError) -> [SinkRename] {
        try SinkRename.among(sinks.map(\.place), in: store)
    }

    private func editedIntervals(in store: Store) throws(StoreError) -> [EditedInterval] {
        let paces = HostPaces(named: hosts, minimumInterval: try store.backgroundSettings().minimumInterval)
        return try EditedInterval.among(sources, hosts: paces, in: store)
    }

    /// Not copied where none is disabled: long lists are looked through at each run.
    private var allSources: [Source] { disabledSources.isEmpty ? sources : sources + disabledSources }
}
