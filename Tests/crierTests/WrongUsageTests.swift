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

    @Test func aSlipInANameIsToldAndThePastIsNoSlip() async throws {
        let crier = try BuiltCrier("sources: {news: {url: 'file:///no/such/feed'}, off: {url: 'x:'}}\n")
        #expect(
            try await crier.run("log", "nwes").errors
                == "crier: no source is called \"nwes\"; did you mean \"news\"?\n")
        #expect(
            try await crier.run("deliveries", "list", "--sink", "stdot").errors
                == "crier: no sink is called \"stdot\"; did you mean \"stdout\"?\n")
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
    ])
    func aCommandThatThereIsNotIsNamed(arguments: [String], words: String) async throws {
        let run = try await BuiltCrier(config).run(arguments)
        #expect(run.status == 64 && run.output.isEmpty)
        #expect(run.errors.hasPrefix("Error: \(words)"), "\(run.errors)")
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
