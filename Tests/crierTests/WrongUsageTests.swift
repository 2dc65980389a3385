import CrierTesting
import Foundation
import Testing

@Suite struct WrongUsageTests {
    private let config = "sources:\n  news: {url: 'file:///no/such/feed'}\n"

    @Test(arguments: [
        ["frobnicate"], ["fetch", "--format", "xml"], ["deliveries", "retry"], ["sink", "test", "nowhere"],
        ["why", "nobody"], ["log", "nobody"], ["deliveries", "list", "--source", "nobody"],
        ["deliveries", "list", "--sink", "nowhere"], ["install"],
    ])
    func is64(arguments: [String]) async throws {
        #expect(try await BuiltCrier(config).run(arguments).status == 64)
    }

    @Test(arguments: [
        ["fetch", "--nope\u{1b}[2J"], ["fetch", "--format", "\u{1b}[31mx"], ["simulate", "--days", "\u{9b}31m"],
        ["check", "\u{1b}]0;title\u{7}"], ["mute", "--\u{1b}[2J"], ["fetch", "\u{1b}[31mx"],
    ])
    func noArgumentSteersTheTerminal(arguments: [String]) async throws {
        let run = try await BuiltCrier(config).run(arguments)
        #expect(run.status == 64 && !run.errors.isEmpty)
        let controls = run.errors.unicodeScalars.filter { $0 != "\n" && $0.properties.generalCategory == .control }
        #expect(controls.isEmpty && run.output.isEmpty, "\(run)")
    }

    /// It would name another file.
    @Test(arguments: ["fetch --config", "export"]) func anArgumentThatIsNotUTF8IsRefused(command: String) async throws {
        let crier = try BuiltCrier(config)
        let process = crier.process(["-c", "exec \"$0\" \(command) \"$(printf 'o\\351')\"", BuiltCrier.binary])
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let said = try await withTaskExecutorPreference(OwnThreads.shared) { () async throws in
            try errors.fileHandleForReading.readToEnd() ?? Data()
        }
        await process.end()
        #expect(process.terminationStatus == 64)
        #expect(String(decoding: said, as: UTF8.self) == "crier: the argument \"o\u{FFFD}\" is not UTF-8\n")
    }

    @Test func aPlaceInTheEnvironmentThatIsNotUTF8IsRefused() async throws {
        let crier = try BuiltCrier(config)
        let process = crier.process(["-c", "CRIER_STATE=\"$(printf '/o\\351')\" exec \"$0\" status", BuiltCrier.binary])
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try await process.runToEnd()
        #expect(process.terminationStatus == 64)
    }

    @Test(arguments: [
        (["--config", "c.yaml", "check"], "--config stands behind the command: `crier check --config …`"),
        (
            ["--config", "status", "sink", "test", "x"],
            "--config stands behind the command: `crier sink test --config …`"
        ),
        (["--state=s.sqlite", "list"], "--state stands behind the command: `crier list --state …`"),
        (["--state=s.sqlite"], "--state stands behind the command: `crier COMMAND --state …`"),
    ])
    func whatHoldsForAllCommandsStandsBehindThem(arguments: [String], words: String) async throws {
        let run = try await BuiltCrier(config).run(arguments)
        #expect(run.status == 64 && run.errors.hasPrefix("Error: \(words)\nUsage: "))
        #expect(try await BuiltCrier(config).run("--version").status == 0)
        #expect(!(try await BuiltCrier(config).run(arguments + ["--help"]).errors.contains("stands behind")))
    }

