import CrierTesting
import Foundation
import Testing

/// What this shell has, and what runs crier by itself has not.
@Suite struct DoctorServiceTests: DoctorSuite {
    private let config = """
        sinks:
          team: {kind: webhook, url: 'https://e.example/', secret: {env: TEAM_SECRET}}
          mine: {kind: exec, command: [tell-me]}
        """

    private func words(_ crier: BuiltCrier, _ subject: String) async throws -> [String] {
        findings(try await crier.run("doctor", "--format", "json"), subject).filter {
            $0["verdict"] as? String != "ok"
        }.compactMap { $0["words"] as? String }
    }

    private func machine(_ name: String, _ script: String) throws -> BuiltCrier {
        var crier = try machine(config, ["tell-me": "exit 0", name: script])
        crier.environment["TEAM_SECRET"] = "hunter2"
        return crier
    }

    @Test func cronHasOtherVariables() async throws {
        let crier = try machine(
            "crontab",
            """
            case $1 in
            -) /bin/cat > "$HOME/crontab";;
            *) test -e "$HOME/crontab" || { echo 'no crontab for you' >&2; exit 1; }; /bin/cat "$HOME/crontab";;
            esac
            """)
        #expect(try await words(crier, "secrets") + words(crier, "programs") == [])
        #expect(try await crier.run("install", "--cron").status == 0)
        let secret = "a secret of the sink team is in an environment variable that is set here; cron does not have it"
        #expect(try await words(crier, "secrets") == [secret])
        let program = "the sink mine needs tell-me, which is in the PATH of this shell, not in that of cron"
        #expect(try await words(crier, "programs") == [program])
        let lines = try #require(crier.folder.read("crontab"))
        try crier.folder.write("#TEAM_SECRET=x\nMY_TEAM_SECRET=x\nPATH=/nowhere\n" + lines, to: "crontab")
        #expect(try await words(crier, "secrets") + words(crier, "programs") == [secret, program])
        let own = "TEAM_SECRET = x\nPATH=\"\(crier.folder.file("bin")):/bin\"\n"
        try crier.folder.write(own + lines, to: "crontab")
        #expect(try await words(crier, "secrets") + words(crier, "programs") == [])
    }

    @Test(arguments: ["crier-agent.service.d/secret.conf", "manager"])
    func systemdHasOtherVariables(place: String) async throws {
        let crier = try machine(
            "systemctl", "case $2 in show-environment) /bin/cat \"$HOME/manager\";; *) echo enabled;; esac")
        #expect(try await crier.run("install", "--agent").status == 0)
        #expect(try await words(crier, "secrets") == [], "it does not say")
        try crier.folder.write("HOME=/\n", to: "manager")
        #expect(
            try await words(crier, "secrets") == [
                "a secret of the sink team is in an environment variable that is set here; systemd does not have it"
            ])
        #expect(try await words(crier, "programs") == [], "its PATH is not known")
        let (text, path) =
            place == "manager"
            ? ("TEAM_SECRET=x\n", place)
            : ("[Service]\nEnvironment=TEAM_SECRET=x\n", ".config/systemd/user/\(place)")
        try crier.folder.write(text, to: path)
        #expect(try await words(crier, "secrets") == [])
    }
}
