import CrierTesting
import Foundation
import Testing

/// With a home of its own, and programs that note what they are told in place of systemd and cron.
struct Home {
    var crier: BuiltCrier
    let folder: TemporaryFolder

    /// - Parameter crontab: The crontab before; nil is none.
    init(crontab: String? = nil, crontabFails: Bool = false) throws {
        crier = try BuiltCrier("")
        folder = crier.folder
        let home = folder.path
        crier.environment["HOME"] = home
        for name in ["CRIER_CONFIG", "CRIER_STATE", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"] {
            crier.environment[name] = nil
        }
        crier.environment["PATH"] = "\(home)/bin:/usr/bin:/bin"
        if let crontab { try folder.write(crontab, to: "crontab") }
        let reading =
            crontabFails
            ? "echo 'you are not allowed to use this program' >&2; exit 1"
            : "test -e '\(home)/crontab' || { echo 'no crontab for you' >&2; exit 1; }; cat '\(home)/crontab'"
        try folder.write(
            """
            #!/bin/sh
            case "$1" in
            -l) \(reading);;
            -r) rm '\(home)/crontab';;
            -) cat > '\(home)/crontab.new' && mv '\(home)/crontab.new' '\(home)/crontab';;
            esac
            """, to: "bin/crontab", isExecutable: true)
        try folder.write(
            """
            #!/bin/sh
            case $2 in
            show) cat '\(home)/standings';;
            *) echo "$@" >> '\(home)/systemctl.log';;
            esac
            """, to: "bin/systemctl", isExecutable: true)
    }

    /// When the line in the crontab runs the visits, such as `3-59/10`; nil where there is none.
    var minutes: String? {
        (folder.read("crontab") ?? "").firstMatch(of: /(?m)^[1-9]-59\/10(?= \* \* \* \* )/).map { String($0.output) }
    }

    /// What systemd says of a unit from then on.
    func stand(_ unit: String, at path: String, _ enablement: String, _ activity: String) throws {
        try folder.write(UnitStanding.text(unit, at: path, enablement, activity), to: "standings")
    }

    /// By which its files are named, as the home folder of the account is another.
    var options: String {
        "--config \(folder.path)/.config/crier/crier.yaml --state \(folder.path)/.local/state/crier/crier.sqlite"
    }

    /// The command of a line in its crontab.
    func command(_ words: String, by program: String = BuiltCrier.binary) -> String {
        "[ ! -x \(program) ] || \(program) \(words) \(options)"
    }

    var files: [String] {
        let all = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
        return all.filter { $0.hasPrefix(".config") || $0.hasPrefix(".local") }.sorted()
    }

    /// Those that are no folders.
    var leftFiles: [String] {
        files.filter { file in
            let attributes = try? FileManager.default.attributesOfItem(atPath: folder.file(file))
            return attributes?[.type] as? FileAttributeType != .typeDirectory
        }
    }

    /// What systemd was told; not what it was asked.
    var systemctl: String? { folder.read("systemctl.log") }
}

@Suite("Install and uninstall do what they say and nothing else")
struct InstallCommandTests {
    private let agentPath = ".config/systemd/user/crier-agent.service"

    @Test func theAgentIsWrittenWithTheRealPathAndNotStarted() async throws {
        let home = try Home()
        let run = try await home.crier.run("install", "--agent")
        #expect(run.status == 0)
        #expect(run.lines.first == "wrote \(home.folder.path)/\(agentPath)")
        #expect(run.output.contains("systemctl --user enable --now crier-agent.service"))
        let text = try #require(home.folder.read(agentPath))
        #expect(text.contains("\nExecStart=\(BuiltCrier.binary) agent \(home.options)\n"))
        #expect(text.contains("\nType=notify\n"))
        #expect(home.systemctl == nil)
        let again = try await home.crier.run("install", "--agent")
        #expect(again.output.hasPrefix("It is installed already; nothing to do.\n"))
        #expect(try await home.crier.run("uninstall").status == 0)
        #expect(home.leftFiles == [])
    }

