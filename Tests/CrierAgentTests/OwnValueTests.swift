import CrierAgent
import CrierDelivery
import CrierFetch
import CrierStore
import Foundation
import Testing

/// What the parts of a program hand each other can be made without them, in its own tests above all.
@Suite struct OwnValueTests {
    @Test func whatBecameOfDeliveriesAndDigests() {
        var report = DeliveryReport()
        report.waiting["desktop"] = DeliveryReport.Trouble(count: 2, reason: "no session bus")
        #expect(report.waiting["desktop"]?.count == 2)
        var issue = DigestReport(digest: "morning")
        issue.count = 3
        #expect(issue.digest == "morning" && issue.request == nil)
        let until = Date(timeIntervalSince1970: 1_700_000_000)
        let paused = PausedSink(name: "desktop", until: until, failures: 5, reason: "no session bus")
        #expect(paused.until == until && paused.failures == 5)
    }

    @Test func aConfigurationMayHaveItsOwnTemplatesForDigests() {
        var configuration = Configuration(timeZone: .gmt)
        configuration.digestTemplates["morning"] = DigestTemplateTexts(text: "{{title}}")
        #expect(configuration.digestTemplates["morning"]?.html == nil)
    }
}