    @Test func ofManyNamesAFewAreTold() async throws {
        let sources = (10..<24).map { "  source\($0): {url: 'file:///no/such/feed'}\n" }.joined()
        let text = "digests: {d: {at: '08:00', sources: [other]}}\nsources:\n\(sources)"
        let crier = try BuiltCrier(text)
        #expect(
            try await crier.run("check").errors.contains(
                "there is no source \"other\"; expected source10, source11, source12, source13, source14, source15, "
                    + "source16, source17, source18, source19, source20, source21 or one of 2 more\n"))
        let sinks = (10..<24).map { "sink\($0): {kind: stdout}" }.joined(separator: ", ")
        let test = try await BuiltCrier("sinks: {\(sinks)}\n").run("sink", "test", "other")
        #expect(test.errors.hasSuffix(", \"sink20\", \"sink21\" and 2 more\n"))
    }

    @Test(arguments: [
        (["deliveries", "list", "--in", "dead", "--all"], "--all lists those in every state: leave it out, or --in"),
        (
            ["parse", "x", "--read", "rss", "--field", "title=.a"],
            "--items and --field need --read json, html or xml: a feed says itself where its items are"
        ),
        (
            ["try", "https://h/", "--read", "atom", "--when", ".a"],
            "--when is for JSON documents: --read json or json-feed"
        ),
        (["deliveries", "list", "--limit", "0"], "--limit must be at least 1"),
        (["digest", "--format", "markdown"], "--format markdown shows a digest: say --preview, --last or --since too"),
        (["parse", "x", "--field", "title"], "--field takes NAME=EXPRESSION"),
    ])
    func optionsThatWouldBeLeftOutAreRefused(arguments: [String], words: String) async throws {
        let run = try await BuiltCrier("").run(arguments)
        #expect(run.status == 64 && run.errors.contains(words), "\(run.errors)")
    }

    @Test(arguments: [
        (["log", "--lines", "-3"], "--lines takes a number from 1 to 1000000"),
        (["deliveries", "list", "--limit", "-1"], "--limit must be at least 1"),
        (["background", "--minimum-interval", "-5m"], "`--minimum-interval=-5m`"),
    ])
    func whatIsWrongWithANegativeValueIsTold(arguments: [String], words: String) async throws {
        let run = try await BuiltCrier("").run(arguments)
        #expect(run.status == 64 && run.errors.contains(words) && !run.errors.contains("Missing"), "\(run.errors)")
    }

    @Test func optionsThatSayNothingOfADocumentAreTold() async throws {
        let crier = try BuiltCrier("")
        let feed = try crier.folder.write(atomFeed(1...1), to: "feed.xml")
        let mapped = try await crier.run("parse", feed, "--field", "title=x")
        #expect(mapped.status == 0 && mapped.errors.contains("--items and --field need --read json, html or xml"))
        let tried = try await crier.run("try", "file://\(feed)", "--when", ".a")
        #expect(tried.status == 0 && tried.errors.contains("--when is for JSON documents"), "\(tried.errors)")
    }

    @Test func aSlipInANameIsToldAndThePastIsNoSlip() async throws {
        let crier = try BuiltCrier("sources: {news: {url: 'file:///no/such/feed'}, off: {url: 'x:'}}\n")
        #expect(
            try await crier.run("log", "nwes").errors
                == "crier: no source is called \"nwes\"; did you mean \"news\"?\n")
        #expect(
            try await crier.run("deliveries", "list", "--sink", "stdot").errors
                == "crier: no sink is called \"stdot\"; did you mean \"stdout\"?\n")
        let sink = try await crier.run("sink", "test", "nosuch")
        #expect(sink.status == 64 && sink.errors.hasSuffix("no sink is called \"nosuch\"; there is \"stdout\"\n"))
        #expect(try await crier.run("log", "off").status == 0, "left out because of its mistake")
        try await crier.run("fetch", "news")
        try crier.folder.write("sources: {other: {url: 'file:///no/such/feed'}}\n", to: "crier.yaml")
        #expect(try await crier.run("log", "news").output.contains("news: visited"))
        #expect(try await crier.run("deliveries", "list", "--source", "news").status == 0)
    }

    @Test(arguments: [
        (["fetchh"], "there is no command `crier fetchh`; did you mean `crier fetch`?"),
        (["hlep"], "there is no command `crier hlep`; did you mean `crier help`?"),
        (["help", "frobnicate"], "there is no command `crier frobnicate`\n"),
        (["help", "sink", "tset"], "there is no command `crier sink tset`; did you mean `crier sink test`?"),
        (["sink", "tset"], "there is no command `crier sink tset`; did you mean `crier sink test`?"),
        (["deliveries", "lst"], "there is no command `crier deliveries lst`; did you mean `crier deliveries list`?"),
        (
            ["deliveries", "shw", "1"],
            "there is no command `crier deliveries shw`; did you mean `crier deliveries show`?"
        ),
        (["simulate", "fech", "b"], "there is no command `crier simulate fech`; did you mean `crier simulate fetch`?"),
        (["help", "deliveries", "bogus"], "there is no command `crier deliveries bogus`\n"),
    ])
    func aCommandThatThereIsNotIsNamed(arguments: [String], words: String) async throws {
        let run = try await BuiltCrier(config).run(arguments)
        #expect(run.status == 64 && run.output.isEmpty)
        #expect(run.errors.hasPrefix("Error: \(words)"), "\(run.errors)")
        let group = arguments.filter { ["sink", "deliveries", "simulate"].contains($0) }
        let path = (["crier"] + group).joined(separator: " ")
        #expect(run.errors.contains("\nUsage: \(path) <subcommand>\n  See '\(path) --help' "), "\(run.errors)")
    }

    @Test(arguments: [
        (["add", "-x"], "-x", "crier add"), (["add", "--name", "a", "--bogus"], "--bogus", "crier add"),
        (["add", "--bogus=1"], "--bogus", "crier add"),
        (["add", "https://e.example/", "--bogus"], "--bogus", "crier add"),
        (["deliveries", "show", "-x"], "-x", "crier deliveries show"),
        (["deliveries", "show", "-5"], "-5", "crier deliveries show"), (["parse", "-5"], "-5", "crier parse"),
    ])
    func anOptionThatThereIsNotIsNamedAlsoWhereAnArgumentIsMissing(
        arguments: [String], option: String, path: String
    ) async throws {
        let run = try await BuiltCrier(config).run(arguments)
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("Error: Unknown option '\(option)'\nUsage: \(path) ["), "\(run.errors)")
        #expect(run.errors.hasSuffix("\n  See '\(path) --help' for more information.\n"), "\(run.errors)")
    }

    @Test func anArgumentIsMissedWhereAllOptionsAreKnownAndHelpIsShownWhereItIsAskedFor() async throws {
        let crier = try BuiltCrier(config)
        for arguments in [["add"], ["add", "--no-visit"], ["add", "--name", "a", "--"]] {
            let run = try await crier.run(arguments)
            #expect(run.status == 64)
            #expect(run.errors.hasPrefix("Error: Missing expected argument '<url>'\n"), "\(run.errors)")
        }
        for arguments in [["add", "-h"], ["add", "-x", "--help"], ["deliveries", "show", "--help"]] {
            let run = try await crier.run(arguments)
            #expect(run.status == 0 && run.output.hasPrefix("OVERVIEW: "), "\(run.errors)")
        }
        #expect(try await crier.run("deliveries", "show", "--", "-5").errors == "crier: there is no delivery -5\n")
        #expect(try await crier.run("deliveries", "--all").status == 0)
    }

    @Test(arguments: [
        ["help"], ["help", "help"], ["help", "--help"], ["help", "sink", "test"], ["sink", "--help"],
        ["help", "add", "https://e.example/"], ["help", "background", "on"], ["help", "sink", "test", "log"],
    ])
    func helpOnWhatThereIsIsShown(arguments: [String]) async throws {
        let run = try await BuiltCrier(config).run(arguments)
        #expect(run.status == 0 && run.output.hasPrefix("OVERVIEW: "), "\(run.errors)")
    }

    @Test func whatIsNoAddressIsNotTakenForOneOfTheWeb() async throws {
        let crier = try BuiltCrier(config)
        for (url, words) in [
            ("javascript:alert(1)", "\"javascript\" is no scheme that is read here"),
            ("http://[::1", "the address has a [ without a ]"), ("example.org:x/", "the address has a bad port"),
        ] {
            let run = try await crier.run("add", url)
            #expect(run.status == 64)
            #expect(run.errors.contains(words), "\(run.errors)")
        }
        for url in ["localhost:8080/feed", "me:word@example.org/feed"] {
            #expect(try await crier.run("add", url, "--no-visit", "--name", "x\(url.count)").status == 0)
        }
    }

    @Test(arguments: [
        "ftp://e.example/x", "http://127.0.0.1:99999/", "http://[zz]/", "http:///x", "http://me:se/cret@h:x/",
    ])
    func tryRefusesAnAddressInTheWordsOfAdd(url: String) async throws {
        let crier = try BuiltCrier(config)
        let added = try await crier.run("add", url)
        let tried = try await crier.run("try", url)
        #expect(added.status == 64 && tried.status == 64)
        #expect(tried.errors.hasPrefix("crier: “") && tried.errors == added.errors, "\(tried.errors)")
        #expect(!tried.errors.contains("cret"))
    }

    @Test(arguments: [
        ["backup", ""], ["export", ""], ["manual", ""], ["import", ""], ["parse", ""], ["check", "--config", ""],
        ["status", "--state", ""],
    ])
    func anEmptyPathIsNoFile(arguments: [String]) async throws {
        let run = try await BuiltCrier(config).run(arguments)
        #expect(run.status == 64)
        #expect(run.errors.contains("it is empty"), "\(run.errors)")
    }

    @Test(arguments: [
        (["--items", ".posts["], "--items: "), (["--items", "//a", "--field", "title=h2["], "--field title: "),
        (["--when", ".a |"], "--when: jq: syntax error"), (["--read", "html", "--items", ".posts[]"], "--items: "),
    ])
    func anExpressionThatDoesNotCompileIsSaidBeforeAnOriginIsAsked(options: [String], words: String) async throws {
        let origin = try await ScriptedOrigin()
        let crier = try BuiltCrier(config)
        for command in ["try", "add"] {
            let run = try await crier.run([command, origin.url("/api")] + options)
            #expect(run.status == 64)
            #expect(run.errors.contains(words), "\(run.errors)")
        }
        #expect(try await crier.run(["parse", crier.folder.file("crier.yaml")] + options).status == 64)
        #expect(await origin.requests.isEmpty)
        await origin.stop()
    }

    @Test func aConfigurationMayComeThroughAPipe() async throws {
        let crier = try BuiltCrier("sources: {a: {url: 'https://e.example/'}}\n")
        let script = "cat \"$1\" | \"$0\" list --config /dev/stdin && \"$0\" list --config <(cat \"$1\")"
        let run = try await crier.run([]) { process in
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
            process.arguments = ["-c", script, BuiltCrier.binary, crier.folder.file("crier.yaml")]
        }
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.components(separatedBy: "e.example").count == 3)
    }
}