    @Test func thePathOfALineMayHoldTheWordsOfADigest() async throws {
        let home = try Home()
        let config = try home.folder.write(
            "digests: {m: {at: '08:00'}}\nsources: {news: {url: 'https://e.example/'}}\n",
            to: "my digest m --quiet/crier.yaml")
        let way = ["install", "--cron", "--config", config]
        for arguments in [way, way + ["--digest", "m"]] {
            try await #require(home.crier.run(arguments).status == 0)
            let crontab = home.folder.read("crontab")
            #expect(try await home.crier.run(arguments).output.hasPrefix("It is installed already"), "\(arguments)")
            #expect(home.folder.read("crontab") == crontab)
        }
        #expect(try await home.crier.run("uninstall", "--digest", "m").status == 0)
        #expect(home.folder.read("crontab")?.contains(" fetch --scheduled ") == true)
        #expect(home.folder.read("crontab")?.contains(" digest m --quiet --config") == false)
    }

    @Test func itEndsWithWhyNothingIsFetched() async throws {
        let home = try Home()
        let denied =
            "Nothing is fetched in the background unless you allow notifications: run `crier authorize`.\n"
        #expect(try await home.crier.run("install", "--cron").output.hasSuffix("\n\(denied)"))
        #expect(try await home.crier.run("install", "--timer").output.hasSuffix("\n\(denied)"))
        #expect(!home.files.contains { $0.hasPrefix(".local") }, "no state was made for that")
        try await home.crier.run("authorize", "--deny")
        #expect(try await home.crier.run("install", "--agent").output.hasSuffix("\n\(denied)"))
        try home.folder.write("background: always\n", to: ".config/crier/crier.yaml")
        #expect(try await !home.crier.run("install", "--agent").output.contains("authorize"))
        try home.folder.write("", to: ".config/crier/crier.yaml")
        try await home.crier.authorize()
        #expect(try await !home.crier.run("install", "--cron").output.contains("authorize"))
    }

    @Test func aLackOfConfigurationIsSaid() async throws {
        let home = try Home()
        let lack = "There is no configuration yet at \(home.folder.path)/.config/crier/crier.yaml: `crier add URL` "
        #expect(try await home.crier.run("install", "--cron").output.contains("\n\(lack)makes one.\n"))
        try home.folder.write("", to: ".config/crier/crier.yaml")
        #expect(try await !home.crier.run("install", "--cron").output.contains("no configuration"))
    }

    @Test func oneOfTheWaysMustBeChosen() async throws {
        let home = try Home()
        let run = try await home.crier.run("install")
        #expect(run.status == 64 && run.errors.contains("say which: --agent, --timer or --cron"))
        #expect(try await home.crier.run("install", "--help").output.contains("(--agent | --timer | --cron)"))
    }

    @Test func theTimerIsStartedIfAskedAndLeavesNothing() async throws {
        let home = try Home()
        try home.folder.write("mine", to: ".config/systemd/user/other.service")
        try await #require(home.crier.run("install", "--timer", "--enable").status == 0)
        #expect(home.systemctl == "--user daemon-reload\n--user enable --now crier-fetch.timer\n")
        // What systemd leaves.
        try home.folder.write("", to: ".local/share/systemd/timers/stamp-crier-fetch.timer")
        let folder = home.folder.file(".config/systemd/user")
        try FileManager.default.createDirectory(
            atPath: "\(folder)/timers.target.wants", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/timers.target.wants/crier-fetch.timer",
            withDestinationPath: "\(folder)/crier-fetch.timer")
        #expect(try await home.crier.run("uninstall", "--timer").status == 0)
        #expect(home.leftFiles == [".config/systemd/user/other.service"])
        #expect(home.systemctl?.hasSuffix("--user disable --now crier-fetch.timer\n--user daemon-reload\n") == true)
    }

