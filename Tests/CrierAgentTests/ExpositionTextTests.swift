import CrierDelivery
import CrierFetch
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

@Suite("Prometheus's text format")
struct ExpositionTextTests {
    @Test func labelsAndHelpAreEscaped() {
        var page = ExpositionText()
        page.begin("a_total", .counter, "One \\ and\ntwo \"three\".")
        page.add("a_total", [("x", "a\\b\"c\nd"), ("y", "ü")], 3)
        page.add("a_total", [], 0.25)
        #expect(
            page.text == """
                # HELP a_total One \\\\ and\\ntwo "three".
                # TYPE a_total counter
                a_total{x="a\\\\b\\"c\\nd",y="ü"} 3
                a_total 0.25

                """)
    }

    @Test func durationsAreCountedIntoTheirBuckets() throws {
        let meter = AgentMeter(clock: ManualClock())
        var values = meter.values
        values.durations[0] = 2
        values.durations[AgentMeter.bounds.count] = 1
        values.seconds = 40.5
        let text = MetricsPage(
            values: values, started: meter.started, sources: 1, due: 0, lastSuccess: nil, outbox: [.held: 2],
            residentMemory: nil
        ).text
        #expect(text.contains("crier_fetch_duration_seconds_bucket{le=\"0.1\"} 2\n"))
        #expect(text.contains("crier_fetch_duration_seconds_bucket{le=\"30.0\"} 2\n"))
        #expect(text.contains("crier_fetch_duration_seconds_bucket{le=\"+Inf\"} 3\n"))
        #expect(text.contains("crier_fetch_duration_seconds_sum 40.5\n"))
        #expect(text.contains("crier_fetch_duration_seconds_count 3\n"))
        #expect(text.contains("crier_outbox_deliveries{state=\"held\"} 2\n"))
        #expect(!text.contains("crier_last_success"), "there was none")
    }
}
