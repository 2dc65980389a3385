import CrierTesting
import Foundation
import Testing

@Suite("Digests that a timer or cron issues")
struct DigestInstallTests {
    private let units = ".config/systemd/user"

    private func home(crontab: String? = nil) throws -> Home {
        let home = try Home(crontab: crontab)
        try home.folder.write(
            """
            time-zone: Europe/Berlin
            digests:
              morning: {at: "mon..fri 08:30"}
              早报: {at: "*:0/5 Asia/Shanghai"}
            """, to: ".config/crier/crier.yaml")
        return home
    }

    private func installed(_ home: Home) -> [String] {
        home.leftFiles.filter { !$0.hasPrefix(".config/crier") }
    }

    @Test func aTimerHasTheTimeOfTheDigestAndLeavesNothing() async throws {
        let home = try home()
        let run = try await home.crier.run("install", "--timer", "--digest", "morning", "--enable")
        #expect(run.status == 0 && run.errors.contains("`crier install --timer` has that done too"))
        let timer = try #require(home.folder.read("\(units)/crier-digest-morning.timer"))
        #expect(timer.contains("\nOnCalendar=mon,tue,wed,thu,fri *-*-* 8:30:0 Europe/Berlin\n"))
        #expect(timer.contains("\nPersistent=true\n"))
        let service = try #require(home.folder.read("\(units)/crier-digest-morning.service"))
        #expect(service.contains("\nExecStart=\(BuiltCrier.binary) digest morning --quiet \(home.options)\n"))
        #expect(home.systemctl == "--user daemon-reload\n--user enable --now crier-digest-morning.timer\n")
        #expect(
            try await home.crier.run("install", "--timer", "--digest", "morning").output.hasPrefix(
                "It is installed already"))
        // What systemd leaves.
        let stamp = ".local/share/systemd/timers/stamp-crier-digest-morning.timer"
        try home.folder.write("", to: stamp)
        try await #require(home.crier.run("install", "--timer").status == 0)
        try await #require(home.crier.run("install", "--timer", "--digest", "早报").status == 0)
        #expect(try await home.crier.run("uninstall", "--digest", "morning").status == 0)
        #expect(home.folder.read(stamp) == nil && home.folder.read("\(units)/crier-fetch.timer") != nil)
        #expect(installed(home).filter { $0.contains("crier-digest-") }.count == 2)
        #expect(home.systemctl?.contains("--user disable --now crier-digest-morning.timer\n") == true)
        #expect(try await home.crier.run("uninstall").status == 0)
        #expect(installed(home) == [])
        #expect(home.systemctl?.contains(#"--user disable --now crier-digest-\xe6\x97\xa9\xe6\x8a\xa5.timer"#) == true)
    }

    @Test func cronHasALineForEachDigestBesideTheVisits() async throws {
        let others = "1 2 3 4 5 mine\n"
        let home = try home(crontab: others)
        func lines() -> [String] {
            (home.folder.read("crontab") ?? "").split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
        }
        let morning = "30 * * * * \(home.command("digest morning --quiet"))"
        try await #require(home.crier.run("install", "--cron", "--digest", "早报").status == 0)
        try await #require(home.crier.run("install", "--cron").status == 0)
        try await #require(home.crier.run("install", "--cron", "--digest", "morning").status == 0)
        let quiet = "*/5 * * * * \(home.command("digest 早报 --quiet"))"
        let minutes = try #require(home.minutes)
        let fetch = "\(minutes) * * * * \(home.command("fetch --scheduled --quiet"))"
        #expect(lines() == ["1 2 3 4 5 mine", fetch, quiet, morning])
        let again = try await home.crier.run("install", "--cron", "--digest", "morning")
        #expect(again.output.hasPrefix("It is installed already"))
        let removal = try await home.crier.run("uninstall", "--cron", "--digest", "morning")
        #expect(removal.output == "removed from your crontab: \(morning)\n")
        #expect(lines() == ["1 2 3 4 5 mine", fetch, quiet])
        #expect(try await home.crier.run("uninstall", "--digest", "morning").output == "Nothing is installed.\n")
        #expect(try await home.crier.run("uninstall").status == 0)
        #expect(home.folder.read("crontab") == others)
    }

    @Test func whatTheUserChangedStays() async throws {
        let home = try home()
        try await home.crier.run("install", "--timer", "--digest", "morning")
        let path = "\(units)/crier-digest-morning.timer"
        let mine = try #require(home.folder.read(path)) + "# mine\n"
        try home.folder.write(mine, to: path)
        for arguments in [["install", "--timer", "--digest", "morning"], ["uninstall"]] {
            #expect(try await home.crier.run(arguments).status == 73)
            #expect(home.folder.read(path) == mine)
        }
        #expect(try await home.crier.run("uninstall", "--force").status == 0)
        #expect(installed(home) == [])
    }

    @Test func wrongUsageSaysWhatWouldBeRight() async throws {
        let home = try home()
        let unknown = try await home.crier.run("install", "--timer", "--digest", "mornign")
        #expect(unknown.status == 64 && unknown.errors.contains(#"did you mean "morning"?"#))
        #expect(try await home.crier.run("install", "--agent", "--digest", "morning").status == 64)
        #expect(installed(home) == [])
    }
}
