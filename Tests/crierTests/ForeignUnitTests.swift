import CrierTesting
import Foundation
import Testing

@Suite("Units that a package has brought are seen, and left as they are")
struct ForeignUnitTests: DoctorSuite {
    private let home: Home
    private let agent = "/usr/lib/systemd/user/crier-agent.service"
    private let timer = "/usr/lib/systemd/user/crier-fetch.timer"

    init() throws { home = try Home() }

    private func service() async throws -> [String] {
        findings(try await home.crier.run("doctor", "--format", "json"), "service").map { finding in
            ["verdict", "words", "remedy"].compactMap { finding[$0] as? String }.joined(separator: " ")
        }
    }

    @Test func oneThatRunsIsWhatRunsCrier() async throws {
        try home.stand("crier-agent.service", at: agent, "enabled", "active")
        #expect(try await service() == ["ok crier-agent.service is enabled and active"])
        let removal = try await home.crier.run("uninstall")
        #expect(removal.status == 0 && removal.output == "Nothing else is installed.\n")
        #expect(
            removal.errors == "crier-agent.service stays, as \(agent) is not of `crier install`: "
                + "`systemctl --user mask --now crier-agent.service` ends it.\n")
        let end = "systemctl --user mask --now crier-agent.service"
        let other = try await home.crier.run("install", "--cron")
        #expect(other.status == 0)
        #expect(other.errors.contains("--agent is installed too, by a package; `\(end)` ends it.\n"), "\(other)")
        #expect(
            try await service().last
                == "warn --agent, --cron are installed: one is enough \(end), or crier uninstall --cron")
        let cron = try await home.crier.run("uninstall", "--cron")
        #expect(cron.status == 0 && cron.errors == "" && home.folder.read("crontab") == nil, "\(cron)")
    }

    @Test func oneThatTakesThePlaceOfTheUsersOwnIsTold() async throws {
        try await #require(home.crier.run("install", "--timer").status == 0)
        try home.stand(
            "crier-fetch.timer", at: home.folder.file(".config/systemd/user/crier-fetch.timer"), "enabled", "active")
        let standings = UnitStanding.text("crier-fetch.timer", at: timer, "enabled", "inactive")
        try home.folder.write(standings, to: "standings.new")
        try home.folder.write(
            """
            #!/bin/sh
            cd '\(home.folder.path)'
            case $2 in
            show) cat standings;;
            daemon-reload) mv standings.new standings;;
            esac
            """, to: "bin/systemctl", isExecutable: true)
        let run = try await home.crier.run("uninstall")
        #expect(run.status == 0 && run.output.hasPrefix("ran systemctl --user disable "), "\(run)")
        #expect(
            run.errors == "crier-fetch.timer stays, as \(timer) is not of `crier install`: "
                + "`systemctl --user mask --now crier-fetch.timer` ends it.\n")
    }

    /// Of an account whose `XDG_CONFIG_HOME` was another then.
    @Test func whatTheUserHasInstalledIsNotAPackages() async throws {
        try await #require(home.crier.run("install", "--agent").status == 0)
        let place = home.folder.file("units/crier-agent.service")
        try home.folder.write("", to: "units/other.service")
        try FileManager.default.moveItem(
            atPath: home.folder.file(".config/systemd/user/crier-agent.service"), toPath: place)
        try home.stand("crier-agent.service", at: place, "enabled", "active")
        let run = try await home.crier.run("uninstall")
        #expect(run.status == 0 && run.errors == "" && run.output == "Nothing is installed.\n", "\(run)")
    }

    @Test func unitsGoWhereTheManagerLooksOrNowhere() async throws {
        let folder = home.folder.file(".config/systemd/user")
        func look(into folders: String) throws {
            try home.folder.write(
                "#!/bin/sh\ncase $3 in --property=UnitPath) echo 'UnitPath=\(folders)';; *) exit 1;; esac\n",
                to: "bin/systemctl", isExecutable: true)
        }
        try look(into: "/elsewhere/systemd/user.control /elsewhere/systemd/user")
        let words = "systemd looks for no units in \(folder), as its HOME or XDG_CONFIG_HOME is another: "
        for arguments in [["install", "--timer"], ["install", "--agent", "--force"], ["uninstall"]] {
            let run = try await home.crier.run(arguments)
            #expect(run.status == 69 && run.output == "" && home.files == [], "\(run)")
            #expect(run.errors.hasPrefix("crier: \(words)"), "\(run)")
        }
        #expect(try await service().first?.hasPrefix("warn \(words)") == true)
        #expect(try await home.crier.run("install", "--cron").status == 0)
        #expect(try await home.crier.run("uninstall", "--cron").status == 0)
        try FileManager.default.createSymbolicLink(
            atPath: home.folder.file("link"), withDestinationPath: home.folder.path)
        for same in ["/etc/systemd/user \(folder)", "\"\(folder)\"", home.folder.file("link/.config/systemd/user")] {
            try look(into: same)
            #expect(try await home.crier.run("install", "--timer").status == 0, "\(same)")
        }
    }

    @Test func oneIsSeenWithoutAManager() async throws {
        var home = home
        home.crier.environment["XDG_DATA_DIRS"] = "/none:\(home.folder.file("share"))"
        let unit = try home.folder.write("[Service]\n", to: "share/systemd/user/crier-agent.service")
        let run = try await home.crier.run("install", "--agent")
        #expect(run.status == 73 && home.files == [], "\(run)")
        #expect(run.errors.hasPrefix("crier: crier-agent.service is there already, at \(unit): "), "\(run)")
        #expect(try await home.crier.run("install", "--timer").status == 0)
    }

    @Test func oneThatFailedIsTold() async throws {
        try home.stand("crier-agent.service", at: agent, "disabled", "failed")
        #expect(
            try await service() == [
                "fail crier-agent.service is not enabled and failed journalctl --user -u crier-agent.service"
            ])
    }

    @Test func oneThatIsNotUsedIsTheOneToStart() async throws {
        try home.stand("crier-fetch.timer", at: timer, "disabled", "inactive")
        let start = "systemctl --user enable --now crier-fetch.timer"
        #expect(try await service() == ["warn nothing that `crier install` knows runs crier by itself \(start)"])
        let run = try await home.crier.run("install", "--timer", "--enable")
        #expect(run.status == 73 && run.output == "" && home.files == [])
        #expect(
            run.errors == "crier: crier-fetch.timer is there already, at \(timer): `\(start)` starts it; "
                + "--force writes one of your own, which takes its place\n")
        #expect(try await home.crier.run("uninstall").output == "Nothing is installed.\n")
        #expect(try await home.crier.run("install", "--agent").status == 0)
        #expect(try await home.crier.run("install", "--timer", "--force").status == 0)
        // From then on that is what systemd finds.
        let own = ".config/systemd/user/crier-fetch.timer"
        try home.stand("crier-fetch.timer", at: home.folder.file(own), "enabled", "active")
        #expect(try await home.crier.run("install", "--timer").output.hasPrefix("It is installed already"))
        #expect(try await service().contains("ok crier-fetch.timer is enabled and active"))
    }
}
