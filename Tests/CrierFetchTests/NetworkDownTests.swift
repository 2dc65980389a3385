import CrierContent
import CrierHTTP
import CrierTesting
import Foundation
import Synchronization
import Testing

@testable import CrierFetch
@testable import CrierStore

/// Whether it is the network that failed, or a source.
@Suite struct NetworkDownTests {
    private func source(_ name: String, _ url: String) -> Source {
        Source(name: name, address: .url(url), sinks: ["stdout"])
    }

    @Test func whenNoHostCanBeReachedItIsTheNetworkAndCountsAgainstNoSource() async throws {
        let transport = ScriptedTransport()
        let bench = try await FetchBench(transport: transport)
        for host in ["one", "two"] {
            transport.script("https://\(host).example/", [.failure(HTTPError(.resolve, "no \(host)"))])
        }
        let sources = [source("one", "https://one.example/"), source("two", "https://two.example/")]
        let reports = try await bench.scheduler.fetch(sources) { _ in }
        #expect(reports.map(\.networkIsDown) == [true, true])
        #expect(try bench.store.states().isEmpty)
        await bench.origin.stop()
    }

    /// But they are where nobody was reached since they failed first.
    @Test(arguments: [true, false]) func twoThatFailedWhileOthersWorkedAreNoOutage(_ doOthersWork: Bool) async throws {
        let transport = ScriptedTransport()
        let bench = try await FetchBench(transport: transport)
        var sources = ["one", "two", "three"].map { source($0, "https://\($0).example/") }
        for host in ["one", "two"] {
            transport.script("https://\(host).example/", [.failure(HTTPError(.resolve, "no \(host)"))])
        }
        transport.script("https://three.example/", body: MannersBench.rss(""))
        if doOthersWork {
            _ = try await bench.scheduler.fetch(sources) { _ in }
        } else {
            for source in sources.prefix(2) { _ = try await bench.scheduler.fetch([source]) { _ in } }
        }
        sources.removeLast()
        bench.clock.advance(by: 86_400)
        let reports = try await bench.scheduler.fetch(sources, isForced: true) { _ in }
        #expect(reports.map(\.networkIsDown) == [!doOthersWork, !doOthersWork])
        #expect(try sources.map { try bench.store.state(of: $0.name).failures } == (doOthersWork ? [2, 2] : [1, 0]))
        await bench.origin.stop()
    }

    /// The route is there all the while, as behind a router that has lost its line.
    @Test func whatFailsOneByOneSinceAHostWasReachedIsTheNetworkToo() async throws {
        let transport = ScriptedTransport()
        let bench = try await FetchBench(transport: transport)
        let (one, two) = (source("one", "https://one.example/"), source("two", "https://two.example/"))
        let down = ScriptedTransport.Answer.failure(HTTPError(.resolve, "no address"))
        for source in [one, two] {
            let url = "https://\(source.name).example/"
            let answer = HTTPResponse(status: 200, fields: [:], body: Array(MannersBench.rss("").utf8), url: url)
            transport.script(url, [.success(answer), down, .success(answer)])
        }
        var isDown: [Bool] = []
        var due: [[String]] = []
        for (source, hours) in [(one, 3), (two, 3), (one, 3), (two, 0.25), (two, 0.25)] {
            bench.clock.advance(by: hours * 3600)
            isDown += try await bench.scheduler.fetch([source]) { _ in }.map(\.networkIsDown)
            due.append(try bench.scheduler.due(among: [one, two]).due.map(\.name))
        }
        #expect(isDown == [false, false, false, true, false])
        #expect(due == [["two"], ["one"], ["two"], ["two"], ["one"]], "when a host is reached, at once")
        #expect(try [one, two].map { try bench.store.state(of: $0.name).failures } == [0, 0])
        _ = try await bench.scheduler.fetch([one]) { _ in }
        #expect(try bench.store.state(of: "one").lastResult == .noData)
        await bench.origin.stop()
    }

