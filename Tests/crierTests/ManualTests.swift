import CrierAgent
import CrierTesting
import Foundation
import Testing

@testable import crier

@Suite("The manual says what the program says")
struct ManualTests {
    private func written(by crier: BuiltCrier) async throws -> [String] {
        let run = try await crier.run("manual", crier.folder.file("man"))
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        return try ["man1", "man5"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: crier.folder.file("man/\(folder)")).sorted()
                .map { "man/\(folder)/\($0)" }
        }
    }

    /// Foundation looks for it elsewhere.
    @Test func aRemovedWorkingFolderIsToldAsSuch() async throws {
        let crier = try BuiltCrier()
        let script = "mkdir \"$1\" && cd \"$1\" && rmdir \"$1\" && exec \"$0\" manual man"
        let run = try await crier.run(shell: script, [crier.folder.file("gone")])
        #expect(run.status == 74 && run.errors == "crier: cannot write to man: No such file or directory\n", "\(run)")
    }

    private func text(_ page: String, of crier: BuiltCrier) throws -> String {
        try String(contentsOfFile: crier.folder.file("man/man\(page.suffix(1))/\(page)"), encoding: .utf8)
    }

    @Test func everyCommandHasItsPageWithAllOfItsOptions() async throws {
        let crier = try BuiltCrier()
        let pages = try await written(by: crier)
        let root = try text("crier.1", of: crier)
        let commands = try #require(try CommandDescription.ofCrier().subcommands).filter { $0.commandName != "help" }
        #expect(pages.count == commands.count + 2)
        for command in commands {
            #expect(root.contains("\n\\fBcrier\\-\(command.commandName)(1)\\fR\n"))
            let page = try text("crier-\(command.commandName).1", of: crier)
            for part in [command] + (command.subcommands ?? []) {
                #expect(page.contains(Roff.text(part.abstract)))
                for name in (part.arguments ?? []).flatMap({ $0.names ?? [] }) where name.kind == "long" {
                    #expect(page.contains(Roff.bold("--\(name.name)")))
                }
            }
        }
        #expect(try text("crier-fetch.1", of: crier).contains("\n.SH \"EXIT STATUS\"\n0 also when nothing is new"))
        let simulate = try text("crier-simulate.1", of: crier)
        #expect(simulate.contains("\n\\fBcrier simulate launch\\fR: 0 done; 69 every visit failed"))
    }

    @Test func aUsageThatACommandHasOfItsOwnIsItsSynopsis() async throws {
        let crier = try BuiltCrier()
        _ = try await written(by: crier)
        let choice = "(\\fB\\-\\-agent\\fR | \\fB\\-\\-timer\\fR | \\fB\\-\\-cron\\fR)"
        #expect(
            try text("crier-install.1", of: crier).contains(
                "\n.SY \"crier install\"\n\(choice) [\\fB\\-\\-digest\\fR \\fIdigest\\fR] [\\fB\\-\\-enable\\fR] "))
    }

    @Test func thePageOfTheConfigurationTellsEveryKey() async throws {
        let crier = try BuiltCrier(ManualPage.exampleConfiguration)
        _ = try await written(by: crier)
        let page = try text("crier.yaml.5", of: crier)
        for section in ConfigurationReference.sections {
            for key in section.keys {
                let entry =
                    "\n.TP\n\(Roff.bold(key.name))\n\(Roff.text(key.summary))\n.br\n\(Roff.text("Takes \(key.takes)."))"
                #expect(page.contains(entry), "\(key.name)")
            }
        }
        #expect(page.contains("\n  releases:\n"))
        #expect(try await crier.run("check").output.hasSuffix("3 sources, 2 sinks, no problem found\n"))
    }

    @Test func theReadmeSaysTheSame() throws {
        let readme = try Checkout.read("README.md")
        for (status, words) in ExitStatus.meanings { #expect(readme.contains("\n| \(status) | \(words) |\n")) }
        #expect(readme.replacing("\n", with: " ").contains(ConfigurationReference.templates))
        let discussion = Crier.configuration.discussion
        for (status, _) in ExitStatus.meanings { #expect(discussion.contains(" \(status) ")) }
    }

    @Test func filesAreWhereThePageSays() {
        let environment = ["XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/r"]
        let paths = [
            ConfigurationPaths.configuration(environment: environment),
            ConfigurationPaths.state(environment: environment), ConfigurationPaths.pages(environment: environment),
            ConfigurationPaths.socket(environment: environment),
        ]
        let named = ManualPage.files.map { file in
            environment.reduce(file.path) { $0.replacing("$\($1.key)", with: $1.value) }
        }
        #expect(Array(named.prefix(4)) == paths)
        #expect(
            ConfigurationPaths.socket(environment: ["XDG_RUNTIME_DIR": "r"], session: "/none") == nil,
            "a place that depends on where it is started")
    }

    /// As of cron and `su`, which set no variable.
    @Test func withoutAVariableTheSocketIsInTheFolderOfTheSession() throws {
        let session = try TemporaryFolder()
        let environments: [[String: String]] = [[:], ["XDG_RUNTIME_DIR": ""], ["XDG_RUNTIME_DIR": "r"]]
        for environment in environments {
            let path = ConfigurationPaths.socket(environment: environment, session: session.path)
            #expect(path == session.file("crier/agent.sock"))
        }
        #expect(ConfigurationPaths.socket(environment: [:], session: session.file("none")) == nil)
        if geteuid() == 0 {
            #expect(chown(session.path, 65_534, 65_534) == 0)
            #expect(ConfigurationPaths.socket(environment: [:], session: session.path) == nil, "another user's")
        }
    }

    @Test func examplesFitATerminal() throws {
        let crier = try CommandDescription.ofCrier()
        let commands = [crier] + (crier.subcommands ?? []).flatMap { [$0] + ($0.subcommands ?? []) }
        for case .example(let lines) in commands.flatMap({ Discussion($0.discussion).blocks }) {
            #expect(lines.filter { $0.count > 69 } == [])
        }
    }

    @Test func textStandsForItself() {
        #expect(
            Roff.text(".posts[] isn't `a\\b`, see [that](https://h/) --or-this…")
                == "\\&.posts[] isn\\(aqt \\fBa\\eb\\fR, see that \\fB\\-\\-or\\-this\\fR\\[u2026]")
        #expect(Roff.literal("\"~^`中") == "\\(dq\\(ti\\(ha\\(ga\\[u4E2D]")
    }

    @Test(.enabled(if: isThere("groff"), "needs groff"))
    func groffReadsThePagesWithoutAWarning() async throws {
        let crier = try BuiltCrier()
        for page in try await written(by: crier) {
            let run = try await crier.run(["-ww", "-man", "-Tutf8", crier.folder.file(page)]) {
                $0.executableURL = URL(fileURLWithPath: "/usr/bin/groff")
            }
            #expect(run.status == 0)
            #expect(run.errors == "")
            #expect(!run.output.contains("\u{2010}"), "hyphens are not copied well")
        }
    }

    @Test(.enabled(if: isThere("mandoc"), "needs mandoc"))
    func mandocReadsThePagesWithoutAWarning() async throws {
        let crier = try BuiltCrier()
        for page in try await written(by: crier) {
            let run = try await crier.run(["-Tlint", "-Wwarning", crier.folder.file(page)]) {
                $0.executableURL = URL(fileURLWithPath: "/usr/bin/mandoc")
            }
            // A page has no date of its own: the version says how old it is.
            #expect(run.lines.filter { !$0.contains("missing date") } == [])
        }
    }

    private static func isThere(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }
}
