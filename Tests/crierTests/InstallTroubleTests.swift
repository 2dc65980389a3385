import CrierTesting
import Foundation
import Testing

@Suite("What cannot be read, is masked, was changed or is gone keeps nothing else from being installed and removed")
struct InstallTroubleTests {
    private let units = ".config/systemd/user"

    /// What the doctor says of what runs crier: the verdict, the words and the remedy.
    private func service(_ home: Home) async throws -> [String] {
        try await home.crier.run("doctor", "--format", "json").objects.filter { $0["subject"] as? String == "service" }
            .map { finding in
                let remedy = (finding["remedy"] as? String).map { " → \($0)" } ?? ""
                return "\(finding["verdict"] as? String ?? "") \(finding["words"] as? String ?? "")\(remedy)"
            }
    }

    private let idle =
        "warn crier-fetch.timer is not enabled and not known to systemd → systemctl --user enable --now crier-fetch.timer"

    @Test func aCrontabThatCannotBeReadKeepsNoUnits() async throws {
        let home = try Home(crontabFails: true)
        let cause = "your crontab cannot be read: you are not allowed to use this program"
        let run = try await home.crier.run("install", "--timer", "--enable")
        #expect(run.status == 0)
        #expect(run.errors.hasSuffix("What else is installed is not known: \(cause)\n"), "\(run.errors)")
        #expect(home.systemctl == "--user daemon-reload\n--user enable --now crier-fetch.timer\n")
        #expect(try await home.crier.run("install", "--agent", "--dry-run").status == 0)
        #expect(try await service(home) == ["warn \(cause)", idle])
        let removal = try await home.crier.run("uninstall")
        #expect(removal.status == 69 && removal.errors == "crier: \(cause)\n", "\(removal.errors)")
        #expect(home.leftFiles == [])
        let again = try await home.crier.run("uninstall")
        #expect(again.status == 69 && again.output == "")
        #expect(
            try await service(home) == [
                "warn \(cause)",
                "warn nothing else that `crier install` knows runs crier by itself → crier install --timer --enable",
            ])
    }

    /// Those of busybox(1), as on Alpine Linux and OpenWrt.
    @Test func otherWordsForNoCrontabAreUnderstood() async throws {
        let home = try Home()
        let crontab = home.folder.file("crontab")
        try home.folder.write(
            """
            #!/bin/sh
            case "$1" in
            -l) test -e \(crontab) || { echo "crontab: can't open 'bob': No such file or directory" >&2; exit 1; }; cat \(crontab);;
            -r) rm \(crontab);;
            -) cat > \(crontab);;
            esac
            """, to: "bin/crontab", isExecutable: true)
        #expect(try await home.crier.run("install", "--cron").status == 0)
        #expect(try await service(home) == ["ok a line in your crontab"])
        for _ in 1...2 { #expect(try await home.crier.run("uninstall").status == 0) }
        #expect(home.folder.read("crontab") == nil)
    }

    /// Made by a run with sudo.
    @Test(.enabled(if: geteuid() == 0, "not root"))
    func aFolderThatMayNotBeSearchedIsNotTakenForEmpty() async throws {
        var home = try Home()
        let own = try TemporaryFolder()
        let closed = own.file(".config/systemd")
        try own.write("sources: {}\n", to: ".config/crier/crier.yaml")
        #expect(mkdir(closed, 0o700) == 0 && chmod(own.path, 0o755) == 0)
        for path in [own.path, own.file(".config")] { #expect(chown(path, 65534, 65534) == 0) }
        home.crier.environment["HOME"] = own.path
        let remedy = "it belongs to root; `sudo chown -R nobody \(closed)` makes it yours"
        for arguments in [["install", "--timer"], ["uninstall"]] {
            guard let run = try await home.crier.runAsNobody(arguments) else { return }
            #expect(run.status == 69 && run.output == "", "\(run)")
            #expect(run.errors == "crier: cannot look into \(closed)/user: \(remedy)\n")
        }
        #expect(try await home.crier.runAsNobody("doctor")?.output.contains("warn service: cannot look into ") == true)
    }

    @Test func aManagerThatCannotBeReachedKeepsNoUnits() async throws {
        let home = try Home()
        try await home.crier.run("install", "--timer")
        try home.folder.write(
            "#!/bin/sh\necho 'Failed to connect to bus' >&2; exit 1\n", to: "bin/systemctl", isExecutable: true)
        let run = try await home.crier.run("uninstall")
        #expect(run.status == 69)
        #expect(run.errors.hasPrefix("not done: run systemctl --user disable --now crier-fetch.timer: "), "\(run)")
        #expect(run.output.contains("removed \(home.folder.path)/\(units)/crier-fetch.timer\n"))
        #expect(home.leftFiles == [])
    }

    @Test func withoutAManagerOfTheUsersOwnItIsSaidHowToHaveOne() async throws {
        let home = try Home()
        try home.folder.write(
            "#!/bin/sh\necho 'Failed to connect to user scope bus via local transport: No such file or directory' >&2; exit 1\n",
            to: "bin/systemctl", isExecutable: true)
        let run = try await home.crier.run("install", "--timer", "--enable")
        #expect(run.status == 69)
        for words in ["`loginctl enable-linger`", "XDG_RUNTIME_DIR=/run/user/\(getuid())", "--cron"] {
            #expect(run.errors.contains(words), "\(run.errors)")
        }
        try home.folder.write("#!/bin/sh\necho 'Unit is bad' >&2; exit 1\n", to: "bin/systemctl", isExecutable: true)
        let other = try await home.crier.run("install", "--timer", "--enable")
        #expect(other.status == 69 && !other.errors.contains("enable-linger"), "\(other.errors)")
        let cause = "Job for crier-fetch.timer failed because the control process exited with error code"
        try home.folder.write(
            "#!/bin/sh\nprintf '\(cause).\\nSee \"systemctl --user status crier-fetch.timer\" for details.\\n' >&2; exit 1\n",
            to: "bin/systemctl", isExecutable: true)
        let failed = try await home.crier.run("install", "--timer", "--enable")
        #expect(
            failed.status == 69 && failed.errors.contains(": \(cause); `journalctl --user -u "), "\(failed.errors)")
    }

    @Test func withoutSystemdAnotherWayIsNamed() async throws {
        var home = try Home()
        try FileManager.default.removeItem(atPath: home.folder.file("bin/systemctl"))
        for program in ["sh", "cat", "rm", "mv"] {
            try FileManager.default.createSymbolicLink(
                atPath: home.folder.file("bin/\(program)"), withDestinationPath: "/bin/\(program)")
        }
        home.crier.environment["PATH"] = home.folder.file("bin")
        let nothing = "warn nothing that `crier install` knows runs crier by itself →"
        #expect(try await service(home) == ["\(nothing) crier install --cron"])
        for arguments in [["--timer", "--enable"], ["--agent"]] {
            let run = try await home.crier.run(["install"] + arguments)
            #expect(run.status == 69 && run.errors == "crier: there is no systemd here: choose --cron\n")
        }
        #expect(home.leftFiles == [])
        #expect(try await home.crier.run("install", "--cron").status == 0)
        #expect(try await service(home) == ["ok a line in your crontab"])
        #expect(try await home.crier.run("uninstall").status == 0)
        try FileManager.default.removeItem(atPath: home.folder.file("bin/crontab"))
        #expect(try await service(home) == ["\(nothing) start `crier agent` with your session"])
    }

    @Test func aLostMarkKeepsNoUnits() async throws {
        let home = try Home()
        try await home.crier.run("install", "--cron")
        let torn = try #require(home.folder.read("crontab")).replacingOccurrences(of: "# crier: end\n", with: "")
        try home.folder.write(torn, to: "crontab")
        let run = try await home.crier.run("install", "--timer")
        #expect(run.status == 0)
        let cause = "the lines of crier in your crontab have lost a mark: remove them with `crontab -e`"
        #expect(run.errors.hasSuffix("What else is installed is not known: \(cause)\n"), "\(run.errors)")
        #expect(try await service(home) == ["warn \(cause)", idle])
        #expect(try await home.crier.run("uninstall").status == 73)
        #expect(home.leftFiles == [])
        #expect(home.folder.read("crontab") == torn)
    }

    @Test(arguments: [["install", "--cron"], ["uninstall"]])
    func aCrontabInAnotherEncodingStaysAsItIs(arguments: [String]) async throws {
        let home = try Home(crontab: "")
        let bytes = Data("0 5 * * * /home/u/caf".utf8) + [0xe9] + Data("/backup.sh\n".utf8)
        try bytes.write(to: URL(fileURLWithPath: home.folder.file("crontab")))
        let run = try await home.crier.run(arguments)
        #expect(run.status == 73 && run.errors.contains("your crontab has letters that are not UTF-8"), "\(run.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: home.folder.file("crontab"))) == bytes)
    }

    @Test func aCrontabWithLineEndsOfWindowsKeepsThem() async throws {
        let home = try Home(crontab: "# mine\r\n0 5 * * * true\r\n")
        try await home.crier.run("install", "--cron")
        try await home.crier.run("install", "--cron")
        let text = try #require(home.folder.read("crontab"))
        #expect(text.hasPrefix("# mine\r\n0 5 * * * true\r\n# crier: begin"))
        #expect(try await home.crier.run("uninstall").status == 0)
        #expect(home.folder.read("crontab") == "# mine\r\n0 5 * * * true\r\n")
    }

    @Test func withoutAHomeFolderTheCrontabIsWhatThereIs() async throws {
        var home = try Home()
        let files = ["--config", home.folder.file("crier.yaml"), "--state", home.folder.file("crier.sqlite")]
        home.crier.environment["HOME"] = nil
        let run = try await home.crier.run(["install", "--cron"] + files)
        #expect(run.status == 0 && run.errors.contains("no home folder"))
        let removal = try await home.crier.run("uninstall")
        #expect(removal.status == 69)
        #expect(removal.errors == "crier: no home folder: there is no place for units\n")
        #expect(home.folder.read("crontab") == nil)
    }

    @Test func oneThatIsInstalledIsNamedAsTheOneToRemove() async throws {
        let home = try Home()
        for way in ["--agent", "--timer"] { try await home.crier.run("install", way) }
        #expect(
            try await service(home).last
                == "warn --agent, --timer are installed: one is enough → crier uninstall, with those of them that are not to stay"
        )
    }

    @Test func whatTheUserChangedKeepsNothingElse() async throws {
        let home = try Home()
        for way in ["--agent", "--timer", "--cron"] { try await home.crier.run("install", way) }
        let mine = try #require(home.folder.read("\(units)/crier-fetch.timer")) + "# mine\n"
        try home.folder.write(mine, to: "\(units)/crier-fetch.timer")
        #expect(try await home.crier.run("uninstall").status == 73)
        #expect(
            home.files.filter { $0.hasPrefix("\(units)/") }
                == ["\(units)/crier-fetch.service", "\(units)/crier-fetch.timer"])
        #expect(home.folder.read("\(units)/crier-fetch.timer") == mine)
        #expect(home.folder.read("crontab") == nil)
    }

    @Test func aStepThatFailsKeepsNoOther() async throws {
        let home = try Home()
        for way in ["--timer", "--cron"] { try await home.crier.run("install", way) }
        // A folder is not removed as a file is.
        try home.folder.write("", to: ".local/share/systemd/timers/stamp-crier-fetch.timer/file")
        let run = try await home.crier.run("uninstall")
        #expect(run.status == 69 && run.errors.hasPrefix("crier: cannot remove "))
        #expect(home.folder.read("\(units)/crier-fetch.timer") == nil && home.folder.read("crontab") == nil)
    }

    @Test func aFileThatCannotBeWrittenIsToldByItsStatus() async throws {
        let home = try Home()
        // Where the folder of units would be.
        try home.folder.write("", to: ".config/systemd")
        for way in ["--agent", "--timer"] {
            let run = try await home.crier.run("install", way, "--enable")
            #expect(run.status == 74 && run.output == "", "\(run)")
            #expect(run.errors.hasPrefix("crier: cannot write \(home.folder.file(units))/crier-"), "\(run.errors)")
        }
        #expect(home.systemctl == nil)
    }

    // MARK: - Masks

    private func mask(_ unit: String, in home: Home) throws {
        let folder = home.folder.file(units)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try? FileManager.default.removeItem(atPath: "\(folder)/\(unit)")
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(unit)", withDestinationPath: "/dev/null")
    }

    private let masked =
        "warn crier-fetch.timer is masked: it never runs → systemctl --user unmask crier-fetch.timer"

    @Test func aMaskIsTheUsers() async throws {
        let home = try Home()
        try mask("crier-fetch.timer", in: home)
        let before = home.files
        for arguments in [["--dry-run"], ["--enable"], ["--force", "--enable"]] {
            let run = try await home.crier.run(["install", "--timer"] + arguments)
            #expect(run.status == 73 && run.output == "")
            #expect(run.errors.contains("`systemctl --user unmask crier-fetch.timer` lets it run again"))
        }
        #expect(home.files == before && home.systemctl == nil)
        #expect(try await service(home).first == masked)
        let cron = try await home.crier.run("install", "--cron")
        #expect(cron.status == 0 && cron.errors == "", "a mask is no timer that is installed too")
        #expect(try await service(home) == [masked, "ok a line in your crontab"])
        for arguments in [[], ["--force"]] {
            #expect(try await home.crier.run(["uninstall"] + arguments).status == 0)
            #expect(home.files == before && home.folder.read("crontab") == nil)
        }
    }

    @Test func whatBelongsToAMaskedUnitIsRemoved() async throws {
        let home = try Home()
        try await home.crier.run("install", "--timer")
        try mask("crier-fetch.timer", in: home)
        #expect(try await service(home) == [masked])
        #expect(try await home.crier.run("uninstall").status == 0)
        #expect(home.files.filter { $0.hasPrefix("\(units)/") } == ["\(units)/crier-fetch.timer"])
    }

    // MARK: - What is gone

    @Test func aProgramThatIsGoneIsTold() async throws {
        let home = try Home()
        try home.folder.write("digests: {m: {at: '08:00'}}\n", to: ".config/crier/crier.yaml")
        let link = home.folder.file("100% of it/crier")
        try home.folder.write("", to: "100% of it/empty")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: BuiltCrier.binary)
        for arguments in [["--timer"], ["--timer", "--digest", "m"], ["--cron"], ["--cron", "--digest", "m"]] {
            let run = try await home.crier.run(["install"] + arguments) {
                $0.executableURL = URL(fileURLWithPath: link)
            }
            try #require(run.status == 0, "\(run.errors)")
        }
        let both =
            "warn --cron, --timer are installed: one is enough → crier uninstall, with those of them that are not to stay"
        #expect(try await service(home) == ["ok a line in your crontab", idle, both])
        try FileManager.default.removeItem(atPath: link)
        let gone = "starts \(link), which is not there or cannot be started → crier install"
        #expect(
            try await service(home) == [
                idle, "fail crier-fetch.service \(gone) --timer --enable",
                "fail crier-digest-m.service \(gone) --timer --digest NAME --enable",
                "fail a line in your crontab \(gone) --cron",
                "fail a line in your crontab \(gone) --cron --digest NAME", both,
            ])
        // What `systemctl edit` has put beside a unit decides what that starts.
        try home.folder.write(
            "[Service]\nExecStart=\nExecStart=/bin/true\n", to: "\(units)/crier-digest-m.service.d/o.conf")
        #expect(try await service(home).contains { $0.hasPrefix("fail crier-fetch.service ") })
        #expect(try await !service(home).contains { $0.hasPrefix("fail crier-digest-m.service ") })
        try FileManager.default.removeItem(atPath: home.folder.file("\(units)/crier-digest-m.service.d"))
        try await #require(home.crier.run("install", "--timer").status == 0)
        #expect(try await service(home)[1].hasPrefix("fail crier-digest-m.service "))
    }
}
