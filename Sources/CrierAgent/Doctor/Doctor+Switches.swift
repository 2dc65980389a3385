import CrierDelivery
import CrierStore
import Foundation

extension Doctor {
    /// What the user has said, and may have forgotten.
    func switchFindings(_ store: Store?, _ configuration: Configuration?) -> [Finding] {
        guard let store else { return [] }
        var findings: [Finding] = []
        if (try? store.backgroundSettings().isOn) == false {
            let words = "fetching in the background is off"
            findings.append(Finding("background", .warn, words, remedy: "crier background on"))
        }
        let hours = configuration?.quietHours ?? QuietHours()
        guard let quiet = try? Quiet(store, hours, at: clock.now) else { return findings }
        if let end = quiet.mutedUntil {
            let words = "muted until \(moment(end)): only critical notifications are raised"
            return findings + [Finding("quiet", .warn, words, remedy: "crier unmute")]
        }
        let words = "quiet hours until \(moment(quiet.end)): only critical and time-sensitive notifications are raised"
        return findings + [Finding("quiet", .ok, words)]
    }

    /// The sinks that are given nothing for now.
    func sinkFindings(_ store: Store?, _ configuration: Configuration?) -> [Finding] {
        guard let store, let configuration else { return [] }
        let gone = ((try? store.goneSinks()) ?? []).map { ($0.name, "is gone: \($0.reason)") }
        let paused = ((try? store.pausedSinks(at: clock.now)) ?? []).map {
            ($0.name, "is left alone until \(moment($0.until)): \($0.reason)")
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

    /// In the zone of the machine, as other commands have it.
    func moment(_ date: Date) -> String {
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current)
        return date.formatted(
            style.year().month().day().time(includingFractionalSeconds: false).timeZone(separator: .colon))
    }
}
