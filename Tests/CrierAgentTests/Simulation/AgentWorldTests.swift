import CrierHTTP
import CrierStore
import CrierTesting
import Foundation
import Synchronization
import Testing

@testable import CrierAgent

/// Origins that answer from memory, and note when they are asked.
private final class NotedHosts: HTTPTransport {
    private let visits = Mutex<[(url: String, date: Date)]>([])
    private let time: SimulatedTime

    init(_ time: SimulatedTime) { self.time = time }

    func send(
        _ request: HTTPRequest, beforeRedirect: RedirectObserver
    ) async throws(HTTPError) -> HTTPResponse {
        visits.withLock { $0.append((request.url, time.now)) }
        if request.fields["If-None-Match"] != nil { return HTTPResponse(status: 304, url: request.url) }
        let rss =
            "<rss version=\"2.0\"><channel><title>T</title><item><guid>1</guid><title>x</title></item></channel></rss>"
        return HTTPResponse(status: 200, fields: ["ETag": "\"1\""], body: Array(rss.utf8), url: request.url)
    }

    /// Those since the last call.
    func take() -> [(url: String, date: Date)] {
        visits.withLock { visits in
            defer { visits = [] }
            return visits
        }
    }
}

/// The agent's services, with what the kernel would tell them told by the test.
@Suite(.timeLimit(.minutes(5))) struct AgentWorldTests {
    private static let start = Date(timeIntervalSince1970: 1_774_000_000)

    /// - Parameter body: Gets the desk when everything was visited once, and nobody has anything left to do.
    private func withAgent(
        sources: Int = 1, more: String = "",
        _ body: @escaping @Sendable (SimulatedTime, AgentDesk, NotedHosts) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let lines = (0..<sources).map { "  s\($0): {url: 'https://h\($0).example/'}" }.joined(separator: "\n")
        try folder.write(
            "sinks:\n  heard: {kind: file, path: '\(folder.file("heard"))'}\n\(more)sources:\n\(lines)\n",
            to: "crier.yaml")
        let time = SimulatedTime(now: Self.start)
        let hosts = NotedHosts(time)
        try await time.run {
            try SimulatedAgent.authorize(in: folder, at: time.now)
            let agent = try SimulatedAgent(in: folder, time: time, transport: hosts)
            try await agent.run {
                try await time.sleep(until: Self.start.addingTimeInterval(600))
                #expect(hosts.take().count == sources)
                try await body(time, agent.desk, hosts)
            }
        }
    }

    /// Lets everybody do what there is to be done at this moment.
    private static func settle(_ time: SimulatedTime) async throws {
        try await time.sleep(until: time.now.addingTimeInterval(1))
    }

    @Test func aClockThatIsSetForwardMakesDueWhatIsDueByIt() async throws {
        try await withAgent { time, desk, hosts in
            time.set(time.now.addingTimeInterval(3 * 3600))
            desk.wake(.clock)
            try await Self.settle(time)
            #expect(hosts.take().count == 1)
        }
    }

    @Test(arguments: [86_400.0, 2_592_000.0, 34_560_000.0])
    func aClockThatIsSetBackStopsNoSource(_ seconds: Double) async throws {
        try await withAgent { time, desk, hosts in
            time.set(time.now.addingTimeInterval(-seconds))
            desk.wake(.clock)
            let back = time.now
            try await time.sleep(until: back.addingTimeInterval(2 * 86_400))
            let visits = hosts.take()
            // A date of the clock that was ahead counts as past where no rule can have set it, and else it is waited for.
            #expect(try #require(visits.first).date <= back.addingTimeInterval(86_400 + 3600))
            #expect((20...50).contains(visits.count))
        }
    }

    @Test func whatIsOverdueAfterANightIsFetchedOnceAndInRounds() async throws {
        try await withAgent(sources: 150) { time, desk, hosts in
            time.set(time.now.addingTimeInterval(9 * 3600))
            let morning = time.now
            desk.wake(.resume)
            try await time.sleep(until: morning.addingTimeInterval(60))
            let visits = hosts.take()
            #expect(visits.count == 150 && Set(visits.map(\.url)).count == 150)
            let moments = Set(visits.map { $0.date.timeIntervalSince(morning).rounded() })
            #expect(moments == [0, 2, 4], "64 at a time, with a pause between them")
        }
    }

    @Test func anIssueOfADigestComesOnceOnTheDaysOnWhichTheClocksAreChanged() async throws {
        let more = "time-zone: Europe/Berlin\ndigests: {night: {at: '02:30', to: [heard], empty: say}}\n"
        try await withAgent(more: more) { time, desk, _ in
            // 2026-03-29 leaves the hour out; 2026-10-25 has it twice.
            for day in ["2026-03-29", "2026-10-25"] {
                let noon = try Date("\(day)T12:00:00Z", strategy: .iso8601)
                time.set(noon.addingTimeInterval(-86_400))
                desk.wake(.clock)
                try await time.sleep(until: noon)
                let issues = try desk.store.deliveries(in: Set(Delivery.State.allCases), limit: 100)
                    .map(\.request.identifier)
                #expect(issues.filter { $0.hasPrefix("digest/night/\(day)") } == ["digest/night/\(day)"])
            }
        }
    }

    @Test func aMachineInAnotherZoneReadsItsConfigurationAgain() async throws {
        try await withAgent { time, desk, hosts in
            // The text is the same, and what it means may not be.
            await desk.timeZoneMayHaveChanged()
            try await Self.settle(time)
            #expect(hosts.take().isEmpty, "nothing is due for that")
            time.set(time.now.addingTimeInterval(2 * 3600))
            desk.wake(.clock)
            try await Self.settle(time)
            #expect(hosts.take().count == 1)
        }
    }
}
