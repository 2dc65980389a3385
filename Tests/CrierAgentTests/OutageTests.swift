import CrierHTTP
import CrierStore
import CrierTesting
import Foundation
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

    @Test func scheduledRunsKnowAnOutageUntilAHostIsReached() async throws {
        let (store, transport, clock) = (try Store.inMemory(), ScriptedTransport(), ManualClock())
        let addresses = ["https://a.example/", "https://b.example/", "http://192.168.1.2/"]
        func answer(_ address: String) -> ScriptedTransport.Answer {
            .success(HTTPResponse(status: 503, fields: [:], body: [], url: address))
        }
        let down = ScriptedTransport.Answer.failure(HTTPError(.resolve, "no address"))
        for address in addresses.prefix(2) { transport.script(address, [down, down, down, answer(address), down]) }
        // One at home says nothing of the others.
        transport.script(addresses[2], [answer(addresses[2])])
        let sources = addresses.enumerated().map { "s\($0): {url: '\($1)'}" }.joined(separator: ", ")
        let text = "background: always\nsources: {\(sources)}\n"
        let loaded = Configuration.load(text: text, file: "crier.yaml")
        let configuration = try #require(loaded.configuration)
        let wiring = Wiring(
            configuration: configuration, store: store,
            surroundings: Surroundings(clock: clock, transport: transport, environment: [:]))
        var known: [Bool] = []
        for isScheduled in [true, true, false, true, true] {
            let run = OneShot(wiring, isScheduled: isScheduled)
            known.append(try await run.run(configuration.sources) { _ in }.outageIsKnown)
            clock.advance(to: clock.now.addingTimeInterval(6 * 3600))
        }
        #expect(known == [false, true, false, false, false], "whoever asks is told, and so is the next outage")
    }

    /// The agent may have ended it, which takes no note.
    @Test func anOutageThatWasNotedADayAgoIsToldAgain() throws {
        let (store, now) = (try Store.inMemory(), Date(timeIntervalSince1970: 1_700_000_000))
        let known = try [0, 3600, 86_399, 86_400, 86_401, 90_000].map { seconds in
            try store.noteOutage(true, at: now.addingTimeInterval(seconds))
        }
        #expect(known == [false, true, true, false, true, true])
        #expect(try store.noteOutage(false, at: now.addingTimeInterval(9e6)))
        #expect(try !store.noteOutage(false, at: now) && !store.noteOutage(true, at: now))
    }
}
