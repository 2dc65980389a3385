import CrierTesting
import Foundation
import Testing

@Suite("A state that is none, or is damaged", .timeLimit(.minutes(5)))
struct WrongStateTests {
    private let config = "sources:\n  news: {url: 'file:///no/such/feed'}\n"
    private let damaged = "SQLite format 3\0" + String(repeating: "not a database ", count: 100)

    private func files(_ crier: BuiltCrier, in folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: crier.folder.file(folder)).filter {
            $0.contains(".corrupt-")
        }
    }

    @Test(arguments: [["fetch"], ["simulate", "fetch", "news"], ["digest", "evening"]])
    func aCorruptStateIsSetAsideAndTheNextRunStartsAfresh(command: [String]) async throws {
        let crier = try BuiltCrier(config + "digests: {evening: {at: '18:00'}}\n")
        try crier.folder.write(damaged, to: "crier.sqlite")
        let look = try await crier.run("status")
        #expect(look.status == 65)
        #expect(FileManager.default.fileExists(atPath: crier.statePath), "looking moves nothing")
        let run = try await crier.run(command)
        #expect(run.status == 65)
        #expect(run.errors.contains("is corrupt; it was set aside as \(crier.statePath).corrupt-"))
        #expect(run.errors.hasSuffix("starts afresh; nothing is raised until you run `crier authorize`\n"))
        let aside = try files(crier)
        #expect(aside.count == 1)
        #expect(crier.folder.read(aside[0]) == damaged)
        #expect(try await crier.run("fetch").status == 69, "a fresh state, and a source that fails")
    }

    @Test(arguments: [["mute", "1h"], ["unmute"], ["authorize", "--allow"]])
    func whereThereIsNoPlaceForAStateThatIsToldOnce(command: [String]) async throws {
        var crier = try BuiltCrier(config)
        for name in ["HOME", "XDG_STATE_HOME", "CRIER_STATE"] { crier.environment[name] = nil }
        let run = try await crier.run(command)
        #expect(run.status == 66 && run.errors == "crier: no home folder: say where the state is with --state\n")
        let check = try await crier.run("check")
        #expect(check.status == 0 && check.errors.isEmpty, "it needs none")
    }

    /// As a disk leaves it that lost what had been written.
    @Test(arguments: [["fetch"], ["simulate", "fetch", "news"], ["digest", "evening"], ["authorize", "--allow"]])
    func aStateOfWhichAnEmptyFileIsLeftIsToldAsLost(command: [String]) async throws {
        let crier = try BuiltCrier(config + "digests: {evening: {at: '18:00'}}\n")
        let words = "the state file \(crier.statePath) is empty: what it may have held is lost, and a new one begins; "
        try crier.folder.write("", to: "crier.sqlite")
        // One that was made just now may be that of another run, which begins.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: crier.statePath)
        #expect(try await crier.run(command).errors.contains(words))
    }

    @Test func whatDoesNotBeginAsADatabaseIsLeftAlone() async throws {
        let crier = try BuiltCrier(config)
        let path = crier.folder.file("crier.yaml")
        for arguments in [
            ["fetch"], ["agent"], ["status"], ["simulate", "plan"], ["simulate", "launch"],
            ["simulate", "fetch", "news"], ["authorize", "--allow"], ["vacuum"], ["mute", "1h"],
        ] {
            let run = try await crier.run(arguments + ["--state", path])
            #expect(run.status == 65, "\(arguments)")
            #expect(
                run.errors == "crier: the state file \(path) is no database; choose another with "
                    + "--state, or move it away if it was a state\n", "\(arguments)")
            #expect(crier.folder.read("crier.yaml") == config)
        }
        #expect(try files(crier) == [])
    }

    /// As a file system may leave a file at a power cut.
    @Test func whereNothingButAStateLiesItIsOneThatWasDamaged() async throws {
        var crier = try BuiltCrier(config)
        crier.environment["CRIER_STATE"] = nil
        crier.environment["XDG_STATE_HOME"] = crier.folder.file("home")
        try crier.folder.write(String(repeating: "\0", count: 8192), to: "home/crier/crier.sqlite")
        let look = try await crier.run("status")
        #expect(look.status == 65 && look.errors.contains("is no database; choose another with --state"))
        #expect(try await crier.run("fetch").errors.contains("is corrupt; it was set aside as "))
        #expect(try files(crier, in: "home/crier").count == 1)
        #expect(try await crier.run("fetch").status == 69)
    }

    @Test func aFolderThatCannotBeMadeIsToldWithItsCause() async throws {
        var crier = try BuiltCrier(config)
        let locked = crier.folder.file("locked")
        let state = "\(locked)/state/crier/crier.sqlite"
        crier.environment["CRIER_STATE"] = state
        try FileManager.default.createDirectory(
            atPath: locked, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o500])
        for arguments in [["fetch"], ["agent"], ["authorize", "--allow"], ["simulate", "launch"]] {
            guard let run = try await crier.runAsNobody(arguments) else { return }
            #expect(run.status == 74, "\(arguments)")
            #expect(run.errors == "crier: cannot make the folder \(locked)/state/crier: Permission denied\n")
        }
        let told = try await crier.runAsNobody(["doctor", "--format", "json"])?.objects.first {
            $0["subject"] as? String == "state"
        }
        let finding = try #require(told)
        #expect(finding["verdict"] as? String == "fail")
        #expect(
            finding["words"] as? String
                == "there is none yet at \(state), and it cannot be made in \(locked): Permission denied")
        #expect((finding["remedy"] as? String)?.hasSuffix("choose another place with --state") == true)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: locked)
        #expect(try await crier.runAsNobody(["authorize", "--allow"])?.status == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: "\(locked)/state/crier")[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test func whatCannotBeLookedAtIsNotTakenForNoState() async throws {
        var crier = try BuiltCrier(config)
        let locked = crier.folder.file("locked")
        crier.environment["CRIER_STATE"] = "\(locked)/crier.sqlite"
        try FileManager.default.createDirectory(
            atPath: locked, withIntermediateDirectories: false, attributes: [.posixPermissions: 0])
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: locked) }
        for arguments in [["status"], ["log"], ["vacuum"], ["simulate"]] {
            guard let run = try await crier.runAsNobody(arguments) else { return }
            #expect(run.status == 74, "\(arguments)")
            #expect(run.errors == "crier: cannot look at the state file \(locked)/crier.sqlite: Permission denied\n")
        }
        let doctor = try await crier.runAsNobody("doctor")
        #expect(doctor?.status != 0 && doctor?.output.contains("Permission denied") == true)
    }

    @Test func aFolderInTheStatesPlaceIsToldAsThat() async throws {
        let crier = try BuiltCrier(config)
        for arguments in [["status"], ["vacuum"], ["simulate"]] {
            let run = try await crier.run(arguments + ["--state", crier.folder.path])
            #expect(run.status == 74 && run.errors.contains(" is no file but a folder or a device; "), "\(arguments)")
        }
        try #require(mkfifo(crier.folder.file("pipe"), 0o600) == 0)
        for path in [crier.folder.path, crier.folder.file("pipe")] {
            let doctor = try await crier.run("doctor", "--format", "json", "--state", path)
            let finding = try #require(doctor.objects.first { $0["subject"] as? String == "state" })
            #expect(finding["verdict"] as? String == "fail")
            #expect(finding["remedy"] as? String == "mv \(path) elsewhere, or choose another with --state")
        }
    }

    @Test func anAgentStartsAfresh() async throws {
        let bench = try await AgentBench()
        try bench.crier.folder.write(damaged, to: "crier.sqlite")
        let agent = try await bench.agent()
        #expect(await agent.end() == 0)
        let said = await agent.everythingSaid()
        #expect(said.contains { $0.contains("is corrupt; it was set aside as ") && $0.contains("starts afresh; ") })
        #expect(try files(bench.crier).count == 1)
        #expect(try await bench.crier.run("status").status == 0)
        await bench.origin.stop()
    }

    @Test func anAgentWhoseStateIsDamagedMeanwhileLeavesItToTheNext() async throws {
        let bench = try await AgentBench()
        await bench.origin.script(
            "/feed", [1...3000, 2000...5000].map { ScriptedAnswer(body: atomFeed($0)) })
        try await bench.crier.run("fetch", "--quiet")
        let agent = try await bench.agent()
        // In pages that it has had no reason to read yet.
        let file = try #require(FileHandle(forUpdatingAtPath: bench.crier.statePath))
        for offset in stride(from: 8 * 4096, to: try file.seekToEnd(), by: 4096) {
            try file.seek(toOffset: offset)
            try file.write(contentsOf: Data([0x77]))
        }
        try file.close()
        // Which finds no agent any more where that has looked at one of them meanwhile.
        try await bench.crier.run("fetch", "--force", "--quiet")
        try await agent.says("is corrupt; it was set aside as \(bench.crier.statePath).corrupt-")
        #expect(await agent.end(0) == 74)
        #expect(try files(bench.crier).contains { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") })
        await bench.origin.stop()
    }

    /// A run as `nobody`, to whom a folder belongs in which root has made a state; and its path. Nil where that cannot be tried.
    private func lookAsNobody(
        at place: String, mine: String?, _ arguments: String...
    ) async throws -> (run: BuiltCrier.Outcome, folder: String, state: String)? {
        guard geteuid() == 0 else {
            print("skipped: not root")
            return nil
        }
        var crier = try BuiltCrier(config)
        let other = try TemporaryFolder()
        let state = other.file(place)
        crier.environment["CRIER_STATE"] = state
        _ = try await crier.run("fetch")
        #expect(chmod(other.path, 0o755) == 0)
        if let mine { #expect(chmod(other.file(mine), 0o755) == 0 && chown(other.file(mine), 65534, 65534) == 0) }
        guard let run = try await crier.runAsNobody(arguments) else { return nil }
        return (run, other.path, state)
    }

    @Test func aStateThatRootHasMadeIsToldWithWhatGivesItBack() async throws {
        for (command, words) in [("fetch", "cannot create the lock file"), ("status", "cannot open the state file")] {
            guard let look = try await lookAsNobody(at: "mine/crier.sqlite", mine: "mine", command) else { return }
            let file = command == "fetch" ? look.state + ".lock" : look.state
            let remedy = "it belongs to root; `sudo chown nobody \(look.state)*` makes it yours"
            #expect(look.run.status == 74 && look.run.errors == "crier: \(words) \(file): \(remedy)\n")
        }
        let doctor = try await lookAsNobody(at: "mine/crier.sqlite", mine: "mine", "doctor", "--format", "json")
        guard let doctor else { return }
        #expect(doctor.run.objects.contains { $0["remedy"] as? String == "sudo chown nobody \(doctor.state)*" })
    }

    @Test(arguments: [("my home/.local/state/crier", "/.local"), ("my home/crier", "/crier")])
    func aFolderThatRootHasMadeInOneOfTheUsersIsToldToo(folder: String, closed: String) async throws {
        guard let look = try await lookAsNobody(at: "\(folder)/crier.sqlite", mine: "my home", "fetch") else { return }
        let remedy = "it belongs to root; `sudo chown -R nobody '\(look.folder)/my home\(closed)'` makes it yours"
        #expect(look.run.status == 74 && look.run.errors.contains(remedy), "\(look.run)")
    }

    @Test(
        .enabled(if: geteuid() == 0, "not root"),
        arguments: [("crier.sqlite", "create the state file"), ("crier/crier.sqlite", "make the folder")])
    func aFolderOfRootThatMayBeEnteredIsToldToo(file: String, words: String) async throws {
        var crier = try BuiltCrier(config)
        let home = try TemporaryFolder()
        let closed = home.file(".local")
        crier.environment["CRIER_STATE"] = "\(closed)/\(file)"
        #expect(mkdir(closed, 0o755) == 0 && chown(home.path, 65534, 65534) == 0)
        guard let run = try await crier.runAsNobody("authorize", "--allow") else { return }
        let remedy = "it belongs to root; `sudo chown -R nobody \(closed)` makes it yours"
        #expect(run.status == 74 && run.errors.contains(words) && run.errors.hasSuffix(": \(remedy)\n"), "\(run)")
    }

    @Test func nobodyIsToldToTakeTheFolderOfAnother() async throws {
        guard let look = try await lookAsNobody(at: "etc/crier.sqlite", mine: nil, "fetch") else { return }
        #expect(look.run.status == 74 && !look.run.errors.contains("sudo"), "\(look.run)")
    }
}
