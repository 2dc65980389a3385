import CrierStore
import CrierTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct SimulateCommandTests {
    @Test func aSimulatedFetchIsARealOneWithinTheGate() async throws {
        let bench = try await AgentBench(isAuthorized: false)
        let closed = try await bench.crier.run("simulate", "fetch", "news")
        #expect(closed.status == 77)
        #expect(closed.output.contains("Nothing was fetched: nothing is fetched in the background unless you allow"))
        #expect(await bench.origin.requests.isEmpty)
        try await bench.crier.authorize()
        let run = try await bench.crier.run("simulate", "fetch", "news")
        #expect(run.status == 0)
        #expect(run.lines.first == "Item 3", "it is raised")
        #expect(run.output.contains("Woken for news: nobody at a terminal, 30 s at most."))
        #expect(run.output.contains("news: 3 new items (newData). To be raised: “Item 3”. Next visit in"))
        #expect(run.output.contains("Raised at stdout: 1."))
        let store = try #require(try Store.existing(path: bench.crier.statePath))
        #expect(try store.state(of: "news").lastResult == .newData)
        #expect(try await bench.crier.run("simulate", "fetch", "nwes").status == 64)
        try await bench.crier.run("background", "off")
        #expect(try await bench.crier.run("simulate", "fetch", "news").status == 77)
        #expect(await bench.origin.requests.count == 1)
        await bench.origin.stop()
    }

    @Test func aFetchThatFailsOrIsNotMadeSaysSo() async throws {
        let bench = try await AgentBench()
        await bench.origin.script("/feed", [ScriptedAnswer(status: 429, fields: ["Retry-After": "3600"])])
        for words in ["news: failed: fetch: HTTP status 429", "not visited"] {
            let run = try await bench.crier.run("simulate", "fetch", "news")
            #expect(run.status == 69)
            #expect((run.output + run.errors).contains(words), "\(run.output + run.errors)")
        }
        #expect(await bench.origin.requests.count == 1)
        await bench.origin.stop()
    }

    @Test func anExpiredFetchIsEndedAndRecordedAndNothingOfItIsKept() async throws {
        let bench = try await AgentBench()
        try await bench.crier.run("fetch")
        let store = try #require(try Store.existing(path: bench.crier.statePath))
        let before = try store.state(of: "news")
        await bench.origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...5))])
        let run = try await bench.crier.run("simulate", "expire", "news", "--format", "json")
        #expect(run.status == 0)
        let line = try #require(run.objects.last)
        let visit = try #require((line["visits"] as? [[String: Any]])?.first)
        let reason = "fetch: the time budget of 0 s for one fetch is spent"
        #expect(line["type"] as? String == "wake" && visit["failure"] as? String == reason)
        let after = try store.state(of: "news")
        #expect(after.failures == 1 && after.failure?.description == reason && after.lastResult == .failed)
        #expect(after.bodyHash == before.bodyHash && after.lastSucceeded == before.lastSucceeded)
        #expect(try store.itemCount(of: "news") == 3)
        #expect(try await bench.crier.run("log", "news").output.contains("the time budget of 0 s"))
        // What was new still is.
        #expect(try await bench.crier.run("fetch", "news", "--force").output.contains("2 new items in 1 source"))
        await bench.origin.stop()
    }

    @Test func aFileOrAProgramIsNotQuickEnoughForNoTimeEither() async throws {
        let crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...3), to: "feed.xml")
        try crier.folder.write(
            "sources:\n  a: {url: 'file://\(feed)'}\n  b: {command: [cat, '\(feed)']}\n", to: "crier.yaml")
        try await crier.authorize()
        for name in ["a", "b"] {
            let run = try await crier.run("simulate", "expire", name)
            #expect(run.status == 0)
            #expect(run.output.contains("\(name): failed: fetch: the time budget of 0 s"))
            #expect(try Store.existing(path: crier.statePath)?.itemCount(of: name) == 0)
        }
    }

    @Test func aSimulatedLaunchDoesWhatIsDueAndReleasesWhatWaits() async throws {
        let bench = try await AgentBench("background: always\n", isAuthorized: false)
        let first = try await bench.crier.run("simulate", "launch")
        #expect(first.output.contains("Started. Due at once: news."))
        #expect(first.output.contains("Held until you allow notifications (`crier authorize`): 1."))
        try await bench.crier.authorize()
        let second = try await bench.crier.run("simulate", "launch")
        #expect(second.output.contains("Started. Due at once: nothing."))
        #expect(second.output.contains("Released, since you have authorized notifications: 1."))
        #expect(second.lines.first == "Item 3")
        #expect(await bench.origin.requests.count == 1)
        await bench.origin.stop()
    }

    @Test func aRunningAgentMakesTheFetchAndCannotBeLaunchedAgain() async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        try await agent.says("raised")
        await bench.origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...4))])
        let run = try await bench.crier.run("simulate", "fetch", "news")
        #expect(run.status == 0)
        #expect(run.lines.first == "Item 4")
        #expect(run.output.contains("news: 1 new item (newData). To be raised: “Item 4”."))
        let expired = try await bench.crier.run("simulate", "expire", "news")
        #expect(expired.status == 0)
        #expect(expired.output.contains("failed: fetch: the time budget of 0 s"))
        let launch = try await bench.crier.run("simulate", "launch")
        #expect(launch.status == 75)
        #expect(launch.errors.contains("(process \(agent.identifier)) has been launched already"))
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func thePlanFitsTheTerminalAndTouchesNothing() async throws {
        var crier = try BuiltCrier(
            """
            time-zone: Europe/Berlin
            quiet-hours: 22:30-07:30
            digests: {morning: {at: '08:30', to: [stdout]}}
            sources:
              a-source-with-a-rather-long-name: {url: 'https://a-long-name-of-a-host.example/feed', every: 3h}
              b: {url: 'https://b.example/', every: 6h, notify: none}
              c: {command: [/bin/false]}
            """)
        crier.environment["COLUMNS"] = "60"
        for days in ["7", "12"] {
            let plan = try await crier.run("simulate", "--days", days)
            #expect(plan.status == 0)
            #expect(plan.errors.contains("The plan tells what would follow."))
            for title in ["Requests", "From publication to notification", "Quiet", "Digests"] {
                #expect(plan.lines.contains(title))
            }
            #expect(plan.lines.allSatisfy { $0.count <= 60 }, "\(plan.output)")
            #expect(plan.output.contains("this machine"))
        }
        let lines = try await crier.run("simulate", "plan", "--days", "2", "--format", "json").objects
        let kinds = lines.compactMap { $0["type"] as? String }
        #expect(Set(kinds) == ["plan", "host", "source", "quiet", "digest"])
        #expect(kinds.filter { $0 == "source" }.count == 3 && kinds.filter { $0 == "digest" }.count == 2)
        let total = lines.filter { $0["type"] as? String == "host" }.compactMap { $0["total"] as? Int }.reduce(0, +)
        #expect(lines.first?["requests"] as? Int == total)
        #expect(!FileManager.default.fileExists(atPath: crier.statePath))
        #expect(try await crier.run("simulate", "--days", "0").status == 64)
    }

    @Test func aPlanHasItsOwnZoneAndSaysHowMuchItLeavesOut() async throws {
        let crier = try BuiltCrier(
            """
            time-zone: America/St_Johns
            sources:
              a: {url: 'https://a.example/', every: 3h}
              b: {url: 'https://b.example/', every: 6h}
              c: {url: 'https://c.example/', every: 12h}
            """)
        let plan = try await crier.run("simulate", "--days", "2", "--lines", "1")
        #expect(plan.status == 0)
        #expect(plan.lines.first?.contains(/^From \w{3} \d{4}-\d\d-\d\d \d\d:\d\d-0[23]:30$/) == true, "\(plan.output)")
        #expect(plan.lines.contains { $0.hasPrefix("2 more ") }, "\(plan.output)")
        #expect(plan.lines.contains { $0.hasPrefix("2 more, at most ") && $0.hasSuffix("; --lines shows more") })
        let one = try BuiltCrier("sources: {a: {url: 'https://a.example/', every: 2d}}\n")
        #expect(try await one.run("simulate", "--days", "1").lines.contains("1 request for 1 source."))
    }
}
