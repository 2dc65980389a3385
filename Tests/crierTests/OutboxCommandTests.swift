import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

/// What the user does with the outbox, by the built program.
@Suite(.timeLimit(.minutes(5))) struct OutboxCommandTests {
    private func crier(_ more: String = "") throws -> BuiltCrier {
        let crier = try BuiltCrier()
        try crier.folder.write(atomFeed(1...2), to: "feed.xml")
        try crier.folder.write(
            """
            \(more)
            sources:
              news: {url: 'file://\(crier.folder.file("feed.xml"))', first: all, every: 1s}
            """, to: "crier.yaml")
        return crier
    }

    private let deadSink = "sinks: {team: {kind: webhook, url: 'http://127.0.0.1:1/in'}}"

    @Test func whatWaitsIsDeliveredWhenItsSourceIsGone() async throws {
        let crier = try crier()
        #expect(try await crier.run("fetch").status == 77)
        try await crier.run("remove", "news")
        try await crier.authorize()
        let run = try await crier.run("fetch", "--scheduled", "--quiet")
        #expect(run.status == 0)
        #expect(run.output.contains("Item 1\n") && run.output.contains("Item 2\n"))
        let next = try await crier.run("fetch")
        #expect(next.status == 78)
        #expect(next.errors == "crier: the configuration has no sources; `crier add URL` adds one\n")
    }

    @Test func whereAllSourcesAreDisabledTheyAreNotMissing() async throws {
        let crier = try BuiltCrier("sources: {news: {url: 'https://e.example/', enabled: false}}\n")
        for command in ["fetch", "simulate"] {
            let run = try await crier.run(command)
            #expect(run.status == 78)
            #expect(run.errors == "crier: all sources of the configuration are disabled\n")
        }
        #expect(try await crier.run("status").output.hasPrefix("All sources of the configuration are disabled.\n"))
        #expect(try await crier.run("check").output.hasSuffix(": 1 source, 1 disabled, 1 sink, no problem found\n"))
        let wrong = try BuiltCrier("sources: {news: {url: 'https://e.example/', evry: 1h}}\n")
        let lack = "no source without a mistake is enabled; `crier check` tells the mistakes"
        #expect(
            try await wrong.run("list").output == "No source without a mistake; `crier check` tells the mistakes.\n")
        #expect(try await wrong.run("simulate").errors.hasSuffix("crier: \(lack)\n"))
        #expect(try await wrong.run("status").output.hasPrefix("N\(lack.dropFirst()).\n"))
        let scheduled = try await BuiltCrier("sources: {}\n").run("fetch", "--scheduled", "--quiet")
        #expect(scheduled.status == 0 && scheduled.errors.isEmpty, "a timer does not fail meanwhile")
    }

    @Test func aDeliveryIsShownWithItsContentItsAttemptsAndWhyTheyFailed() async throws {
        let crier = try crier(deadSink)
        try await crier.authorize()
        try await crier.run("fetch", "--quiet")
        let id = try #require(try await crier.run("deliveries", "list", "--format", "json").objects.last?["id"] as? Int)
        let one = try await crier.run("deliveries", "list", "--limit", "1")
        #expect(one.errors == "there are more than 1: --limit lists them\n")
        let shown = try await crier.run("deliveries", "show", String(id)).output
        for expected in [
            "Item 1\n", "https://e.example/1\n", "Identifier    news/urn:item:1", "Sink          team",
            "State         pending", "Attempts      1", "Next attempt  ", "Attempt 1     ",
            ": no connection to 127.0.0.1",
        ] {
            #expect(shown.contains(expected), "\(expected) is missing in\n\(shown)")
        }
        let json = try #require(
            try await crier.run("deliveries", "show", String(id), "--format", "json").objects.first)
        #expect(json["type"] as? String == "delivery" && json["attempts"] as? Int == 1)
        #expect((json["content"] as? [String: Any])?["title"] as? String == "Item 1")
        #expect((json["failedAttempts"] as? [[String: Any]])?.first?["number"] as? Int == 1)
        #expect(try await crier.run("deliveries", "show", "4711").status == 64)
        for (verb, changed) in [("retry", "1 due "), ("drop", "1 dropped.\n")] {
            let run = try await crier.run("deliveries", verb, String(id), "4711")
            #expect(run.status == 64 && run.output.hasPrefix(changed), "\(run)")
            #expect(run.errors.hasPrefix("crier: there is no delivery 4711\n"), "\(run.errors)")
        }
        #expect(try await crier.run("status").output.contains("\n1 waits to be delivered: "))
    }

    @Test func aPausedSinkIsInTheStatusAndARetryEndsThePause() async throws {
        let crier = try crier(deadSink)
        try await crier.authorize()
        for number in 3...7 {
            try crier.folder.write(atomFeed(1...number), to: "feed.xml")
            try await crier.run("fetch", "--force", "--quiet")
        }
        let status = try await crier.run("status")
        #expect(status.output.contains("The sink team is paused until "))
        let waiting = try await crier.run("why", "news").output.split(separator: "\n").filter {
            $0.contains("team: pending")
        }
        #expect(!waiting.isEmpty && waiting.allSatisfy { $0.contains("team: pending in ") }, "\(waiting)")
        #expect(status.output.contains("attempts in a row failed (no connection to 127.0.0.1)"))
        let overview = try #require(try await crier.run("status", "--format", "json").objects.last)
        let paused = try #require((overview["pausedSinks"] as? [[String: Any]])?.first)
        #expect(paused["name"] as? String == "team" && (paused["failures"] as? Int ?? 0) >= 5)
        let run = try await crier.run("fetch")
        #expect(run.errors.contains(/^team: \d wait, as it is paused .*`crier sink test team` tries it now\n$/))
        try await crier.run("deliveries", "retry", "--all")
        #expect(try await !crier.run("status").output.contains("paused"))
    }

    @Test func whatWaitsForASinkGoesToItUnderAnotherName() async throws {
        let crier = try crier(deadSink)
        try await crier.authorize()
        try await crier.run("fetch", "--quiet")
        let renamed = deadSink.replacing("team", with: "crew")
        try crier.folder.write(
            "\(renamed)\nsources: {news: {url: 'file://\(crier.folder.file("feed.xml"))'}}\n", to: "crier.yaml")
        let status = try await crier.run("status").output
        #expect(!status.contains("team"), "\(status)")
        try await crier.run("deliveries", "retry", "--all")
        let run = try await crier.run("fetch", "--quiet")
        #expect(run.errors.hasPrefix("crier: crew: 2 not delivered yet: no connection to 127.0.0.1"), "\(run.errors)")
        let list = try await crier.run("deliveries", "list", "--format", "json").objects
        #expect(list.count == 2 && list.allSatisfy { $0["sink"] as? String == "crew" })
    }

    @Test func whatWaitsForASinkThatTheConfigurationHasNoLongerIsInTheStatus() async throws {
        let crier = try crier(deadSink)
        try await crier.authorize()
        try await crier.run("fetch", "--quiet")
        let configuration = "sources: {news: {url: 'file://\(crier.folder.file("feed.xml"))'}}\n"
        try crier.folder.write(configuration, to: "crier.yaml")
        for words in ["crier: team: 2 not delivered yet: the configuration has no sink team\n", ""] {
            try await crier.run("deliveries", "retry", "--all")
            #expect(try await crier.run("fetch", "--scheduled", "--quiet").errors == words)
        }
        try Store(path: crier.statePath).markGone("team", reason: "HTTP 410", at: Date())
        let status = try await crier.run("status").output
        #expect(status.contains("2 wait for the sink team, which the configuration has no longer: "))
        #expect(!status.contains("sink test team"))
        let overview = try #require(try await crier.run("status", "--format", "json").objects.last)
        #expect(overview["absentSinks"] as? [String: Int] == ["team": 2])
        #expect((overview["goneSinks"] as? [String])?.isEmpty == true)
    }

    @Test func theEndOfMutingLiesAhead() async throws {
        let crier = try BuiltCrier()
        for behind in ["-1h", "0s"] {
            let run = try await crier.run("mute", behind)
            #expect(run.status == 64)
            #expect(run.errors.contains("the end of \"\(behind)\" does not lie ahead"), "\(run.errors)")
        }
        #expect(try await crier.run("mute", "-h").output.hasPrefix("OVERVIEW: "))
        #expect(try await crier.run("mute").status == 64)
        #expect(try await crier.run("mute", "1h", "--state", crier.folder.file("other")).status == 0)
        #expect(!FileManager.default.fileExists(atPath: crier.statePath))
    }

    @Test func howLongToMuteMayStandBehindTwoHyphens() async throws {
        let crier = try BuiltCrier()
        for words in [["--", "1h"], ["1h", "--"], ["--", "until", "08:00"]] {
            let run = try await crier.run(["mute"] + words)
            #expect(run.status == 0 && run.output.hasPrefix("Muted until "), "\(run)")
        }
        for (words, errors) in [
            (["--", "-1h"], "crier: the end of \"-1h\" does not lie ahead"),
            (["--"], "crier: say for how long (1h) or until when (until 08:00)\n"),
            (["--", "--bogus"], "crier: \"--bogus\" is not a time"),
            (["--bogus", "1h"], "Error: Unknown option '--bogus'\n"),
        ] {
            let run = try await crier.run(["mute"] + words)
            #expect(run.status == 64 && run.errors.hasPrefix(errors), "\(run)")
        }
        #expect(try await crier.run("mute", "--help").output.contains("  -h, --help "))
    }

    @Test func aZoneMayBeginWithAColonAndBeThePathOfItsFile() async throws {
        var crier = try BuiltCrier()
        let path = "/usr/share/zoneinfo/Asia/Tokyo"
        for zone in ["Asia/Tokyo", ":Asia/Tokyo", path, ":\(path)"] {
            crier.environment["TZ"] = zone
            #expect(try await crier.run("mute", "1h").output.contains("+09:00"), "\(zone)")
        }
    }

    @Test func mutingHoldsEverythingBackUntilItEnds() async throws {
        let crier = try crier()
        try await crier.authorize()
        #expect(try await crier.run("mute", "until", "25:00").status == 64)
        #expect(try await crier.run("mute", "1h").output.hasPrefix("Muted until "))
        #expect(try await crier.run("fetch", "--quiet").output.isEmpty)
        let status = try await crier.run("status").output
        #expect(status.contains("Muted until ") && status.contains("Waiting for the end of that: 2."))
        var later = crier
        later.environment["CRIER_CLOCK_OFFSET"] = "7200"
        let overdue = "2 that waited while it was quiet come with the next `crier fetch`."
        #expect(try await later.run("status").output.contains(overdue))
        let overview = try #require(try await crier.run("status", "--format", "json").objects.last)
        #expect(overview["muted"] as? Bool == true && overview["quieted"] as? Int == 2)
        for command in [["deliveries"], ["why", "news"]] {
            #expect(try await crier.run(command).output.contains("pending (quiet) "), "\(command)")
        }
        #expect(try await crier.run("unmute").output.hasPrefix("No longer muted. What waited (2)"))
        #expect(try await crier.run("fetch", "--quiet").output.hasPrefix("2 notifications waited for you\n"))
        #expect(try await crier.run("unmute").output == "It was not muted.\n")
    }

    #if DEBUG
        @Test func mutingOfAClockThatWasAYearAheadIsOverOnceItIsRight() async throws {
            let crier = try crier()
            var ahead = crier
            ahead.environment["CRIER_CLOCK_OFFSET"] = "\(365 * 86_400)"
            #expect(try await ahead.run("mute", "1h").output.hasPrefix("Muted until "))
            #expect(try await ahead.run("status").output.contains("Muted until "))
            #expect(try await !crier.run("status").output.contains("Muted until "))
            #expect(try await crier.run("unmute").output == "It was not muted.\n")
        }
    #endif

    @Test func quietHoursThatGoOnBehindMutingAreSaid() async throws {
        let crier = try crier("time-zone: UTC\nquiet-hours: \(Self.hour(-1))-\(Self.hour(4))")
        try await crier.run("mute", "1h")
        let lines = try await crier.run("status").lines
        let ahead = "critical notifications are raised. `crier unmute` ends it."
        #expect(lines.contains { $0.hasPrefix("Muted until ") && $0.hasSuffix(ahead) }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("Then quiet hours until ") }, "\(lines)")
        func overview() async throws -> [String: Any] {
            try #require(try await crier.run("status", "--format", "json").objects.last)
        }
        let muted = try #require(try await overview()["mutedUntil"] as? String)
        #expect(try await (overview()["quietUntil"] as? String).map { muted < $0 } == true)
        try await crier.run("unmute")
        #expect(try await overview()["mutedUntil"] is NSNull)
    }

    /// The beginning of an hour, so many from now.
    private static func hour(_ distance: Int) -> String {
        let hour = Int(Date().timeIntervalSince1970 / 3600) + distance
        return "\((hour % 24).formatted(.number.precision(.integerLength(2)))):00"
    }

    @Test func nothingIsPromisedForWhileItIsQuiet() async throws {
        let crier = try crier("quiet-hours: 00:00-24:00")
        try await crier.run("fetch", "--quiet")
        try await crier.run("mute", "1h")
        let waits = "when that is over, the urgent of it with the next `crier fetch`.\n"
        let allowed = try await crier.run("authorize", "--allow").output
        #expect(allowed.hasPrefix("Crier may raise notifications. Muted until "))
        #expect(allowed.hasSuffix("time-sensitive notifications are raised. What waited (2) comes \(waits)"))
        try await crier.run("fetch", "--quiet")
        let retried = try await crier.run("deliveries", "retry", "--all").output
        #expect(retried.hasPrefix("Muted until ") && retried.hasSuffix(" are raised. 2 due \(waits)"))
        try await crier.run("fetch", "--quiet")
        let unmuted = try await crier.run("unmute").output
        #expect(unmuted.hasPrefix("No longer muted. Quiet hours until "))
        #expect(unmuted.hasSuffix("time-sensitive notifications are raised. What waited (2) comes \(waits)"))
    }

    @Test func theEndOfMutingPromisesNothingThatIsDenied() async throws {
        let crier = try crier()
        try await crier.authorize()
        try await crier.run("mute", "1h")
        try await crier.run("fetch", "--quiet")
        try await crier.run("authorize", "--deny")
        #expect(
            try await crier.run("unmute").output
                == "No longer muted. What waited (2) will be recorded and not raised: notifications are denied, "
                + "`crier authorize` changes that.\n")
    }

    @Test func nothingIsPromisedThatIsNotAllowed() async throws {
        let crier = try crier()
        try await crier.run("authorize", "--deny")
        try await crier.run("fetch", "--quiet")
        let suppressed = try await crier.run("deliveries", "list", "--in", "suppressed", "--format", "json").objects
        let id = String(try #require(suppressed.first?["id"] as? Int))
        #expect(
            try await crier.run("deliveries", "retry", id).output
                == "1 will be recorded and not raised: notifications are denied, `crier authorize` changes that.\n")
        try await crier.run("authorize", "--reset")
        #expect(
            try await crier.run("deliveries", "retry", id).output
                == "1 due with the next `crier fetch`, to wait for your permission: run `crier authorize`.\n")
        let again = try await crier.run("deliveries", "list", "--in", "pending", "--format", "json").objects
        #expect(again.contains { $0["id"] as? Int == Int(id) && $0["lastError"] is NSNull })
        try await crier.authorize()
        #expect(try await crier.run("deliveries", "retry", id).output == "1 due with the next `crier fetch`.\n")
    }

    @Test func whatCannotBeTriedAgainHasItsReason() async throws {
        let crier = try crier()
        try await crier.run("fetch", "--quiet")
        let list = try await crier.run("deliveries", "list", "--format", "json").objects
        let id = String(try #require(list.first?["id"] as? Int))
        let held = try await crier.run("deliveries", "retry", id)
        #expect(held.status == 64)
        #expect(held.errors == "crier: the delivery \(id) waits for your permission: run `crier authorize`\n")
        #expect(try await crier.run("deliveries", "retry", "77").errors == "crier: there is no delivery 77\n")
        #expect(
            try await crier.run("deliveries", "retry", "--all").output
                == "Nothing is to be tried again. 2 held for your permission: run `crier authorize`.\n")
        try await crier.authorize()
        try await crier.run("fetch", "--quiet")
        #expect(try await crier.run("deliveries", "retry", "--all").output == "Nothing is to be tried again.\n")
        #expect(
            try await crier.run("deliveries", "drop", id).errors
                == "crier: the delivery \(id) was delivered, and cannot be dropped\n")
    }

    @Test func quietHoursOfTheConfigurationHoldBackAndSaySo() async throws {
        let crier = try crier("quiet-hours: 00:00-24:00")
        try await crier.authorize()
        #expect(try await crier.run("fetch", "--quiet").output.isEmpty)
        #expect(try await crier.run("status").output.contains("Quiet hours until "))
        try crier.folder.write(
            try #require(crier.folder.read("crier.yaml")).replacing("quiet-hours: 00:00-24:00", with: ""),
            to: "crier.yaml")
        #expect(try await crier.run("fetch", "--quiet").output.hasPrefix("2 notifications waited for you\n"))
    }

    @Test func theStateIsBackedUpAndNothingIsOverwritten() async throws {
        let crier = try crier()
        let copy = crier.folder.file("copy.sqlite")
        #expect(try await crier.run("backup", copy).status == 66, "there is nothing to copy yet")
        try await crier.authorize()
        try await crier.run("fetch")
        #expect(try await crier.run("backup", copy).status == 0)
        let again = try await crier.run("backup", copy)
        #expect(again.status == 73)
        #expect(again.errors == "crier: \(copy) exists already; nothing was written\n")
        let ofCopy = try await crier.run("deliveries", "list", "--all", "--state", copy, "--format", "json")
        #expect(ofCopy.objects.count == 2)
    }

    @Test func theStateIsBackedUpWhileARunIsAtWork() async throws {
        let origin = try await ScriptedOrigin()
        let crier = try BuiltCrier("sources: {news: {url: '\(origin.url("/feed"))', first: all, every: 1s}}")
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...2)), .hang])
        try await crier.authorize()
        try await crier.run("fetch", "--quiet")
        let run = crier.process(["fetch", "--force", "--quiet"])
        async let ended: Void = run.runToEnd()
        await origin.received(2)
        let copy = crier.folder.file("copy.sqlite")
        #expect(try await crier.run("backup", copy).status == 0)
        kill(run.processIdentifier, SIGKILL)
        try await ended
        let ofCopy = try await crier.run("deliveries", "list", "--all", "--state", copy, "--format", "json")
        #expect(ofCopy.objects.count == 2)
        await origin.stop()
    }

    @Test func vacuumSaysWhatItGained() async throws {
        let crier = try crier()
        #expect(try await crier.run("vacuum").status == 66)
        try await crier.authorize()
        let vacuum = try await crier.run("vacuum")
        #expect(vacuum.status == 0 && vacuum.output.contains(" before, "))
        let lock = try RunLock(statePath: crier.statePath)
        #expect(try await crier.run("vacuum").status == 75)
        _ = consume lock
    }

    @Test(arguments: [["fetch"], ["simulate", "fetch", "news"]])
    func aStateIsReadThroughAfterARunThatWasKilled(command: [String]) async throws {
        let crier = try crier()
        try await crier.authorize()
        let numbers = 1...400
        try crier.folder.write(atomFeed(numbers), to: "feed.xml")
        try await crier.run("fetch", "--quiet")
        // A page of items, overwritten, which no run looks at by itself; nothing is left of a log.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: crier.statePath))
        bytes[bytes.count - 4096] = 0x77
        try bytes.write(to: URL(fileURLWithPath: crier.statePath))
        try crier.folder.write("4711\n", to: "crier.sqlite.lock")
        let run = try await crier.run(command)
        #expect(run.status == 65)
        #expect(run.errors.contains("is corrupt; it was set aside as "))
    }

    @Test func whatAnotherSourceToldIsSeenInWhyAndInTheDeliveries() async throws {
        let crier = try crier("unique: url")
        try crier.folder.write(
            try #require(crier.folder.read("crier.yaml"))
                + "\n  planet: {url: 'file://\(crier.folder.file("planet.xml"))', first: all, every: 1s}\n",
            to: "crier.yaml")
        try crier.folder.write(atomFeed(1...1), to: "planet.xml")
        try await crier.authorize()
        try await crier.run("fetch", "news")
        #expect(try await crier.run("fetch", "planet", "--quiet").output.isEmpty)
        #expect(try await crier.run("why", "planet").output.contains("suppressed"))
        #expect(try await crier.run("why", "planet").output.contains("told in news/urn:item:1"))
    }
}
