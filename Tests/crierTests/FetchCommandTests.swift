import CrierStore
import CrierTesting
import Foundation
import Testing

@Suite struct FetchCommandTests {
    @Test func whatIsNotDeliveredYetIsToldByTheNextRunToo() async throws {
        let crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...1), to: "feed.xml")
        try crier.folder.write(
            """
            sinks: {hook: {kind: exec, command: [/bin/false]}}
            sources: {news: {url: 'file://\(feed)'}}
            """, to: "crier.yaml")
        try await crier.authorize()
        #expect(try await crier.run("fetch").errors.contains("hook: 1 not delivered yet: "))
        let later = try await crier.run("fetch")
        #expect(later.errors.hasPrefix("hook: 1 not delivered yet, tried again in "), "\(later.errors)")
        #expect(later.output.hasPrefix("Nothing is due"))
        #expect(try await crier.run("fetch", "--quiet").errors == "")
    }

    private func crier(_ origin: ScriptedOrigin, more: String = "") throws -> BuiltCrier {
        try BuiltCrier("sources:\n  news: {url: '\(origin.url("/feed"))'}\n\(more)")
    }

    @Test func withASinkThatPrintsJSONStandardOutputIsItsOwn() async throws {
        let crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...3), to: "feed.xml")
        try crier.folder.write(
            "sinks: {out: {kind: stdout, format: json}}\nsources: {news: {url: 'file://\(feed)'}}\n", to: "crier.yaml")
        try await crier.authorize()
        let run = try await crier.run("fetch")
        #expect(run.lines.count == 1 && run.objects.first?["title"] as? String == "Item 3")
        #expect(run.errors == "3 new items in 1 source; raised 1 notification (out).\n")
        try crier.folder.write(atomFeed(1...4), to: "feed.xml")
        let text = try await crier.run("fetch", "--force", "--format", "text")
        #expect(text.output.hasPrefix("Item 4\n") && text.output.hasSuffix("raised 1 notification (out).\n"))
    }

    @Test func raisesWhatIsNewAndThenNothing() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...3))])
        let crier = try crier(origin)
        try await crier.authorize()
        let first = try await crier.run("fetch")
        #expect(first.status == 0)
        #expect(
            first.output
                == "Item 3\n  The feed\n  https://e.example/3\n3 new items in 1 source; raised 1 notification (stdout).\n"
        )
        #expect(first.errors == "")
        let second = try await crier.run("fetch", "--force")
        #expect(second.status == 0)
        #expect(second.output == "Nothing new in 1 source.\n")
        #expect(try await crier.run("fetch", "--force", "--quiet").output == "")
        for arguments in [["fetch"], ["fetch", "--dry-run"]] {
            #expect(try await crier.run(arguments).output.hasPrefix("Nothing is due; the next visit is in 1 h"))
        }
        await origin.stop()
    }

    @Test func aFailureThatIsNotWrittenDownPutsNoVisitOff() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(status: 404)])
        let crier = try crier(origin)
        let failure = "news: fetch failed: HTTP status 404, not found"
        #expect(try await crier.run("fetch", "--dry-run").errors.split(separator: "\n").contains(Substring(failure)))
        #expect(try await crier.run("fetch").errors.contains(failure + "; next visit in "))
        await origin.stop()
    }

    @Test func jsonIsOneObjectForEachNotificationAndNothingElse() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...1)), ScriptedAnswer(body: atomFeed(1...3))])
        let crier = try crier(origin)
        try await crier.authorize()
        _ = try await crier.run("fetch", "--format", "json")
        let second = try await crier.run("fetch", "--force", "--format", "json")
        #expect(second.lines.count == 2)
        #expect(second.objects.map { $0["title"] as? String } == ["Item 2", "Item 3"])
        #expect(second.objects.map { $0["identifier"] as? String } == ["news/urn:item:2", "news/urn:item:3"])
        #expect(try await crier.run("fetch", "--force", "--format", "json").output == "")
        await origin.stop()
    }

    @Test func aNamedSourceWithAMistakeKeepsNoOtherFromBeingVisited() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...3))])
        let crier = try crier(origin, more: "  bad: {url: 'https://e.example/', evry: 1h}\n")
        try await crier.authorize()
        let run = try await crier.run("fetch", "bad", "news")
        #expect(run.status == 78 && run.output.hasPrefix("Item 3\n"), "\(run)")
        #expect(run.errors.contains("crier: bad is left out because of its mistake in the configuration\n"))
        #expect(try await crier.run("fetch", "bad", "--force").status == 78)
        #expect(try await crier.run("fetch", "news").status == 0, "the mistake is another's")
        #expect(await origin.requests.count == 1)
        await origin.stop()
    }

    /// Nobody wants a mail of it from cron, at each visit.
    @Test func whatIsOddInADocumentIsNotToldByAQuietRun() async throws {
        let origin = try await ScriptedOrigin()
        let broken = ["\n" + atomFeed(1...1), "\n" + atomFeed(1...1) + " "]
        await origin.script("/feed", (broken + broken).map { ScriptedAnswer(body: $0) })
        let crier = try crier(origin)
        try await crier.authorize()
        #expect(try await crier.run("fetch").errors.contains("news: "))
        let quiet = try await crier.run("fetch", "--force", "--quiet")
        #expect(quiet.errors.isEmpty && quiet.status == 0, "\(quiet)")
        await origin.stop()
    }

    @Test func exitCodesTellTheResultWhenAsked() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script(
            "/feed",
            [ScriptedAnswer(body: atomFeed(1...1)), ScriptedAnswer(body: atomFeed(1...1)), ScriptedAnswer(status: 500)])
        let crier = try crier(origin)
        try await crier.authorize()
        #expect(try await crier.run("fetch", "--exit-code").status == 0)
        #expect(try await crier.run("fetch", "--exit-code", "--force").status == 10)
        #expect(try await crier.run("fetch", "--exit-code", "--force").status == 20)
        await origin.stop()
    }

    /// As after Ctrl-S: what is told there waits, the visits do not.
    @Test(.timeLimit(.minutes(5))) func whoDoesNotReadWhatFailsKeepsNobodyFromBeingVisited() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...1))])
        let failing = (0..<200).map { "  missing\($0): {url: 'file:///no/such/file/\($0)'}\n" }.joined()
        let crier = try BuiltCrier("sources:\n\(failing)  news: {url: '\(origin.url("/feed"))'}\n")
        try await crier.authorize()
        let errors = Pipe()
        let full = fill(errors.fileHandleForWriting.fileDescriptor)
        let process = crier.process(["fetch", "--quiet"])
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        async let end: Void = process.runToEnd()
        await origin.received(1)
        let told = try await OwnThreads.everything(in: errors.fileHandleForReading)
        try await end
        #expect(told.utf8.count > full)
        #expect(told.split(separator: "\n").filter { $0.contains("fetch failed") }.count == 200)
        await origin.stop()
    }

    /// Writes lines until no byte more goes in; gives how many did.
    private func fill(_ pipe: Int32) -> Int {
        let flags = fcntl(pipe, F_GETFL)
        _ = fcntl(pipe, F_SETFL, flags | O_NONBLOCK)
        defer { _ = fcntl(pipe, F_SETFL, flags) }
        var count = 0
        for block in [4096, 1] {
            let line = Array(repeating: UInt8(ascii: "\n"), count: block)
            while write(pipe, line, block) > 0 { count += block }
        }
        return count
    }

    @Test func aFailingSourceIsOneLineWithStageAndCauseAndTheOthersGoOn() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...1))])
        await origin.script(
            "/login",
            [ScriptedAnswer(body: "<!DOCTYPE html><html><head><title>Log in</title></head><body>…</body></html>")])
        await origin.script("/error", [ScriptedAnswer(status: 500)])
        await origin.script("/garbage", [ScriptedAnswer(body: "\u{1}\u{2}no markup \u{fffd}")])
        await origin.script("/json", [ScriptedAnswer(body: "{\"results\": [{\"t\": \"äöü ß\"}]}")])
        let crier = try crier(
            origin,
            more: """
                  crash: {url: '\(origin.url("/json"))', format: json, items: '.results[]', fields: {title: 'reduce range(1e6) as $_ (0; [.])'}}
                  stray: {url: '\(origin.url("/json"))', format: json, items: '.results[]', fields: {title: '.t + ([.t | scan("[a-z]*")] | add)'}}
                  endless: {url: '\(origin.url("/feed"))', only: 'until(false; .)'}
                  login: {url: '\(origin.url("/login"))'}
                  error: {url: '\(origin.url("/error"))'}
                  wrong: {url: '\(origin.url("/json"))', format: json, items: '.results[', fields: {title: .t}}
                  refused: {url: 'http://127.0.0.1:1/'}
                  missing: {url: 'file:///no/such/file'}
                  name: {url: 'http://a.invalid/'}
                  garbage: {url: '\(origin.url("/garbage"))'}
                """)
        try await crier.authorize()
        let run = try await crier.run("fetch")
        #expect(run.status == 0)
        #expect(run.output.contains("Item 1\n"))
        let named = run.errors.split(separator: "\n").map { line in (String(line.prefix { $0 != ":" }), String(line)) }
        let lines = Dictionary(named, uniquingKeysWith: { "\($0)\n\($1)" })
        #expect(lines.values.allSatisfy { !$0.contains("\n") }, "\(run.errors)")
        // What libjq 1.6 does not survive, a later one may map.
        #expect(Set(lines.keys).subtracting(["stray"]).count == 9, "\(run.errors)")
        #expect(lines["crash"]?.contains("decode failed: the jq program needs more than 512 MiB") == true)
        #expect(lines["endless"]?.contains("decode failed: the jq program takes ") == true)
        #expect(lines["login"]?.hasPrefix("login: decode failed: ") == true)
        #expect(
            lines["error"]?.hasPrefix("error: fetch failed: HTTP status 500, internal server error; next visit in ")
                == true)
        #expect(lines["wrong"]?.hasPrefix("wrong: decode failed: ") == true)
        #expect(lines["refused"]?.hasPrefix("refused: fetch failed: ") == true)
        #expect(lines["missing"]?.hasPrefix("missing: fetch failed: ") == true)
        #expect(lines["name"]?.hasPrefix("name: fetch failed: could not find the host a.invalid; ") == true)
        #expect(lines["garbage"]?.hasPrefix("garbage: decode failed: text without any markup ") == true)
        await origin.stop()
    }

    @Test func aNetworkThatIsDownIsOneLineAndCountsAgainstNoSource() async throws {
        // Names of the top-level domain `invalid` have no address, with a network or without (RFC 6761 §6.4).
        let crier = try BuiltCrier(
            "sources:\n  a: {url: 'http://a.invalid/'}\n  b: {url: 'http://b.invalid/'}\n  c: {url: 'http://c.invalid/'}\n"
        )
        let run = try await crier.run("fetch")
        #expect(run.status == 69)
        let words = /crier: the network is down: no host could be reached \((.+)\); nothing is counted against .+\n/
        let cause = try #require(run.errors.wholeMatch(of: words)).1
        #expect(cause.wholeMatch(of: /could not find the host [abc]\.invalid/) != nil, "\(cause)")
        let objects = try await crier.run("status", "--format", "json").objects
        #expect(objects.prefix(3).allSatisfy { $0["failures"] as? Int == 0 && $0["lastFetched"] is NSNull })
    }

    @Test func aBrokenSourceOfTheConfigurationStopsNoOther() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...1))])
        let crier = try crier(origin, more: "  broken: {url: 'https://e.example/', evry: 1h}\n")
        try await crier.authorize()
        let run = try await crier.run("fetch")
        #expect(run.status == 78)
        #expect(run.output.hasPrefix("Item 1\n"))
        #expect(run.errors.contains("crier.yaml:3:39: sources.broken: unknown key \"evry\""))
        #expect(run.errors.contains("did you mean \"every\"?"))
        await origin.stop()
    }

    @Test func aSecondRunExitsAtOnceWithThePidOfTheFirst() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [.hang])
        let crier = try crier(origin)
        let first = crier.process(["fetch"])
        first.standardOutput = FileHandle.nullDevice
        first.standardError = FileHandle.nullDevice
        async let ended: Void = first.runToEnd()
        await origin.received(1)
        let second = try await crier.run("fetch")
        #expect(second.status == 75)
        #expect(second.errors == "crier: another crier run is at work (process \(first.processIdentifier))\n")
        let timers = try await crier.run("fetch", "--scheduled", "--quiet")
        #expect(timers.status == 75 && timers.output + timers.errors == "", "the next one comes by itself")
        first.terminate()
        try await ended
        await origin.stop()
    }

    /// - Parameter again: As by `timeout`, which signals its child and then all of their group.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP], [false, true])
    func aSignalEndsARunInOrder(_ signal: Int32, again: Bool) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [.hang])
        let crier = try crier(origin)
        let run = crier.process(["fetch"])
        run.standardOutput = FileHandle.nullDevice
        run.standardError = FileHandle.nullDevice
        async let ended: Void = run.runToEnd()
        await origin.received(1)
        kill(run.processIdentifier, signal)
        while again, run.isRunning {
            kill(run.processIdentifier, signal)
            await Task.yield()
        }
        try await ended
        #expect(run.terminationReason == .exit)
        #expect(run.terminationStatus == 128 + signal)
        await origin.stop()
    }

    @Test func namedSourcesAloneAreVisited() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...1))])
        let crier = try crier(origin, more: "  other: {url: '\(origin.url("/other"))'}\n")
        try await crier.authorize()
        #expect(try await crier.run("fetch", "news").output.contains("Item 1"))
        #expect(await origin.requests.map(\.target) == ["/feed"])
        let wrong = try await crier.run("fetch", "nwes")
        #expect(wrong.status == 64)
        #expect(wrong.errors == "crier: no source is called \"nwes\"; did you mean \"news\"?\n")
        await origin.stop()
    }

    @Test func anExpiredFeedIsToldOnce() async throws {
        let origin = try await ScriptedOrigin()
        let last = #"{"version": "https://jsonfeed.org/version/1.1", "title": "T", "expired": true, "items": []}"#
        await origin.script("/feed", [ScriptedAnswer(body: last)])
        let crier = try crier(origin)
        try await crier.authorize()
        #expect(try await crier.run("fetch").output.contains("news has ended"))
        #expect(try await !crier.run("fetch", "--force", "news").output.contains("news has ended"))
        #expect(try await crier.run("why", "news").output.contains(", as its feed says that nothing will follow; "))
        let store = try Store(path: crier.statePath)
        var state = try store.state(of: "news")
        (state.goneSince, state.nextFetch) = (Date(timeIntervalSinceNow: -8 * 86_400), nil)
        try store.commit(FetchCommit(state: state, date: Date()))
        #expect(try await crier.run("status").output.contains("\nnews says that nothing will follow: `crier fetch"))
        #expect(
            try await crier.run("fetch", "news").output
                == "Nothing is due; no visit is planned, and `crier why SOURCE` says why.\n")
        await origin.stop()
    }

    @Test func textOfOutsidersCannotSteerTheTerminal() async throws {
        let origin = try await ScriptedOrigin()
        let hostile = "\u{9b}31mred&#x202e;drawkcab&#x85; --help $(id) %s"
        await origin.script(
            "/feed", [ScriptedAnswer(body: atomFeed(1...1, title: hostile).replacing("Item 1", with: hostile))])
        let crier = try crier(origin)
        try await crier.authorize()
        let shown = try await crier.shown(by: [
            ["fetch"], ["try", "news"], ["deliveries", "--all"], ["status"], ["why", "news"],
        ])
        #expect(shown.contains("drawkcab"))
        #expect(
            !shown.unicodeScalars.contains {
                $0 != "\n" && ($0.value < 0x20 || (0x7f...0x9f).contains($0.value) || $0 == "\u{202e}")
            })
        await origin.stop()
    }
}