    /// As of a hotel, to whoever has not logged in.
    @Test func aNetworkThatAnswersItselfIsNoFailureOfASource() async throws {
        let transport = ScriptedTransport()
        let bench = try await FetchBench(transport: transport)
        transport.script("http://one.example/", status: 511, fields: ["Retry-After": "86400"], body: "<html>")
        let one = source("one", "http://one.example/")
        let report = try #require(try await bench.scheduler.fetch([one]) { _ in }.first)
        #expect(report.networkIsDown && report.failure?.cause.hasPrefix("HTTP status 511, network auth") == true)
        #expect(try bench.store.states().isEmpty && bench.store.hosts()["one.example"]?.pausedUntil == nil)
        // By https nobody else can.
        transport.script("https://three.example/", status: 511, body: "")
        #expect(try await bench.scheduler.fetch([source("three", "https://three.example/")]) { _ in }[0].status == 511)
        // Where others are reached it is the origin that says so.
        transport.script("http://two.example/", body: MannersBench.rss(""))
        bench.clock.advance(by: 3600)
        let reports = try await bench.scheduler.fetch([one, source("two", "http://two.example/")]) { _ in }
        #expect(reports.map(\.networkIsDown) == [false, false])
        #expect(try bench.store.state(of: "one").lastResult == .failed)
        await bench.origin.stop()
    }

    /// What a network answers in the place of hosts to whoever has not logged in: another certificate, a page, a refusal.
    private static let inPlaceOfHosts: [(String, ScriptedTransport.Answer)] = [
        ("https://one.example/", .failure(HTTPError(.tls, "the certificate of one.example is not trusted"))),
        ("http://two.example/", page("http://login.hotel.example/")),
        ("http://three.example/", page("http://three.example/")),
        ("https://four.example/", .failure(HTTPError(.connect, "connection refused by four.example:443"))),
    ]

    private static func page(_ url: String) -> ScriptedTransport.Answer {
        let body = "<!DOCTYPE html><title>Wi-Fi</title>"
        return .success(HTTPResponse(status: 200, fields: [:], body: Array(body.utf8), url: url))
    }

    private func sources(
        _ answers: [(String, ScriptedTransport.Answer)], of transport: ScriptedTransport
    ) -> [Source] {
        answers.map { url, answer in
            transport.script(url, [answer])
            return source(url, url)
        }
    }

    @Test func whereANetworkAnswersInThePlaceOfHostsNothingIsCountedAgainstThem() async throws {
        for (first, other) in [(0, 1), (1, 2), (0, 3), (1, 3)] {
            let transport = ScriptedTransport()
            let bench = try await FetchBench(transport: transport)
            let answers = [Self.inPlaceOfHosts[first], Self.inPlaceOfHosts[other]]
            let sources = sources(answers, of: transport)
            let reports = try await bench.scheduler.fetch(sources) { _ in }
            #expect(reports.map(\.networkIsDown) == [true, true], "\(answers)")
            #expect(try bench.store.states().isEmpty)
            await bench.origin.stop()
        }
    }

    /// As where the certificates of all hosts have ended.
    @Test func whatAnswersSoForADayIsTheHost() async throws {
        let transport = ScriptedTransport()
        let bench = try await FetchBench(transport: transport)
        let sources = sources(Self.inPlaceOfHosts, of: transport)
        try bench.store.noteNetwork(isDown: true, at: bench.clock.now)
        for (hours, isDown) in [(23.0, [true, true, true, true]), (1, [false, false, false, true])] {
            bench.clock.advance(by: hours * 3600)
            let reports = try await bench.scheduler.fetch(sources) { _ in }
            let downOnes = Set(reports.filter(\.networkIsDown).map(\.source))
            #expect(sources.map { downOnes.contains($0.name) } == isDown)
        }
        await bench.origin.stop()
    }

    @Test func whereOthersAreReachedItIsTheHostThatAnswersSo() async throws {
        let transport = ScriptedTransport()
        let bench = try await FetchBench(transport: transport)
        let sources = sources(Self.inPlaceOfHosts, of: transport)
        transport.script("https://five.example/", body: MannersBench.rss(""))
        let reports = try await bench.scheduler.fetch(sources + [source("five", "https://five.example/")]) { _ in }
        #expect(reports.allSatisfy { !$0.networkIsDown })
        #expect(try sources.map { try bench.store.state(of: $0.name).failures } == [1, 1, 1, 1])
        await bench.origin.stop()
    }

