import CrierFetch

import protocol Foundation.LocalizedError

extension Configuration {
    /// Why a name means no source that can be fetched: one sentence for the user.
    public struct UnknownSource: LocalizedError, Sendable, Hashable, CustomStringConvertible {
        public let description: String
        public var errorDescription: String? { description }
    }

    /// The sources of the given names, in the order of the file; all where none is given.
    public func sources(named names: [String]) throws(UnknownSource) -> [Source] {
        guard !names.isEmpty else { return sources }
        let known = sources.map(\.name)
        for name in names where !known.contains(name) {
            if disabledSources.contains(where: { $0.name == name }) {
                throw UnknownSource(description: "the source \(quoted(name)) is disabled in the configuration")
            }
            let hint = nearest(to: name, among: known).map { "; did you mean \(quoted($0))?" } ?? ""
            throw UnknownSource(description: "no source is called \(quoted(name))\(hint)")
        }
        return sources.filter { names.contains($0.name) }
    }
}
