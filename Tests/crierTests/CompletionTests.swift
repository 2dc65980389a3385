import Foundation
import Testing

@testable import crier

/// What a shell offers for the names of the configuration: asked as the scripts do, and by bash itself.
@Suite struct CompletionTests {
    private static let config = """
        sinks: {desktop: , team: {kind: webhook, url: 'https://h.example/'}}
        digests: {morning: {at: '08:30'}}
        sources:
          news: {url: 'https://e.example/feed'}
          $(false): {url: 'https://e.example/other'}
          late: {url: 'https://e.example/late', enabled: false}
          broken: {url: 'https://e.example/broken', every: often}
          हिन्दी: {url: 'https://e.example/marks', enabled: false}
          👩🏽‍🚀❤️: {url: 'https://e.example/emoji', enabled: false}
        """

    private func offered(_ crier: BuiltCrier, _ command: String, _ argument: String, _ words: [String]) async throws
        -> [String]
    {
        let call = ["---completion"] + command.split(separator: " ").map(String.init)
        let run = try await crier.run(
            call + ["--", argument, "\(words.count - 1)", "\(words.last?.count ?? 0)"] + words)
        #expect(run.status == 0)
        #expect(run.errors == "")
        return run.lines
    }

    @Test func namesOfTheConfigurationAreOffered() async throws {
        let crier = try BuiltCrier(Self.config)
        let before = try FileManager.default.contentsOfDirectory(atPath: crier.folder.path)
        for command in ["fetch", "why", "simulate fetch", "simulate expire"] {
            #expect(try await offered(crier, command, "positional@0", ["crier", command, ""]) == ["news"])
        }
        for command in ["remove", "try", "log"] {
            let names = try await offered(crier, command, "positional@0", ["crier", command, ""])
            #expect(names == ["news", "late", "broken", "हिन्दी", "👩🏽‍🚀❤️"])
        }
        let words = ["crier", "deliveries", "list", "--source", ""]
        #expect(try await offered(crier, "deliveries list", "--source", words).count == 5)
        #expect(
            try await offered(crier, "sink test", "positional@0", ["crier", "sink", "test", ""]) == ["desktop", "team"])
        #expect(try await offered(crier, "digest", "positional@0", ["crier", "digest", ""]) == ["morning"])
        #expect(try await offered(crier, "install", "--digest", ["crier", "install", "--digest", ""]) == ["morning"])
        let after = try FileManager.default.contentsOfDirectory(atPath: crier.folder.path)
        #expect(Set(after.filter { !$0.hasPrefix("output-") && !$0.hasPrefix("errors-") }) == Set(before))
    }

    @Test func theFileThatIsTypedIsTheOneThatIsRead() async throws {
        var crier = try BuiltCrier()
        try crier.folder.write("sources: {other: {url: 'https://e.example/'}}", to: "other.yaml")
        let path = crier.folder.file("other.yaml")
        #expect(try await offered(crier, "fetch", "positional@0", ["crier", "fetch", ""]) == [])
        crier.environment["HOME"] = crier.folder.path
        for option in [
            ["--config", path], ["--config=\(path)"], ["--config", "=", path], ["--config", "~/other.yaml"],
        ] {
            #expect(try await offered(crier, "fetch", "positional@0", ["crier", "fetch"] + option + [""]) == ["other"])
        }
    }

    @Test func whatCannotBeReadOffersNothing() async throws {
        for config in ["sources: [", "sinks: []", "\u{0}"] {
            let crier = try BuiltCrier(config)
            for (command, argument) in [("fetch", "positional@0"), ("remove", "positional@0"), ("add", "--to")] {
                #expect(try await offered(crier, command, argument, ["crier", command, ""]) == [])
            }
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "needs bash"))
    func bashOffersThem() async throws {
        let crier = try BuiltCrier(Self.config)
        try crier.folder.write(try await crier.run("completion", "bash").output, to: "completion")
        let script = """
            . "$0/completion"
            COMP_WORDS=("$1" remove la) COMP_CWORD=2 COMP_LINE="$1 remove la" COMP_POINT=${#COMP_LINE}
            _crier "$1" la remove
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let link = crier.folder.file("crier")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: BuiltCrier.binary)
        for (typed, path) in [
            (BuiltCrier.binary, "/no"), ("~/crier", "/no"), ("$HOME/crier", crier.folder.path),
            ("\\crier", crier.folder.path), ("/no/crier", "/no"),
        ] {
            let run = try await crier.run(["--norc", "-c", script, crier.folder.path, typed]) {
                $0.executableURL = URL(fileURLWithPath: "/bin/bash")
                $0.environment?["HOME"] = crier.folder.path
                $0.environment?["PATH"] = path
            }
            #expect(run.lines == (typed == "/no/crier" ? [] : ["late"]) && run.errors == "", "\(typed): \(run)")
        }
    }

    @Test func eachScriptFindsTheProgramThatIsTyped() async throws {
        let crier = try BuiltCrier()
        for (shell, program) in [
            ("bash", #"{ "${COMP_WORDS[0]/#\~\//${HOME}/}" "${@}" "${words[@]}" || crier "#),
            ("zsh", #"$({ "${(Q)command_name/#\~\//${HOME}/}" "${@}" "${command_line[@]}" || crier "#),
        ] {
            let script = try await crier.run("completion", shell).output
            #expect(script.ranges(of: program).count == 1)
        }
    }

    @Test func whatItsHelpSaysWorksInANewHome() async throws {
        let crier = try BuiltCrier()
        let link = crier.folder.file("bin/crier")
        try crier.folder.write("", to: "bin/other")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: BuiltCrier.binary)
        let discussion = Discussion(Completion.configuration.discussion)
        for case .example(let lines) in discussion.blocks {
            let run = try await crier.run(["-c", lines.joined(separator: "\n")]) {
                $0.executableURL = URL(fileURLWithPath: "/bin/sh")
                $0.environment?["HOME"] = crier.folder.path
                $0.environment?["PATH"] = "\(crier.folder.file("bin")):/usr/bin:/bin"
            }
            #expect(run.status == 0 && run.errors == "", "\(run)")
        }
        for file in [
            ".local/share/bash-completion/completions/crier", ".zfunc/_crier", ".config/fish/completions/crier.fish",
        ] {
            #expect(FileManager.default.fileExists(atPath: crier.folder.file(file)))
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "needs bash"))
    func bashOffersTheWordsThatOptionsOfAddTake() async throws {
        let crier = try BuiltCrier()
        try crier.folder.write(try await crier.run("completion", "bash").output, to: "completion")
        let script = """
            . "$0/completion"
            COMP_WORDS=("$1" add "$2" "") COMP_CWORD=3 COMP_LINE="$1 add $2 " COMP_POINT=${#COMP_LINE}
            _crier "$1" "" "$2"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        for (option, words) in [
            ("--notify", ["each", "daily", "none"]), ("--first", ["latest", "none", "all"]),
            ("--level", ["passive", "active", "time-sensitive", "critical"]), ("--dates", ["declared", "local"]),
            ("--read", ["auto", "rss", "atom", "rdf", "json-feed", "json", "html", "xml"]),
        ] {
            let run = try await crier.run(["--norc", "-c", script, crier.folder.path, BuiltCrier.binary, option]) {
                $0.executableURL = URL(fileURLWithPath: "/bin/bash")
            }
            #expect(run.lines == words && run.errors == "", "\(option): \(run)")
        }
    }
}
