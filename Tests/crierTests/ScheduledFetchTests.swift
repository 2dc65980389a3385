import CrierStore
import CrierTesting
import Foundation
import Testing

/// A run of cron or a timer fetches in the background: the user's switches are for it as for the agent, and not for a
/// `crier fetch` of the user's own.
@Suite(.timeLimit(.minutes(5))) struct ScheduledFetchTests {
    @Test func theSwitchIsForScheduledRunsAndNotForAPersons() async throws {
        let bench = try await AgentBench()
        try await bench.crier.run("background", "off")
        let scheduled = try await bench.crier.run("fetch", "--scheduled")
        #expect(scheduled.status == 0)
        #expect(
            scheduled.output
                == "Fetching in the background is switched off: `crier background on` changes that.\n")
        #expect(try await bench.crier.run("fetch", "--scheduled", "--quiet").output.isEmpty)
        #expect(await bench.origin.requests.isEmpty)
        #expect(try await bench.crier.run("status").output.contains("Fetching in the background is switched off"))
        #expect(try await bench.crier.run("fetch", "--quiet").output.hasPrefix("Item 3\n"))
        try await bench.crier.run("background", "on")
        #expect(try await bench.crier.run("fetch", "--scheduled").output.hasPrefix("Nothing is due"))
        await bench.origin.stop()
    }

    @Test func whatWaitsIsDeliveredAllTheSame() async throws {
        let bench = try await AgentBench(isAuthorized: false)
        #expect(try await bench.crier.run("fetch").status == 77)
        try await bench.crier.authorize()
        try await bench.crier.run("background", "off")
        #expect(try await bench.crier.run("fetch", "--scheduled", "--quiet").output.hasPrefix("Item 3\n"))
        await bench.origin.stop()
    }

    @Test func nothingIsFetchedBeforeNotificationsAreAuthorizedUnlessTheConfigurationSaysSo() async throws {
        let bench = try await AgentBench(isAuthorized: false)
        let run = try await bench.crier.run("fetch", "--scheduled")
        #expect(run.status == 77)
        #expect(run.output.contains("run `crier authorize`"))
        #expect(await bench.origin.requests.isEmpty)
        let denied = try await bench.crier.run("authorize", "--deny")
        #expect(denied.status == 0)
        #expect(try await bench.crier.run("fetch", "--scheduled", "--quiet").status == 77)
        #expect(await bench.origin.requests.isEmpty)
        try await bench.crier.run("authorize", "--reset")
        try bench.configure([("news", "/feed")], more: "background: always\n")
        #expect(try await bench.crier.run("fetch", "--scheduled").errors.contains("1 notification waits"))
        #expect(await bench.origin.requests.count == 1)
        await bench.origin.stop()
    }

    @Test func theAgentObeysTheSwitchWhenATimerHandsItsRunOver() async throws {
        let bench = try await AgentBench()
        try await bench.crier.run("background", "off")
        let agent = try await bench.agent()
        #expect(try await bench.crier.run("fetch", "--scheduled").output.contains("switched off"))
        #expect(await bench.origin.requests.isEmpty)
        #expect(try await bench.crier.run("fetch", "--quiet").output.hasPrefix("Item 3\n"))
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    /// Of all that a run says cron makes a mail.
    @Test func aNetworkThatIsDownIsToldOnceUntilAHostIsReached() async throws {
        // Names of the top-level domain `invalid` have no address, with a network or without (RFC 6761 §6.4).
        let configuration = "sources: {a: {url: 'http://a.invalid/'}, b: {url: 'http://b.invalid/'}}\n"
        let crier = try BuiltCrier(configuration)
        try await crier.authorize()
        func run(_ arguments: String...) async throws -> BuiltCrier.Outcome {
            let run = try await crier.run(["fetch"] + arguments)
            #expect(run.status == 69)
            return run
        }
        let words = "crier: the network is down: "
        #expect(try await run("--quiet").errors.hasPrefix(words))
        #expect(try await run("--scheduled", "--quiet").errors.hasPrefix(words))
        #expect(try await run("--scheduled", "--quiet").errors == "")
        #expect(try await run("--scheduled").errors.hasPrefix(words), "whoever reads everything is told of it")
        #expect(try await run("--quiet").errors.hasPrefix(words), "so is whoever asks for it")
        #expect(try await run("--scheduled", "--quiet").errors == "")
        let status = try await crier.run("status", "--format", "json").objects
        #expect(status.last?["outageSince"] is String)
        let cause = try #require(status.last?["outageCause"] as? String)
        #expect(cause.contains(".invalid"))
        let overview = try await crier.run("status").output
        #expect(overview.contains("\nNo host could be reached since ") && overview.contains(" (\(cause)): the network"))
        let why = try await crier.run("why", "a").output
        #expect(why.hasPrefix("a was never visited; no host could be reached since ") && why.hasSuffix("(\(cause)).\n"))
        #expect(try await crier.run("why", "a", "--format", "json").objects.last?["outageCause"] as? String == cause)
        // Nobody who is left could end it.
        try crier.folder.write("sources: {a: {url: 'file:///feed'}}\n", to: "crier.yaml")
        #expect(try await !crier.run("status").output.contains("No host could be reached"))
        try crier.folder.write(configuration, to: "crier.yaml")
        // As by a run that reaches a host.
        #expect(try Store(path: crier.statePath).noteOutage(false, at: Date()))
        #expect(try await run("--scheduled", "--quiet").errors.hasPrefix(words))
    }

    @Test func anOutageBeganWithWhatFailedAlone() async throws {
        let crier = try BuiltCrier("sources: {a: {url: 'http://a.invalid/'}, b: {url: 'http://b.invalid/'}}\n")
        try await crier.authorize()
        for name in ["a", "b"] { #expect(try await crier.run("fetch", name).status == 69) }
        let overview = try #require(try await crier.run("status", "--format", "json").objects.last)
        #expect((overview["outageCause"] as? String)?.contains("a.invalid") == true, "\(overview)")
    }

    @Test func itTakesWhatIsDueAndNothingElse() async throws {
        let crier = try BuiltCrier("sources: {}\n")
        #expect(try await crier.run("fetch", "--scheduled", "--force").status == 64)
        #expect(try await crier.run("fetch", "--scheduled", "news").status == 64)
    }
}