    /// A page that may be read is read, and at home nobody else answers.
    @Test func whatIsNoWordOfANetworkIsTheSourcesFailure() async throws {
        let transport = ScriptedTransport()
        let bench = try await FetchBench(transport: transport)
        var page = source("page", "http://two.example/")
        page.mapping = ContentMapping(format: .html, items: "//li", fields: [.title: "."])
        transport.script("http://two.example/", [Self.page("http://two.example/")])
        transport.script("https://nas.local/", [.failure(HTTPError(.tls, "no nas"))])
        transport.script("http://192.168.1.2/", [Self.page("http://192.168.1.2/")])
        let home = [source("nas", "https://nas.local/"), source("router", "http://192.168.1.2/")]
        let reports = try await bench.scheduler.fetch([page] + home) { _ in }
        #expect(reports.allSatisfy { !$0.networkIsDown })
        #expect(try home.map { try bench.store.state(of: $0.name).failures } == [1, 1])
        #expect(try bench.store.state(of: "page").failures == 0)
        await bench.origin.stop()
    }

    /// Who was asked before the network was quite there is asked again when another is reached, once.
    @Test(arguments: [true, false]) func whoIsAskedBeforeAnotherIsReachedIsAskedAgain(_ comesBack: Bool) async throws {
        let transport = ScriptedTransport()
        let bench = try await FetchBench(transport: transport)
        let down = ScriptedTransport.Answer.failure(HTTPError(.resolve, "no one"))
        let answer = HTTPResponse(
            status: 200, fields: [:], body: Array(MannersBench.rss("").utf8), url: "https://one.example/")
        transport.script("https://one.example/", comesBack ? [down, .success(answer)] : [down])
        transport.script("https://two.example/", body: MannersBench.rss(""))
        let (one, two) = (source("one", "https://one.example/"), source("two", "https://two.example/"))
        _ = try await bench.scheduler.fetch([one]) { _ in }
        #expect(try bench.store.state(of: "one").failures == 1)
        bench.clock.advance(by: 2)
        _ = try await bench.scheduler.fetch([two]) { _ in }
        #expect(try bench.scheduler.due(among: [one, two]).due.map(\.name) == ["one"])
        let again = try await bench.scheduler.fetch([one]) { _ in }
        #expect(again.map(\.result) == [comesBack ? .newData : .failed])
        #expect(try bench.store.state(of: "one").failures == (comesBack ? 0 : 1))
        #expect(try bench.scheduler.due(among: [one, two]).due.isEmpty, "once")
        await bench.origin.stop()
    }

    private func rss(_ url: String, _ channel: String = "") -> ScriptedTransport.Answer {
        .success(HTTPResponse(status: 200, fields: [:], body: Array(MannersBench.rss(channel).utf8), url: url))
    }

    /// One host is dead for days when another one dies.
    @Test func oneAfterTheOtherAreNoOutage() async throws {
        let transport = ScriptedTransport()
        let bench = try await FetchBench(transport: transport)
        let (one, two) = (source("one", "https://one.example/"), source("two", "https://two.example/"))
        let down = ScriptedTransport.Answer.failure(HTTPError(.resolve, "no address"))
        transport.script("https://one.example/", [down])
        let alive = rss("https://two.example/")
        transport.script("https://two.example/", [alive, alive, down, down, down])
        for _ in 0..<5 {
            let reports = try await bench.scheduler.fetch([one, two], isForced: true) { _ in }
            #expect(reports.allSatisfy { !$0.networkIsDown })
            bench.clock.advance(by: 86_400)
        }
        #expect(try [one, two].map { try bench.store.state(of: $0.name).failures } == [5, 3])
        await bench.origin.stop()
    }

