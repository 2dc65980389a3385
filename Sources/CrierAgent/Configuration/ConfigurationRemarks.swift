import CrierFetch

extension Configuration {
    /// What may be said and comes to nothing, in words for the user.
    public var remarks: [String] {
        (sources + disabledSources).filter { $0.updates != .ignore && $0.notify != .each }.map { source in
            "sources.\(printable(source.name)).updates: \"\(source.updates.rawValue)\" tells of nothing beside "
                + "`notify: \(source.notify.rawValue)`; updates are told with `notify: each`"
        }
    }
}
