import CrierStore
import Testing

@testable import CrierAgent
@testable import CrierFetch

@Suite struct OutageTests {
    private func report(_ url: String, status: Int? = nil, isDown: Bool = false) -> FetchReport {
        var report = FetchReport(source: "a", result: status == nil ? .failed : .noData)
        report.url = url
        report.status = status
        report.networkIsDown = isDown
        if status == nil { report.failure = FetchFailure(.fetch, "no connection to \(url)") }
        return report
    }

    @Test func anOutageIsToldOnceWithItsFirstCause() {
        let outage = Outage()
        let words = "the network is down, and nothing is counted against sources: no connection to https://a.example/"
        let (a, b) = ("https://a.example/", "https://b.example/")
        #expect(outage.words(after: report(a, status: 200)) == nil)
        #expect(outage.words(after: report("http://192.168.1.2/", isDown: true)) == nil, "the one at home alone")
        #expect(outage.words(after: report(a, isDown: true)) == words)
        #expect(outage.words(after: report(b, isDown: true)) == nil)
        // Neither this machine nor what is at home says that it is over.
        for url in ["file:///feed", "http://127.0.0.1/", "http://192.168.1.2/"] {
            #expect(outage.words(after: report(url, status: 200)) == nil)
        }
        #expect(outage.words(after: report(b)) == nil)
        #expect(outage.words(after: report(a, isDown: true)) == nil)
        #expect(outage.words(after: report(b, status: 503)) == nil)
        #expect(outage.words(after: report(a, isDown: true)) == words)
    }
}
