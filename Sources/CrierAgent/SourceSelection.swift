import CrierFetch

import protocol Foundation.LocalizedError

extension Configuration {
    /// Why a name means no digest, no sink, no source that can be fetched, or nothing at all: one sentence for the user.
    public struct UnknownName: LocalizedError, Sendable, Hashable, CustomStringConvertible {
        public let description: String
        public var errorDescription: String? { description }
    }

    /// The sources of the given names, in the order of the file; all where none is given.
    public func sources(named names: [String]) throws(UnknownName) -> [Source] {
        guard !names.isEmpty else { return sources }
        let known = sources.map(\.name)
        for name in names where !known.contains(name) {
            if disabledSources.contains(where: { $0.name == name }) {
                throw UnknownName(description: "the source \(quoted(name)) is disabled in the configuration")
            }
            throw Self.unknownSource(name, among: known)
        }
        return sources.filter { names.contains($0.name) }
    }

    /// Whether it is fetched or not: one that is disabled or left out because of a mistake is known, too.
    public func checkKnows(source name: String) throws(UnknownName) {
        let known = (sources + disabledSources).map(\.name) + brokenSources.keys.sorted()
        guard known.contains(name) else { throw Self.unknownSource(name, among: known) }
    }

    public func sink(named name: String) throws(UnknownName) -> SinkConfiguration {
        if let sink = sinks.first(where: { $0.name == name }) { return sink }
        let hint = suggestion(for: name, among: sinks.map(\.name))
        throw UnknownName(description: "no sink is called \(quoted(name))\(hint)")
    }

    /// Why there is no source to fetch: a sentence without its stop.
    ///
    /// - Parameter hasMistakes: Whether there may be sources that have been left out.
    package func lackOfSources(hasMistakes: Bool) -> String {
        if hasMistakes { return "no source without a mistake is enabled; `crier check` tells the mistakes" }
        return disabledSources.isEmpty
            ? "the configuration has no sources; `crier add URL` adds one"
            : "all sources of the configuration are disabled"
    }

    /// How many sources there are: `3 sources, 1 disabled`.
    package var sourceCount: String {
        let count = sources.count + disabledSources.count
        let disabled = disabledSources.isEmpty ? "" : ", \(disabledSources.count) disabled"
        return "\(count) source\(count == 1 ? "" : "s")\(disabled)"
    }

    /// They may be thousands: not all of them are named.
    private static func unknownSource(_ name: String, among known: [String]) -> UnknownName {
        let hint = nearest(to: name, among: known).map { "; did you mean \(quoted($0))?" } ?? ""
        return UnknownName(description: "no source is called \(quoted(name))\(hint)")
    }
}
