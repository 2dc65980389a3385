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

    @Test func anOutageIsToldOnceWithItsFirstCauseAndNoted() throws {
        let (store, clock) = (try Store.inMemory(), ManualClock())
        let outage = Outage(store: store, clock: clock)
        let words = "the network is down, and nothing is counted against sources: no connection to https://a.example/"
        let (a, b) = ("https://a.example/", "https://b.example/")
        #expect(outage.words(after: report(a, status: 200)) == nil)
        #expect(outage.words(after: report("http://192.168.1.2/", isDown: true)) == nil, "the one at home alone")
        #expect(try store.outageSince == nil)
        #expect(outage.words(after: report(a, isDown: true)) == words)
        let begin = clock.now
        clock.advance(to: begin.addingTimeInterval(60))
        #expect(outage.words(after: report(b, isDown: true)) == nil)
        let noted = NetworkOutage(since: begin, cause: "no connection to \(a)")
        #expect(try store.outage(at: clock.now) == noted)
        // Neither this machine nor what is at home says that it is over.
        for url in ["file:///feed", "http://127.0.0.1/", "http://192.168.1.2/"] {
            #expect(outage.words(after: report(url, status: 200)) == nil)
        }
        #expect(outage.words(after: report(b)) == nil)
        #expect(outage.words(after: report(a, isDown: true)) == nil)
        // Another agent says it anew, and since when it is.
        #expect(Outage(store: store, clock: clock).words(after: report(a, isDown: true)) == words)
        #expect(Outage(store: store, clock: clock).words(after: report(b, isDown: true))?.contains(b) == true)
        #expect(try store.outage(at: clock.now) == noted)
        #expect(outage.words(after: report(b, status: 503)) == nil)
        #expect(try store.outageSince == nil)
        #expect(outage.words(after: report(a, isDown: true)) == words)
        #expect(try store.outageSince == clock.now)
        // The next agent ends it as well, though it has not seen its begin.
        #expect(Outage(store: store, clock: clock).words(after: report(b, status: 200)) == nil)
        #expect(try store.outageSince == nil)
    }

    @Test func theDoctorKnowsOfAnOutageBehindTheRoute() throws {
        let store = try Store.inMemory()
        func finding(isConnected: Bool, _ address: String = "https://a.example/") -> Finding {
            let text = "sources: {a: {url: '\(address)'}}"
            return Doctor(configPath: "", statePath: "", environment: [:], network: NetworkPath { isConnected })
                .networkFinding(store, Configuration.load(text: text, file: "crier.yaml").configuration)
        }
        #expect(finding(isConnected: true).verdict == .ok)
        try store.noteNetwork(isDown: true, because: "a login", at: Date(timeIntervalSince1970: 1_700_000_000))
        let found = finding(isConnected: true)
        #expect(found.verdict == .warn && found.words.contains("no host could be reached since 2023-11-1"), "\(found)")
        #expect(found.words.hasSuffix(" (a login)"))
        #expect(finding(isConnected: false).words.hasPrefix("there is no default route"))
        // Nobody is asked any more who could end it.
        #expect(finding(isConnected: true, "http://192.168.1.2/").verdict == .ok)
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
        var hours: [TimeInterval?] = []
        for isScheduled in [true, true, false, true, true] {
            let run = OneShot(wiring, isScheduled: isScheduled)
            known.append(try await run.run(configuration.sources) { _ in }.outageIsKnown)
            hours.append(try store.outageSince.map { clock.now.timeIntervalSince($0) / 3600 })
            clock.advance(to: clock.now.addingTimeInterval(6 * 3600))
        }
        #expect(known == [false, true, false, false, false], "whoever asks is told, and so is the next outage")
        #expect(hours == [0, 6, 12, nil, 0])
    }

    @Test func aRunIssuesNoDigestBeforeItsSourcesCanBeReached() async throws {
        let (store, transport, clock) = (try Store.inMemory(), ScriptedTransport(), ManualClock())
        let feed = "<rss><channel><title>t</title><item><guid>1</guid><title>one</title></item></channel></rss>"
        for url in ["https://a.example/", "https://b.example/"] {
            let down = ScriptedTransport.Answer.failure(HTTPError(.resolve, "no address"))
            let answer = HTTPResponse(status: 200, fields: [:], body: Array(feed.utf8), url: url)
            transport.script(url, [down, down, .success(answer)])
        }
        let text = """
            background: always
            digests: {d: {at: hourly}}
            sources: {a: {url: 'https://a.example/', notify: none}, b: {url: 'https://b.example/', notify: none}}
            """
        let configuration = try #require(Configuration.load(text: text, file: "crier.yaml").configuration)
        let wiring = Wiring(
            configuration: configuration, store: store,
            surroundings: Surroundings(clock: clock, transport: transport, environment: [:]))
        var counts: [[Int]] = []
        for minutes in [60, 10, 10] {
            let run = OneShot(wiring, isScheduled: true)
            counts.append(try await run.run(configuration.sources) { _ in }.digests.map(\.count))
            clock.advance(by: Double(minutes) * 60)
        }
        #expect(counts == [[], [], [2]])
    }

    @Test func anOutageThatAWrongClockHasNotedIsNone() throws {
        let (store, now) = (try Store.inMemory(), Date(timeIntervalSince1970: 1_700_000_000))
        try store.noteNetwork(isDown: true, at: now + 9e7)
        #expect(try store.outage(at: now) == nil)
        try store.noteNetwork(isDown: false, at: now)
        let begin = Date(timeIntervalSince1970: 10)
        try store.noteNetwork(isDown: true, at: begin)
        for (host, outage) in [("192.168.1.2", begin), ("a.example", nil)] {
            var state = SourceState(name: host)
            (state.host, state.lastStatus, state.lastFetched) = (host, 503, now)
            try store.commit(FetchCommit(state: state, date: now))
            #expect(try store.outage(at: now)?.since == outage)
        }
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
