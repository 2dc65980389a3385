import CrierFetch
import CrierStore
import Foundation

extension Doctor {
    /// In seconds: so long it may be that a host is down or moves.
    private static let longFailure: TimeInterval = 7 * 86_400

    /// The sources that nothing comes from any more, and what waits for digests that there are no longer.
    func sourceFindings(_ store: Store?, _ configuration: Configuration?) -> [Finding] {
        guard let store, let configuration, let states = try? store.states() else { return [] }
        let stopped = configuration.sources.filter { states[$0.name]?.schedule.isStopped(for: $0) ?? false }
        var findings = stopped.map { source in
            Finding(
                "source", .warn, "\(source.name) is gone, and is not visited any more",
                remedy: "crier fetch \(source.name) --force, or crier remove \(source.name)")
        }
        let limit = clock.now.addingTimeInterval(-Self.longFailure)
        let failing = Set(configuration.sources.map(\.name)).subtracting(stopped.map(\.name)).filter { name in
            states[name]?.failingSince.map { $0 < limit } ?? false
        }
        if !failing.isEmpty {
            let (names, one) = (failing.sorted(), failing.count == 1)
            let words = "\(listed(names, "and", atMost: 5)) \(one ? "has" : "have") failed for more than a week"
            findings.append(Finding("source", .warn, words, remedy: one ? "crier why \(names[0])" : "crier status"))
        }
        let digests = Set(configuration.digests.map(\.name))
        let waiting = ((try? store.waitingItemCounts()) ?? [:]).filter { !digests.contains($0.key) }
        return findings
            + waiting.sorted { $0.key < $1.key }.map { name, count in
                let words =
                    "\(count == 1 ? "1 item waits" : "\(count) items wait") for \(name), which the configuration has no longer"
                return Finding("digest", .warn, words, remedy: "write a digest of that name")
            }
    }
}
