import CrierStore
import CrierTesting
import Foundation
import Testing

/// What the user sees of the manners. Hosts have names here: the origin is the proxy of all of them.
@Suite struct MannersCommandTests {
    private func crier(_ origin: ScriptedOrigin, _ urls: KeyValuePairs<String, String>) async throws -> BuiltCrier {
        let sources = urls.map { "  \($0.key): {url: '\($0.value)'}\n" }.joined()
        var crier = try BuiltCrier("sources:\n" + sources)
        crier.environment["http_proxy"] = origin.url()
        try await crier.authorize()
        return crier
    }

    private func failing(_ status: Int, retryAfter: String) -> ScriptedAnswer {
        ScriptedAnswer(status: status, fields: ["Retry-After": retryAfter])
    }

    @Test func aForcedFetchSaysWhomItObeysAndUntilWhen() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("http://busy.example/feed", [failing(503, retryAfter: "5000")])
        await origin.script("http://fine.example/feed", [ScriptedAnswer(body: atomFeed(1...1))])
        await origin.script("http://full.example/feed", [failing(429, retryAfter: "9000")])
        let crier = try await crier(
            origin,
            [
                "busy": "http://busy.example/feed", "fine": "http://fine.example/feed",
                "full": "http://full.example/feed", "neighbour": "http://full.example/other",
            ])
        _ = try await crier.run("fetch", "busy", "fine", "full")
        let count = await origin.requests.count
        #expect(count == 3)
        let forced = try await crier.run("fetch", "--force")
        #expect(await origin.requests.count == count)
        #expect(forced.errors.contains(/busy: not visited until .+, in .+: set by the origin's Retry-After\n/))
        #expect(
            forced.errors.contains(
                /fine: not visited until .+, in .+: set by the least time of 10 min between two visits\n/))
        for name in ["full", "neighbour"] {
            #expect(
                forced.errors.contains(
                    try Regex("\(name): not visited until .+: set by full.example, which asked for fewer requests")))
        }
        #expect(forced.status == 0)
        await origin.stop()
    }

    @Test func aDryRunRemembersWhoWantsToBeLeftAlone() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("http://busy.example/feed", [failing(503, retryAfter: "5000")])
        await origin.script("http://full.example/feed", [failing(429, retryAfter: "9000")])
        let crier = try await crier(
            origin, ["busy": "http://busy.example/feed", "full": "http://full.example/feed"])
        for arguments in [["--dry-run"], ["--dry-run", "--force"], ["--force"], []] {
            _ = try await crier.run(["fetch"] + arguments)
            #expect(await origin.requests.count == 2, "\(arguments)")
        }
        let states = try Store(path: crier.statePath).states()
        #expect(states.keys.sorted() == ["busy", "full"])
        #expect(states.values.allSatisfy { $0.lastFetched == nil && $0.failures == 0 })
        await origin.stop()
    }

    @Test func aTrialAndAnAdditionAskNobodyWhoWantsToBeLeftAlone() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("http://busy.example/feed", [failing(503, retryAfter: "5000")])
        await origin.script("http://full.example/feed", [failing(429, retryAfter: "9000")])
        let crier = try await crier(
            origin, ["busy": "http://busy.example/feed", "full": "http://full.example/feed"])
        _ = try await crier.run("fetch", "busy", "full")
        let full = "set by full.example, which asked for fewer requests\n"
        for (arguments, name, words) in [
            (["try", "busy"], "busy", "set by the origin's Retry-After\n"), (["try", "full"], "full", full),
            (["try", "http://busy.example/feed"], "http://busy.example/feed", "set by the origin's Retry-After\n"),
            (
                ["add", "http://busy.example/feed", "--name", "b"], "http://busy.example/feed",
                "set by the origin's Retry-After\n"
            ),
            (["try", "http://full.example/new"], "http://full.example/new", full),
            (["add", "http://me:pw@full.example/new"], "http://full.example/new", full),
        ] {
            let run = try await crier.run(arguments)
            #expect(run.status == 69)
            #expect(run.errors.contains("\(name): not visited until ") && run.errors.hasSuffix(words), "\(run.errors)")
        }
        #expect(await origin.requests.count == 2)
        await origin.stop()
    }

    @Test func anAddressIsLeftAloneHoweverItIsSpelledAndRead() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("http://busy.example/feed", [failing(503, retryAfter: "5000")])
        await origin.script("http://busy.example/feed?2", [failing(503, retryAfter: "5000")])
        let crier = try await crier(origin, ["busy": "http://busy.example/feed"])
        try crier.folder.write(
            """
            sources:
              busy: {url: 'HTTP://busy.example/feed', headers: {A: b}}
              mapped: {url: 'http://busy.example/feed?2', format: json, items: '.a[]', fields: {title: .t}}
            """, to: "crier.yaml")
        _ = try await crier.run("fetch")
        #expect(await origin.requests.count == 2)
        for address in [
            "http://busy.example/feed", "http://me:pw@BUSY.example./feed#top", "http://busy.example/feed?2",
        ] {
            for arguments in [
                ["try", address], ["add", address, "--name", "b"], ["try", address, "--items", ".b[]"],
            ] {
                let run = try await crier.run(arguments)
                #expect(run.status == 69)
                #expect(run.errors.contains("not visited until "), "\(arguments): \(run.errors)")
            }
        }
        #expect(await origin.requests.count == 2)
        await origin.stop()
    }

    @Test func theLongestOfSeveralRefusalsIsTold() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script(
            "http://busy.example/feed",
            [failing(503, retryAfter: "90000"), failing(503, retryAfter: "5000"), failing(503, retryAfter: "9000")])
        let crier = try await crier(
            origin,
            [
                "a": "http://busy.example/feed", "b": "http://busy.example/feed#b", "c": "http://busy.example/feed#c",
            ])
        // In one run, before anything is known of the address.
        _ = try await crier.run("fetch")
        #expect(await origin.requests.count == 3)
        let run = try await crier.run("try", "http://busy.example/feed#d")
        #expect(run.errors.contains(/in 24 h/), "\(run.errors)")
        await origin.stop()
    }

    @Test func noRedirectAndNoPageLeadsToWhomIsToBeLeftAlone() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("http://busy.example/feed", [failing(503, retryAfter: "5000")])
        let link = "<link rel='alternate' type='application/rss+xml' href='http://busy.example/feed'>"
        await origin.script(
            "http://fine.example/page",
            [ScriptedAnswer(fields: ["Content-Type": "text/html"], body: "<html><head>\(link)</head></html>")])
        await origin.script(
            "http://fine.example/moved", [ScriptedAnswer(status: 302, fields: ["Location": "http://busy.example/feed"])]
        )
        let crier = try await crier(origin, ["busy": "http://busy.example/feed"])
        _ = try await crier.run("fetch")
        for arguments in [
            ["add", "http://fine.example/page"], ["add", "http://fine.example/moved"],
            ["try", "http://fine.example/moved"],
        ] {
            let run = try await crier.run(arguments)
            let words = "http://busy.example/feed is to be left alone now: set by the origin's Retry-After\n"
            #expect(run.status == 69)
            #expect(run.errors.hasSuffix(words), "\(arguments): \(run.errors)")
        }
        let asked = await origin.requests.map(\.target)
        #expect(asked.filter { $0 == "http://busy.example/feed" }.count == 1, "\(asked)")
        await origin.stop()
    }

    @Test func whyAndStatusTellWhoWantsTheSourceToBeLeftAlone() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("http://busy.example/feed", [failing(503, retryAfter: "9000")])
        await origin.script("http://full.example/feed", [failing(429, retryAfter: "9000")])
        let crier = try await crier(
            origin,
            [
                "busy": "http://busy.example/feed", "full": "http://full.example/feed",
                "neighbour": "http://full.example/other",
            ])
        _ = try await crier.run("fetch", "busy", "full")
        let busy = try await crier.run("why", "busy").output
        #expect(busy.contains("Answer        fetch failed: HTTP status 503, service unavailable\n"))
        #expect(busy.contains(/Next visit +.+, set by the origin's Retry-After\n/))
        #expect(busy.contains(/Postponed +from .+ \(its interval of 1 h\) until .+ by the origin's Retry-After\n/))
        #expect(busy.contains(/Left alone +until .+, also with --force: set by the origin's Retry-After\n/))
        let line = try #require(try await crier.run("why", "busy", "--format", "json").objects.first)
        #expect(line["refusedBy"] as? String == "the origin's Retry-After")
        let dates = try ["refusedUntil", "nextFetch"].map { try #require(line[$0] as? String) }
        #expect(dates[0] <= dates[1], "a little later than the origin has said")

        let pause = "full.example, which asked for fewer requests"
        let words = "was never visited; it is left alone until "
        let before = try await crier.run("why", "neighbour")
        #expect(before.output.hasPrefix("neighbour \(words)"))
        #expect(before.output.hasSuffix("set by \(pause).\n"))
        let run = try await crier.run("fetch")
        #expect(run.errors.contains(/1 source that is due waits until .+: set by full\.example, which asked/))
        #expect(try await crier.run("fetch", "--quiet").errors.isEmpty)
        #expect(await origin.requests.count == 2)
        #expect(try await crier.run("why", "neighbour").output.contains("set by \(pause)"))
        let status = try await crier.run("status", "--format", "json").objects
        #expect(status.first { $0["source"] as? String == "neighbour" }?["nextFetchReason"] as? String == pause)
        let text = try await crier.run("status").output
        #expect(text.contains("full failed once: fetch: HTTP status 429, too many requests"))
        #expect(text.contains(/neighbour +never +- +never +in \d/))
        await origin.stop()
    }

    #if DEBUG
        @Test func aHostThatAskedForFewerRequestsIsLeftAloneAlsoAfterACrash() async throws {
            let origin = try await ScriptedOrigin()
            await origin.handle { [answer = failing(429, retryAfter: "9000")] _ in answer }
            var crier = try await crier(
                origin, ["full": "http://full.example/feed", "neighbour": "http://full.example/other"])
            crier.environment["CRIER_CRASH_AT"] = "commit.after"
            #expect(try await crier.run("fetch", "full").status == SIGKILL)
            #expect(try Store(path: crier.statePath).hosts()["full.example"]?.pausedUntil != nil)
            crier.environment["CRIER_CRASH_AT"] = nil
            _ = try await crier.run("fetch")
            #expect(await origin.requests.count == 1)
            await origin.stop()
        }
    #endif
}