    @Test func aFolderStaysAsItMayBeTheUsers() async throws {
        let home = try Home()
        for folder in [".config/systemd/user", ".local/share/systemd/timers"] {
            try FileManager.default.createDirectory(
                atPath: home.folder.file(folder), withIntermediateDirectories: true)
        }
        let before = home.files
        try await #require(home.crier.run("install", "--timer").status == 0)
        try home.folder.write("", to: ".local/share/systemd/timers/stamp-crier-fetch.timer")
        #expect(try await home.crier.run("uninstall").status == 0)
        #expect(home.files == before)
    }

    @Test func aDryRunOnlyTells() async throws {
        let home = try Home(crontab: "1 2 3 4 5 mine\n")
        for way in ["--agent", "--timer", "--cron"] {
            let run = try await home.crier.run("install", way, "--dry-run")
            #expect(run.status == 0)
            #expect(run.output.hasPrefix(way == "--cron" ? "would add to " : "would write "))
        }
        #expect(home.files == [])
        #expect(home.folder.read("crontab") == "1 2 3 4 5 mine\n")
        try await home.crier.run("install", "--agent")
        #expect(try await home.crier.run("uninstall", "--dry-run").output.contains("would remove"))
        #expect(home.folder.read(agentPath) != nil)
        #expect(home.systemctl == nil)
    }

    @Test func whatTheUserChangedStaysUnlessForced() async throws {
        let home = try Home()
        try await home.crier.run("install", "--agent")
        let mine = try #require(home.folder.read(agentPath)) + "# mine\n"
        try home.folder.write(mine, to: agentPath)
        for arguments in [["install", "--agent"], ["uninstall"]] {
            let run = try await home.crier.run(arguments)
            #expect(run.status == 73)
            #expect(run.errors.contains("--force"))
            #expect(home.folder.read(agentPath) == mine)
        }
        #expect(try await home.crier.run("install", "--agent", "--force").status == 0)
        #expect(home.folder.read(agentPath)?.contains("# mine") == false)
        try home.folder.write("[Service]\n", to: agentPath)
        #expect(try await home.crier.run("install", "--agent").status == 73)
        #expect(try await home.crier.run("uninstall", "--force").status == 0)
        #expect(home.folder.read(agentPath) == nil)
    }

    /// As of whoever keeps units in git.
    @Test func aLinkToAUnitStaysAndWhatItLeadsToIsWritten() async throws {
        let home = try Home()
        try await home.crier.run("install", "--agent")
        let (link, files) = (home.folder.file(agentPath), FileManager.default)
        let kept = try home.folder.write(try #require(home.folder.read(agentPath)), to: "dotfiles/agent.service")
        try files.removeItem(atPath: link)
        try files.createSymbolicLink(atPath: link, withDestinationPath: kept)
        #expect(try await home.crier.run("install", "--agent", "--config", "/other.yaml").status == 0)
        #expect(try files.destinationOfSymbolicLink(atPath: link) == kept)
        #expect(home.folder.read("dotfiles/agent.service")?.contains(" --config /other.yaml") == true)
        #expect(try await home.crier.run("uninstall").status == 0)
        #expect(home.folder.read(agentPath) == nil && files.fileExists(atPath: kept))
    }

    @Test func filesElsewhereAreNamedInTheCommand() async throws {
        let home = try Home()
        let config = home.folder.file("a b/crier.yaml")
        try await home.crier.run("install", "--timer", "--config", config)
        let unit = try #require(home.folder.read(".config/systemd/user/crier-fetch.service"))
        let state = "\(home.folder.path)/.local/state/crier/crier.sqlite"
        let command = "\(BuiltCrier.binary) fetch --scheduled --quiet --config"
        #expect(unit.contains("\nExecStart=\(command) \"\(config)\" --state \(state)\n"))
        try await home.crier.run("install", "--cron", "--config", config)
        let minutes = try #require(home.minutes)
        #expect(
            home.folder.read("crontab")?.contains(
                "\n\(minutes) * * * * [ ! -x \(BuiltCrier.binary) ] || \(command) '\(config)' --state \(state)\n")
                == true)
    }

