import CrierNotifications
import CrierProcess
import CrierStore
import Foundation

/// The metrics of one agent, at the moment of asking.
struct MetricsPage: Sendable {
    let values: AgentMeter.Values
    let started: Date
    let sources: Int
    let due: Int
    let lastSuccess: Date?
    let outbox: [Delivery.State: Int]
    /// The process's, in bytes; nil where the kernel does not say.
    let residentMemory: Int?

    var text: String {
        var page = ExpositionText()
        page.begin("crier_build_info", .gauge, "The version of Crier.")
        page.add("crier_build_info", [("version", CrierVersion.number)], 1)
        addFetches(to: &page)
        page.add("crier_sources", .gauge, "Sources that are fetched.", Double(sources))
        page.add("crier_sources_due", .gauge, "Sources that are due now.", Double(due))
        if let lastSuccess {
            page.add(
                "crier_last_success_timestamp_seconds", .gauge, "When a fetch last succeeded.",
                lastSuccess.timeIntervalSince1970)
        }
        addDeliveries(to: &page)
        page.begin("crier_wakeups_total", .counter, "Times that the agent woke up.")
        for reason in WakeReason.allCases {
            page.add("crier_wakeups_total", [("reason", reason.rawValue)], Double(values.wakes[reason] ?? 0))
        }
        if let residentMemory {
            page.add(
                "process_resident_memory_bytes", .gauge, "Resident memory of the process.", Double(residentMemory))
        }
        page.add(
            "process_start_time_seconds", .gauge, "When the agent began.", started.timeIntervalSince1970)
        return page.text
    }

    private func addFetches(to page: inout ExpositionText) {
        page.begin("crier_fetches_total", .counter, "Fetches that have ended, by result.")
        for result in [BackgroundFetchResult.newData, .noData, .failed] {
            page.add("crier_fetches_total", [("result", result.rawValue)], Double(values.fetches[result] ?? 0))
        }
        let name = "crier_fetch_duration_seconds"
        page.begin(name, .histogram, "Time from the request of a fetch to its verdict.")
        var count = 0
        for (bound, more) in zip(AgentMeter.bounds, values.durations) {
            count += more
            page.add("\(name)_bucket", [("le", "\(bound)")], Double(count))
        }
        count += values.durations.last ?? 0
        page.add("\(name)_bucket", [("le", "+Inf")], Double(count))
        page.add("\(name)_sum", [], values.seconds)
        page.add("\(name)_count", [], Double(count))
        page.add(
            "crier_fetch_bytes_total", .counter, "Bytes of documents, after decompression.", Double(values.bytes))
        page.add(
            "crier_requests_total", .counter, "HTTP requests to origins, redirects included.", Double(values.requests))
    }

    private func addDeliveries(to page: inout ExpositionText) {
        page.begin("crier_deliveries_total", .counter, "Attempts to deliver, by sink and what came of them.")
        let keys = values.deliveries.sorted {
            ($0.key.sink, $0.key.outcome.rawValue) < ($1.key.sink, $1.key.outcome.rawValue)
        }
        for (key, count) in keys {
            page.add(
                "crier_deliveries_total", [("sink", key.sink), ("state", key.outcome.rawValue)], Double(count))
        }
        page.begin("crier_outbox_deliveries", .gauge, "Deliveries in the outbox, by state.")
        for state in [Delivery.State.pending, .held, .dead] {
            page.add("crier_outbox_deliveries", [("state", state.rawValue)], Double(outbox[state] ?? 0))
        }
    }
}

extension AgentDesk {
    /// What the metrics are now.
    func metrics() throws(StoreError) -> MetricsPage {
        let wiring = try wiring()
        let sources = wiring.configuration.sources
        return MetricsPage(
            values: meter.values, started: meter.started, sources: sources.count,
            due: try wiring.scheduler.due(among: sources).due.count, lastSuccess: try store.lastSuccess(),
            outbox: try store.deliveryCounts(), residentMemory: ProcessMemory.resident)
    }
}