    /// Nor is a state of which a row is damaged in the way.
    @Test(arguments: [true, false])
    func whoClosesByTheHourIsNotAskedWhenOthersCanBeReached(_ isDamaged: Bool) async throws {
        let transport = ScriptedTransport()
        let bench = try await FetchBench(transport: transport)
        let (one, two) = (source("one", "https://one.example/"), source("two", "https://two.example/"))
        let down = ScriptedTransport.Answer.failure(HTTPError(.resolve, "no address"))
        let hours = (0..<24).filter { $0 != 12 }.map { "<hour>\($0)</hour>" }.joined()
        let closing = rss("https://one.example/", "<skipHours>\(hours)</skipHours>")
        transport.script("https://one.example/", [closing, down])
        transport.script("https://two.example/", [rss("https://two.example/")])
        for _ in 0..<2 {
            _ = try await bench.scheduler.fetch([one], isForced: true) { _ in }
            bench.clock.advance(by: 3600)
        }
        #expect(try bench.store.state(of: "one").nextFetchReason == SourceState.skipReason)
        if isDamaged {
            let sql = "UPDATE source SET wishes = '{' WHERE name = 'one'"
            try await bench.store.writer.write { try $0.execute(sql: sql) }
        }
        _ = try await bench.scheduler.fetch([two]) { _ in }
        #expect(try bench.scheduler.due(among: [one, two]).due.isEmpty)
        #expect(try bench.store.hostContacts(before: bench.clock.now).count == 2)
        await bench.origin.stop()
    }

    @Test func whoWaitsForTheNetworkIsToldThatAHostIsReached() async throws {
        let transport = ScriptedTransport()
        let bench = try await FetchBench(transport: transport)
        transport.script("https://one.example/", [.failure(HTTPError(.resolve, "no one"))])
        transport.script("https://two.example/", body: MannersBench.rss(""))
        let count = Mutex(0)
        let scheduler = FetchScheduler(
            fetcher: bench.fetcher, store: bench.store, clock: bench.clock, network: NetworkPath { true },
            observer: FetchObserver(reaches: { count.withLock { $0 += 1 } }))
        for (name, reached) in [("one", 0), ("two", 1), ("two", 1)] {
            _ = try await scheduler.fetch([source(name, "https://\(name).example/")], isForced: true) { _ in }
            bench.clock.advance(by: 3600)
            #expect(count.withLock(\.self) == reached)
        }
        await bench.origin.stop()
    }

    @Test func aProxyThatRefusesIsANetworkThatIsDown() async throws {
        let bench = try await FetchBench()
        await bench.origin.handle { _ in ScriptedAnswer(status: 407) }
        let transport = CurlTransport(environment: ["all_proxy": bench.origin.url("")])
        let fetcher = ContentFetcher(store: bench.store, transport: transport, clock: bench.clock, userAgent: "t")
        let scheduler = FetchScheduler(
            fetcher: fetcher, store: bench.store, clock: bench.clock, network: NetworkPath { true })
        let sources = [source("one", "https://one.example/"), source("two", "http://two.example/")]
        let reports = try await scheduler.fetch(sources) { _ in }
        #expect(reports.map(\.networkIsDown) == [true, true])
        #expect(reports.allSatisfy { $0.failure?.cause.contains("the proxy \(bench.origin.url(""))") == true })
        #expect(try bench.store.states().isEmpty)
        await bench.origin.stop()
        await transport.shutdown()
    }

    @Test func oneHostThatCannotBeReachedWhileAnotherCanIsThatSourcesFailure() async throws {
        let transport = ScriptedTransport()
        let bench = try await FetchBench(transport: transport)
        transport.script("https://one.example/", [.failure(HTTPError(.resolve, "no one"))])
        transport.script("https://two.example/", status: 500)
        let sources = [source("one", "https://one.example/"), source("two", "https://two.example/")]
        let reports = try await bench.scheduler.fetch(sources) { _ in }
        #expect(reports.map(\.networkIsDown) == [false, false])
        #expect(try bench.store.state(of: "one").failures == 1)
        #expect(try bench.store.state(of: "two").failures == 1)
        await bench.origin.stop()
    }

    @Test func whereHostsHaveAnsweredAllTheSameItIsNotTheNetwork() async throws {
        let transport = ScriptedTransport()
        let bench = try await FetchBench(transport: transport)
        for (host, kind) in [("one", HTTPError.Kind.resolve), ("two", .connect)] {
            let error = HTTPError(kind, "not \(host)", hasReachedHost: true)
            transport.script("https://\(host).example/", [.failure(error)])
        }
        let sources = [source("one", "https://one.example/"), source("two", "https://two.example/")]
        let reports = try await bench.scheduler.fetch(sources) { _ in }
        #expect(reports.map(\.networkIsDown) == [false, false])
        #expect(try sources.map { try bench.store.state(of: $0.name).failures } == [1, 1])
        await bench.origin.stop()
    }