    @Test func theCrontabKeepsAllOtherLines() async throws {
        let others = "MAILTO=me\n# a comment\n\n1 2 3 4 5 echo \"50\\%\"\n"
        let home = try Home(crontab: others)
        let run = try await home.crier.run("install", "--cron")
        #expect(run.status == 0)
        let minutes = try #require(home.minutes)
        let line = "\(minutes) * * * * \(home.command("fetch --scheduled --quiet"))"
        #expect(run.lines[0] == "added to your crontab: \(line)")
        let text = try #require(home.folder.read("crontab"))
        #expect(text.hasPrefix(others))
        #expect(try await home.crier.run("install", "--cron").output.hasPrefix("It is installed already"))
        #expect(home.folder.read("crontab") == text)
        try home.folder.write(text + "last\n", to: "crontab")
        #expect(try await home.crier.run("uninstall").status == 0)
        #expect(home.folder.read("crontab") == others + "last\n")
        #expect(home.systemctl == nil)
    }

    @Test func aChangedCrontabLineStaysUnlessForced() async throws {
        let home = try Home()
        try await home.crier.run("install", "--cron")
        let minutes = try #require(home.minutes)
        let mine = try #require(home.folder.read("crontab")).replacingOccurrences(of: minutes, with: "*/5")
        try home.folder.write(mine, to: "crontab")
        for arguments in [["install", "--cron"], ["uninstall"]] {
            let run = try await home.crier.run(arguments)
            #expect(run.status == 73)
            let words = "`crier install` did not write the lines of crier in your crontab, or something changed since;"
            #expect(run.errors.contains(words), "\(run.errors)")
        }
        #expect(home.folder.read("crontab") == mine)
        #expect(try await home.crier.run("install", "--cron", "--force").status == 0)
        #expect(home.minutes == minutes, "the same every time")
        #expect(try await home.crier.run("uninstall").status == 0)
        #expect(home.folder.read("crontab") == nil, "there was none before")
        try home.folder.write("last", to: "crontab")
        try await home.crier.run("install", "--cron")
        let text = try #require(home.folder.read("crontab"))
        #expect(text.hasPrefix("last\n# crier: begin"), "a last line without its end gets one")
        try home.folder.write(text.replacingOccurrences(of: minutes, with: "*/5"), to: "crontab")
        #expect(try await home.crier.run("uninstall").status == 73)
        #expect(try await home.crier.run("uninstall", "--force").status == 0)
        #expect(home.folder.read("crontab") == "last\n")
    }

    @Test func aCrontabThatCannotBeReadIsNotReplaced() async throws {
        let home = try Home(crontab: "1 2 3 4 5 mine\n", crontabFails: true)
        let run = try await home.crier.run("install", "--cron")
        #expect(run.status == 69)
        #expect(run.errors.contains("not allowed"))
        #expect(home.folder.read("crontab") == "1 2 3 4 5 mine\n")
    }

    @Test func aLostMarkIsLeftToTheUser() async throws {
        let home = try Home()
        try await home.crier.run("install", "--cron")
        let torn = try #require(home.folder.read("crontab")).replacingOccurrences(of: "# crier: end\n", with: "")
        try home.folder.write(torn, to: "crontab")
        #expect(try await home.crier.run("uninstall", "--force").status == 73)
        #expect(home.folder.read("crontab") == torn)
    }

    @Test func withoutAChoiceItIsAMistake() async throws {
        let home = try Home()
        #expect(try await home.crier.run("install").status == 64)
        #expect(try await home.crier.run("install", "--cron", "--enable").status == 64)
        #expect(try await home.crier.run("uninstall").output == "Nothing is installed.\n")
        #expect(home.files == [])
    }
}
