import CrierStore
import CrierTesting
import Foundation
import Testing

@Suite struct DigestCommandTests {
    private static let day = 86_400.0

    /// A digest that was seen, over a feed of three items that wait for it.
    private func waiting(_ more: String = "", sinks: String = "") async throws -> BuiltCrier {
        var crier = try BuiltCrier("")
        let feed = try crier.folder.write(atomFeed(1...3), to: "feed.xml")
        let heard = crier.folder.file("heard.jsonl")
        try crier.folder.write(
            """
            time-zone: Europe/Berlin
            sinks: {heard: {kind: file, path: '\(heard)'}\(sinks)}
            digests:
              morning: {at: "08:30", \(more)}
            sources:
              news: {url: 'file://\(feed)', first: all, notify: none, every: 1s}
            """, to: "crier.yaml")
        try await crier.authorize()
        #expect(try await crier.run("fetch").status == 0)
        crier.environment["CRIER_CLOCK_OFFSET"] = "\(Self.day)"
        return crier
    }

    private func heard(_ crier: BuiltCrier) -> [String] {
        let text = (try? String(contentsOfFile: crier.folder.file("heard.jsonl"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    @Test func whatWaitsForADigestThatIsGoneIsSaid() async throws {
        let crier = try await waiting()
        let config = try #require(crier.folder.read("crier.yaml"))
        let digests = try #require(config.range(of: "digests:\n.*\n", options: .regularExpression))
        try crier.folder.write(config.replacingCharacters(in: digests, with: ""), to: "crier.yaml")
        let words = "3 items wait for the digest morning"
        #expect(try await crier.run("digest").errors.contains(words))
        #expect(try await crier.run("status").output.contains(words))
        try crier.folder.write(config, to: "crier.yaml")
        #expect(try await !crier.run("status").output.contains(words))
    }

    @Test func issuesOfDaysOnWhichItWasMutedComeAsOne() async throws {
        var crier = try await waiting()
        try await crier.run("mute", "9d")
        for day in 1...3 {
            crier.environment["CRIER_CLOCK_OFFSET"] = "\(Double(day) * Self.day)"
            try crier.folder.write(atomFeed(1...3 + day), to: "feed.xml")
            #expect(try await crier.run("fetch").status == 0)
        }
        #expect(heard(crier) == [])
        #expect(try await crier.run("status", "--format", "json").objects.last?["pending"] as? Int == 1)
        try await crier.run("unmute")
        #expect(try await crier.run("fetch").status == 0)
        #expect(heard(crier).count == 1 && heard(crier)[0].contains("6 new items"), "\(heard(crier))")
        let told = try await crier.run("deliveries", "list", "--in", "suppressed").output
        #expect(told.split(separator: "\n").count { $0.contains("told in digest/morning/") } == 2, "\(told)")
    }

    @Test func whatWaitsForADigestThatIsRenamedComesWithItsNextIssue() async throws {
        let crier = try await waiting()
        let config = try #require(crier.folder.read("crier.yaml"))
        try crier.folder.write(config.replacingOccurrences(of: "morning:", with: "evening:"), to: "crier.yaml")
        #expect(try await crier.run("digest", "evening", "--preview").output.contains("3 new items"))
        #expect(try await !crier.run("status").output.contains("digest"))
        #expect(try await crier.run("fetch").status == 0)
        #expect(heard(crier).count == 1 && heard(crier)[0].contains("3 new items"))
        #expect(try await crier.run("digest", "evening", "--last").output.contains("3 new items"))
        try crier.folder.write(config, to: "crier.yaml")
        _ = try await crier.run("digest", "morning", "--now")
        #expect(heard(crier).count == 1)
    }

    @Test func aNameThatComesBackIsANewDigestWhichTakesOverWhatWaits() async throws {
        let crier = try await waiting()
        let source = try #require(try await crier.run("status", "--format", "json").objects.first)
        #expect(source["lastNotified"] is NSNull)
        try await crier.run("digest", "morning", "--now")
        let told = try #require(try await crier.run("status", "--format", "json").objects.first)
        #expect(told["lastNotified"] is String, "what a digest has told was told")
        let config = try #require(crier.folder.read("crier.yaml"))
        try crier.folder.write(config.replacingOccurrences(of: "morning:", with: "evening:"), to: "crier.yaml")
        try crier.folder.write(atomFeed(1...5), to: "feed.xml")
        #expect(try await crier.run("fetch", "--force").status == 0)
        try crier.folder.write(config, to: "crier.yaml")
        try await crier.run("digest", "morning", "--now")
        #expect(heard(crier).count == 2 && heard(crier)[1].contains("2 new items"), "\(heard(crier))")
        #expect(try await crier.run("digest").errors.isEmpty)
    }

    @Test func anAgentIssuesInTheLanguageOfTheLocale() async throws {
        var crier = try await waiting()
        crier.environment["XDG_RUNTIME_DIR"] = crier.folder.file("run")
        crier.environment["LANG"] = "zh_CN.UTF-8"
        let agent = try RunningCommand(crier, "agent")
        try await agent.says("raised")
        #expect(await agent.end() == 0)
        #expect(heard(crier).count == 1 && heard(crier)[0].contains("3 条新内容"))
    }

    @Test func aFetchIssuesWhatIsDueAndNothingTwice() async throws {
        let crier = try await waiting()
        #expect(heard(crier).isEmpty)
        #expect(try await crier.run("fetch").status == 0)
        #expect(heard(crier).count == 1 && heard(crier)[0].contains("3 new items"))
        _ = try await crier.run("fetch")
        _ = try await crier.run("digest", "morning")
        #expect(heard(crier).count == 1)
    }

    @Test func aFetchIssuesWhatIsDueAlsoWhereAllSourcesAreDisabled() async throws {
        let crier = try await waiting()
        let config = try #require(crier.folder.read("crier.yaml"))
        try crier.folder.write(config.replacingOccurrences(of: "every: 1s", with: "enabled: false"), to: "crier.yaml")
        #expect(try await crier.run("fetch", "--dry-run").status == 78, "it issues none")
        #expect(try await crier.run("fetch", "--scheduled", "--quiet").status == 0)
        #expect(heard(crier).count == 1 && heard(crier)[0].contains("3 new items"))
        #expect(try await crier.run("fetch", "--scheduled", "--exit-code").status == 10)
        #expect(try await crier.run("fetch").status == 78)
    }

    @Test func aPreviewMarksNothing() async throws {
        let crier = try await waiting()
        let preview = try await crier.run("digest", "morning", "--preview")
        #expect(preview.output.contains("3 new items") && preview.output.contains("Item 2"))
        let json = try await crier.run("digest", "morning", "--preview", "--format", "json")
        #expect(json.objects.first?["count"] as? Int == 3)
        #expect(
            try await crier.run("digest", "morning", "--preview", "--format", "html").output.hasPrefix(
                "<!DOCTYPE html>"))
        #expect(
            try await crier.run("digest", "morning", "--preview", "--format", "markdown").output.hasPrefix("# morning"))
        #expect(heard(crier).isEmpty)
        #expect(try await crier.run("digest", "--format", "json").objects.first?["waiting"] as? Int == 3)
        #expect(try await crier.run("digest", "morning").status == 0)
        #expect(heard(crier).count == 1)
        #expect(try await crier.run("digest", "morning", "--preview").output.contains("Nothing new"))
    }

    @Test func aConditionThatFailsIsSaid() async throws {
        let crier = try await waiting("only: '.title | error(\"y\")'")
        for way in [["--preview"], ["--since", "2020-01-01"], ["--now"]] {
            let run = try await crier.run(["digest", "morning"] + way)
            let words = "items of the digest morning could not be judged and are told, Item "
            #expect(run.errors.contains("crier: \(words)") && run.errors.contains(" and 2 more: y\n"), "\(run)")
        }
        #expect(heard(crier).count == 1 && heard(crier)[0].contains("3 new items"))
    }

    @Test func whereADigestCannotBeIssuedTheConfigurationIsWrong() async throws {
        let crier = try await waiting("only: '.['")
        for arguments in [["fetch"], ["fetch", "--scheduled", "--quiet"]] {
            let run = try await crier.run(arguments)
            #expect(run.status == 78 && run.errors.contains("the digest morning could not be issued: jq: "), "\(run)")
        }
        #expect(heard(crier).isEmpty)
    }

    @Test func theLastIssueAndADayCanBeLookedAt() async throws {
        let crier = try await waiting("max: 2")
        #expect(try await crier.run("digest", "morning", "--last").errors.contains("was never issued"))
        _ = try await crier.run("digest", "morning", "--now")
        let last = try await crier.run("digest", "morning", "--last")
        #expect(last.output.contains("3 new items") && last.output.contains("and 1 more"))
        #expect(try await crier.run("digest", "morning", "--since", "2020-01-01").output.contains("3 new items"))
        #expect(try await crier.run("digest", "morning", "--since", "2099-01-01").output.contains("Nothing new"))
        let list = try await crier.run("digest").output
        #expect(list.contains("morning") && list.contains("NEXT ISSUE"))
        #expect(list.contains(" 08:30:00+0"), "in the zone of the digest")
    }

    @Test(arguments: CrashPoint.allCases.filter { $0.rawValue.hasPrefix("digest") })
    func aKilledIssueIsMadeUpForByTheNextRun(_ point: CrashPoint) async throws {
        let crier = try await waiting()
        var killed = crier
        killed.environment["CRIER_CRASH_AT"] = point.rawValue
        #expect(try await killed.run("fetch").status == SIGKILL)
        #expect(heard(crier).isEmpty)
        #expect(try await crier.run("fetch").status == 0)
        #expect(heard(crier).count == 1 && heard(crier)[0].contains("3 new items"))
        _ = try await crier.run("fetch")
        #expect(heard(crier).count == 1)
    }

    /// The lock lets one run issue, and whoever comes later finds nothing that is due.
    @Test func ofRunsAtTheSameTimeOneIssues() async throws {
        let crier = try await waiting()
        let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
            for number in 0..<6 {
                group.addTask {
                    try await crier.run(number.isMultiple(of: 2) ? ["digest", "morning"] : ["fetch"]).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.contains(0) && statuses.allSatisfy { [0, 75].contains($0) })
        #expect(heard(crier).count == 1 && heard(crier)[0].contains("3 new items"))
    }

    @Test func oneThatIsNeverDueAgainSaysSo() async throws {
        let crier = try await waiting()
        let config = try #require(crier.folder.read("crier.yaml"))
        try crier.folder.write(config.replacing("at: \"08:30\"", with: "at: 2001-01-01 08:30"), to: "crier.yaml")
        #expect(
            try await crier.run("digest", "morning").errors
                == "morning is never due again; --now issues it at once, --preview shows what waits.\n")
        #expect(heard(crier).isEmpty)
    }

    @Test func aQuietRunSaysNothingAlsoWhereAnotherIsAtWork() async throws {
        let crier = try await waiting()
        #expect(try await crier.run("digest", "morning", "--quiet").status == 0)
        #expect(heard(crier).count == 1)
        let again = try await crier.run("digest", "morning", "--quiet")
        #expect(again.status == 0 && again.output + again.errors == "")
        #expect(try await crier.run("digest", "morning").errors.hasPrefix("morning is not due: the next issue is on "))
        let lock = try RunLock(statePath: crier.statePath)
        let locked = try await crier.run("digest", "morning", "--quiet")
        #expect(locked.status == 75 && locked.output + locked.errors == "")
        #expect(try await crier.run("digest", "morning").errors.contains("another crier run is at work"))
        _ = consume lock
    }

    #if os(Linux)
        @Test func anIssueThatCannotBePrintedIsAFailure() async throws {
            let crier = try await waiting("to: [stdout]", sinks: ", stdout: {}")
            let run = try await crier.run(shell: "exec \"$0\" digest morning --now > /dev/full")
            #expect(run.status == 74)
            #expect(run.errors.contains("stdout: 1 not delivered yet: the output cannot be written"))
        }
    #endif

    @Test(arguments: [
        (["TERM": "dumb"], false), (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": "1"], false),
        (["TERM": "xterm", "NO_COLOR": ""], true), (["TERM": ""], false), ([:], false),
    ])
    func aTerminalThatKnowsNoColoursGetsNone(_ variables: [String: String], _ isColoured: Bool) async throws {
        var crier = try await waiting()
        for name in ["TERM", "NO_COLOR"] { crier.environment[name] = variables[name] }
        let terminal = try PseudoTerminal()
        let process = crier.process(["digest", "morning", "--preview"])
        process.standardOutput = terminal.slave
        process.standardError = FileHandle.nullDevice
        try await process.runToEnd()
        #expect(terminal.screen().contains("\u{1b}[") == isColoured)
    }

    @Test(arguments: [
        (["TERM": "xterm-kitty"], true), (["TERM": "xterm-256color", "VTE_VERSION": "7200"], true),
        (["TERM": "xterm-256color", "VTE_VERSION": "4999"], false), (["TERM": "xterm-256color"], false),
        (["TERM": "dumb", "VTE_VERSION": "7200"], false), (["TERM": "linux", "KONSOLE_VERSION": "230804"], false),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], true),
        (["TERM": "xterm-256color", "WT_SESSION": "1"], true),
        (["TERM": "screen-256color", "TERM_PROGRAM": "tmux"], false), (["TERM": "foot"], true), ([:], false),
    ])
    func titlesAreLinksWhereTheTerminalKnowsThem(_ variables: [String: String], _ isLinked: Bool) async throws {
        var crier = try await waiting()
        for name in [
            "TERM", "VTE_VERSION", "TERM_PROGRAM", "WT_SESSION", "KONSOLE_VERSION", "KITTY_WINDOW_ID", "NO_COLOR",
        ] {
            crier.environment[name] = variables[name]
        }
        let terminal = try PseudoTerminal()
        let process = crier.process(["digest", "morning", "--preview"])
        process.standardOutput = terminal.slave
        process.standardError = FileHandle.nullDevice
        try await process.runToEnd()
        let screen = terminal.screen()
        #expect(screen.contains("\u{1b}]8;;https://e.example/2\u{1b}\\Item 2\u{1b}]8;;\u{1b}\\") == isLinked)
        #expect(screen.contains("    https://e.example/2\r\n") == !isLinked)
        let piped = try await crier.run("digest", "morning", "--preview").output
        #expect(!piped.contains("\u{1b}") && piped.contains("    https://e.example/2\n"))
    }

    /// The page that a click opens is the one that `--last` shows.
    @Test(.enabled(if: DesktopSession.isPossible, "needs dunst, Xvfb, dbus-run-session, libnotify-bin"))
    func onTheDesktopAClickOpensThePage() async throws {
        var crier = try await waiting("to: [desktop], images: true", sinks: ", desktop: {timeout: 1h}")
        let opened = crier.folder.file("opened")
        try crier.folder.write("#!/bin/sh\necho \"$1\" > '\(opened)'\n", to: "bin/xdg-open", isExecutable: true)
        try #require(mkfifo(opened, 0o600) == 0)
        _ = try await DesktopSession.run(in: crier.folder) { session in
            crier.environment.merge(session.variables) { $1 }
            crier.environment["PATH"] = "\(crier.folder.file("bin")):\(session.variables["PATH"] ?? "")"
            crier.environment["XDG_STATE_HOME"] = crier.folder.file("state")
            #expect(try await crier.run("digest", "morning").status == 0)
            var path = ""
            try await withProgram("cat", [opened]) { reader in
                try await session.click()
                path = try await reader.firstLine()
            }
            #expect(path.hasPrefix(crier.folder.file("state/crier/pages/")))
            let html = try await crier.run("digest", "morning", "--last", "--format", "html").output
            #expect(try String(contentsOfFile: path, encoding: .utf8) == html && html.contains("Item 2"))
        }
    }

    @Test func withoutPermissionItWaits() async throws {
        let crier = try await waiting()
        _ = try await crier.run("authorize", "--reset")
        let outcome = try await crier.run("digest", "morning")
        #expect(outcome.status == 77 && heard(crier).isEmpty)
        #expect(outcome.errors == "crier: 1 notification waits for your permission: run `crier authorize`\n")
        let again = try await crier.run("digest", "morning", "--now")
        #expect(again.errors == "Nothing new waits for morning.\n\(outcome.errors)")
        try await crier.authorize()
        _ = try await crier.run("fetch")
        #expect(heard(crier).count == 1)
    }

    @Test func whatBecomesOfAnIssueIsSaid() async throws {
        let crier = try await waiting()
        #expect(try await crier.run("digest", "morning", "--now").errors == "Raised 1 notification (heard).\n")
        for (word, last, state) in [
            ("--deny", 4, "1 recorded and not raised: "), ("--allow", 5, "1 waits until it is no longer quiet: "),
        ] {
            try crier.folder.write(atomFeed(1...last), to: "feed.xml")
            try await crier.run("fetch", "--force", "--quiet")
            try await crier.run("authorize", word)
            try await crier.run("mute", "1h")
            let run = try await crier.run("digest", "morning", "--now")
            #expect(run.status == 0 && run.errors.contains(state), "\(run)")
            #expect(heard(crier).count == 1)
        }
    }

    @Test func wrongUsageSaysWhatWouldBeRight() async throws {
        let crier = try await waiting()
        let unknown = try await crier.run("digest", "mornign")
        #expect(unknown.status == 64 && unknown.errors.contains(#"did you mean "morning"?"#))
        #expect(try await crier.run("digest", "x1").errors.contains(#"no digest is called "x1"; there is "morning""#))
        #expect(try await crier.run("digest", "--preview").status == 64)
        #expect(try await crier.run("digest", "morning", "--last", "--preview").status == 64)
        #expect(try await crier.run("digest", "morning", "--since", "yesterday").status == 64)
        #expect(try await crier.run("digest", "morning", "--since", "2026-02-30").status == 64)
        for arguments in [["morning"], ["morning", "--now"], []] {
            let html = try await crier.run(["digest"] + arguments + ["--format", "html"])
            #expect(html.status == 64 && html.errors.contains("--preview"))
        }
        #expect(heard(crier).isEmpty)
    }

    /// The shapes of the API: categories in an order of their own, pictures in an array, and an item without one.
    @Test func theGankEditionHasADayByCategory() async throws {
        var crier = try BuiltCrier("")
        func item(_ id: String, _ type: String, _ desc: String, _ url: String, _ more: String = "") -> String {
            """
            {"_id":"\(id)","createdAt":"2017-05-11T10:31:36.254Z","desc":"\(desc)","publishedAt":"2017-05-11T12:03:09.581Z",
            "source":"chrome","type":"\(type)","url":"\(url)","used":true,"who":null\(more)}
            """
        }
        let android = item(
            "1", "Android", "找到阻碍你 Android App 性能的罪魁祸首！\\n ", "https://github.com/x/1",
            #","images":["http://img.gank.io/7"]"#)
        let second = item("2", "Android", "第二条", "https://github.com/x/2")
        let girl = item("3", "福利", "5-11", "https://img.gank.io/girl.jpg")
        let ios = item("4", "iOS", "四", "https://github.com/x/4")
        let api = try crier.folder.write(
            """
            {"category":["iOS","Android","福利"],"error":false,
            "results":{"Android":[\(android),\(second)],"iOS":[\(ios)],"福利":[\(girl)]}}
            """, to: "today.json")
        let ready = try Checkout.read("config/gank-digest.yaml")
        try crier.folder.write(ready.replacing("https://gank.io/api/today", with: "file://\(api)"), to: "crier.yaml")
        #expect(try await crier.run("fetch").status != 78)
        let page = try #require(
            try await crier.run("digest", "gank-daily", "--preview", "--format", "json").objects.first)
        let groups = try #require(page["groups"] as? [[String: Any]])
        #expect(groups.map { $0["title"] as? String } == ["iOS", "Android", "福利"])
        let items = groups.map { ($0["items"] as? [[String: Any]]) ?? [] }
        #expect(items[1].map { $0["title"] as? String } == ["找到阻碍你 Android App 性能的罪魁祸首！", "第二条"])
        #expect(items[2].first?["image"] as? String == "https://img.gank.io/girl.jpg")
        #expect(items[0].first?["published"] as? String == "2017-05-11T04:03:09Z")
        #expect(page["summary"] as? String == "4 条新内容")
        let html = try await crier.run("digest", "gank-daily", "--preview", "--format", "html").output
        #expect(html.contains(#"<img src="https://img.gank.io/girl.jpg""#))
        crier.environment["CRIER_CLOCK_OFFSET"] = "\(4 * Self.day)"
        #expect(try await crier.run("fetch").status != 78)
        #expect(try await crier.run("digest", "gank-daily", "--last").output.contains("4 条新内容"))
    }
}
