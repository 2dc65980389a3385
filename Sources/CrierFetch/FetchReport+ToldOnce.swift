extension [FetchReport] {
    /// Notes what would be raised nowhere, as an earlier report of another source tells of the same addresses. The state knows nothing
    /// of that where nothing is written.
    ///
    /// - Parameter sources: As they are configured.
    public mutating func tellOnce(_ sources: [Source]) {
        let sources = Dictionary(sources.map { ($0.name, $0) }) { first, _ in first }
        /// By sink and address, the source and the request that told first.
        var tellers: [String: [String: (source: String, identifier: String)]] = [:]
        for index in indices {
            guard let source = sources[self[index].source], source.isUnique else { continue }
            let common = self[index].composition.commonAddresses
            for part in self[index].composition.parts where self[index].toldByOthers[part.request.identifier] == nil {
                let (sinks, addresses) = (part.sinks ?? source.sinks, part.addresses(of: source, besides: common))
                let told = sinks.map { sink in
                    addresses.map { address in tellers[sink]?[address].flatMap { $0.source == source.name ? nil : $0 } }
                }
                if let first = told.first?.first, told.joined().allSatisfy({ $0 != nil }) {
                    self[index].toldByOthers[part.request.identifier] = first?.identifier
                    continue
                }
                for sink in sinks {
                    tellers[sink, default: [:]].merge(
                        addresses.map { ($0, (source.name, part.request.identifier)) }
                    ) { first, _ in first }
                }
            }
        }
    }
}
