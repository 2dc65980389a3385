import CrierFetch

/// That what sources raise is only printed, where what runs Crier by itself leads that to a place at which few look.
public struct UnseenNews: Sendable {
    /// As a clause.
    public let words: String
    /// What the user can do about it, where it is not meant so.
    public let remedy = "name another sink in the configuration, such as `sinks: {desktop: {}}`"

    /// Nil where there is none.
    public init?(_ configuration: Configuration, by ways: Set<Installation.Way>) {
        let sources = configuration.sources.filter(configuration.isOnlyPrinted)
        if sources.isEmpty || ways.isEmpty { return nil }
        let what = sources.count == 1 ? sources[0].name : "\(sources.count) sources"
        let whose = sources.count == configuration.sources.count ? "what is new" : "what is new of \(what)"
        let journal = ways.isSubset(of: [.cron]) ? nil : "the journal (`journalctl --user -t crier`)"
        let mail = ways.contains(.cron) ? "cron's mail, if it can send any" : nil
        let places = [journal, mail].compactMap(\.self).joined(separator: " and to ")
        words = "\(whose) is raised at standard output alone, which leads to \(places)"
    }
}

extension Configuration {
    /// Whether what a source raises, by itself or in digests, is raised at standard output and nowhere else.
    fileprivate func isOnlyPrinted(_ source: Source) -> Bool {
        let own = source.notify == .none ? [] : source.sinks + source.rules.flatMap { $0.sinks ?? [] }
        let names = Set(own + digests.filter { source.digests.contains($0.name) }.flatMap(\.sinks))
        let kinds = Set(sinks.filter { names.contains($0.name) }.map(\.settings.kind))
        return kinds == [.stdout]
    }
}
