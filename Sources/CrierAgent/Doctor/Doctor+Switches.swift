import CrierDelivery
import CrierStore

extension Doctor {
    /// What the user has said, and may have forgotten.
    func switchFindings(_ store: Store?, _ configuration: Configuration?) -> [Finding] {
        guard let store else { return [] }
        var findings: [Finding] = []
        if let rest = try? BackgroundRest(configuration ?? Configuration(timeZone: nil), in: store) {
            findings.append(Finding("background", .warn, rest.cause, remedy: rest.remedy))
        }
        let hours = configuration?.quietHours ?? QuietHours()
        guard let quiet = try? Quiet(store, hours, at: clock.now) else { return findings }
        if let end = quiet.mutedUntil {
            let words = "muted until \(RelativeTime.absolute(end)): only critical notifications are raised"
            return findings + [Finding("quiet", .warn, words, remedy: "crier unmute")]
        }
        let raised = "only critical and time-sensitive notifications are raised"
        return findings + [
            Finding("quiet", .ok, "quiet hours until \(RelativeTime.absolute(quiet.end)): \(raised)")
        ]
    }

    /// The sinks that are given nothing for now.
    func sinkFindings(_ store: Store?, _ configuration: Configuration?) -> [Finding] {
        guard let store, let configuration else { return [] }
        let gone = ((try? store.goneSinks()) ?? []).map { ($0.name, "is gone: \($0.reason)") }
        let paused = ((try? store.pausedSinks(at: clock.now)) ?? []).map {
            ($0.name, "is left alone until \(RelativeTime.absolute($0.until)): \($0.reason)")
        }
        let names = Set(configuration.sinks.map(\.name))
        let troubled = (gone + paused).filter { names.contains($0.0) }.map { name, words in
            Finding("sink", .warn, "\(name) \(words)", remedy: "crier sink test \(name)")
        }
        let absent = ((try? store.waitingDeliveryCounts()) ?? [:]).filter { !names.contains($0.key) }
        return troubled
            + absent.sorted { $0.key < $1.key }.map { name, count in
                let what = count == 1 ? "1 waits" : "\(count) wait"
                let words = "\(what) for \(name), which the configuration has no longer"
                return Finding("sink", .warn, words, remedy: "crier deliveries list --sink \(name)")
            }
    }
}