    /// A laptop away from home, or whose home has lost its line: who answers, who does not, and who is to blame.
    @Test(arguments: [
        ("https://192.168.1.2/", "https://one.example/", "https://two.example/", true),
        ("https://nas.local/", "https://one.example/", "https://two.example/", true),
        ("https://nas.local/", "https://192.168.1.2/", "https://192.168.1.3/", false),
        ("https://three.example/", "https://192.168.1.2/", "https://one.example/", false),
    ])
    func whoAnswersAtHomeSaysNothingAboutWhatLiesBeyond(
        _ answering: String, _ one: String, _ two: String, _ isDown: Bool
    ) async throws {
        let transport = ScriptedTransport()
        let bench = try await FetchBench(transport: transport)
        transport.script(answering, status: 500)
        for url in [one, two] { transport.script(url, [.failure(HTTPError(.connect, "no \(url)"))]) }
        let reports = try await bench.scheduler.fetch([source("a", answering), source("b", one), source("c", two)]) {
            _ in
        }
        #expect(reports.count { $0.networkIsDown } == (isDown ? 2 : 0))
        #expect(
            try ["a", "b", "c"].map { try bench.store.state(of: $0).failures } == (isDown ? [1, 0, 0] : [1, 1, 1]))
        await bench.origin.stop()
    }

    /// It failed before, it was told of, or its origin has said that it is gone.
    @Test func whatASourceFailedAtByItselfStaysWhenHostsAreReachedAgain() throws {
        let (store, begin) = (try Store.inMemory(), Date(timeIntervalSince1970: 1_700_000_000))
        try store.noteUnreached(at: begin)
        for name in ["unreached", "before", "told", "gone"] {
            var state = SourceState(name: name)
            (state.failures, state.failingSince) = (3, name == "before" ? begin - 3600 : begin)
            (state.failureTold, state.goneSince) = (name == "told" ? begin : nil, name == "gone" ? begin : nil)
            (state.wishes.unreachedSince, state.nextFetch) = (begin, begin + 86_400)
            try store.commit(FetchCommit(state: state, date: begin))
        }
        #expect(try store.makeUnreachedDue(at: begin + 600) == 3)
        let states = try store.states()
        #expect(states.filter { $1.failures == 0 }.map(\.key) == ["unreached"])
        #expect(states.filter { $1.nextFetch != begin }.map(\.key) == ["gone"])
    }

    @Test func aFailureBeforeAnythingIsAskedSaysNothingAboutTheNetwork() async throws {
        let transport = ScriptedTransport()
        transport.script("https://one.example/", [.failure(HTTPError(.resolve, "no one"))])
        let bench = try await FetchBench(hasNetwork: false, transport: transport)
        var secret = source("secret", "https://two.example/")
        secret.request = SourceRequest(authorization: .bearer(.environment("CRIER_TEST_NO_SUCH_SECRET")))
        let reports = try await bench.scheduler.fetch([secret, source("one", "https://one.example/")]) { _ in }
        #expect(reports.filter(\.networkIsDown).map(\.source) == ["one"])
        #expect(try bench.store.state(of: "one").failures == 0)
        #expect(try bench.store.state(of: "secret").failures == 1)
        await bench.origin.stop()
    }

    @Test(arguments: [true, false])
    func aSingleHostFailsUnlessTheMachineHasNoRoute(_ hasRoute: Bool) async throws {
        let transport = ScriptedTransport()
        let bench = try await FetchBench(hasNetwork: hasRoute, transport: transport)
        transport.script("https://one.example/", [.failure(HTTPError(.resolve, "no one"))])
        let reports = try await bench.scheduler.fetch([source("one", "https://one.example/")]) { _ in }
        #expect(reports.first?.networkIsDown == !hasRoute)
        #expect(try bench.store.state(of: "one").failures == (hasRoute ? 1 : 0))
        await bench.origin.stop()
    }
}
