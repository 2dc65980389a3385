import CrierStore
import CrierTesting
import Foundation
import GRDB
import Testing

@Suite struct WrongInputTests {
    private let config = "sources:\n  news: {url: 'file:///no/such/feed'}\n"

    @Test func noConfigurationIsToldWithItsPath() async throws {
        let crier = try BuiltCrier()
        for command in ["fetch", "list", "check", "status"] {
            let run = try await crier.run(command)
            #expect(run.status == 66)
            #expect(
                run.errors
                    == "crier: no configuration at \(crier.folder.file("crier.yaml")); `crier add URL` makes one\n")
        }
        #expect(!FileManager.default.fileExists(atPath: crier.statePath))
    }

    @Test func aBadConfigurationIsToldWithItsPlaces() async throws {
        let crier = try BuiltCrier("sources:\n  news:\n    url: ftp://e.example/\n    notify: weekly\n")
        let run = try await crier.run("check")
        #expect(run.status == 78)
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.contains("crier.yaml:3:10: sources.news.url: ") == true)
        #expect(lines.last?.contains("crier.yaml:4:13: sources.news.notify: ") == true)
    }

    @Test func aConfigurationThatCannotBeReadIsNeverWrittenOver() async throws {
        let crier = try BuiltCrier()
        // A file that is there and gives an error at its first byte, for root as for anyone.
        try FileManager.default.createSymbolicLink(
            atPath: crier.folder.file("crier.yaml"), withDestinationPath: "/proc/self/mem")
        for arguments in [
            ["fetch"], ["list"], ["remove", "a"], ["add", "https://e.example/", "--name", "a", "--no-visit"],
        ] {
            let run = try await crier.run(arguments)
            #expect(run.status == 66, "\(arguments)")
            #expect(
                run.errors
                    == "crier: the configuration \(crier.folder.file("crier.yaml")): cannot read: Input/output error\n")
        }
        let secret = try BuiltCrier("# mine\n")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: secret.folder.file("crier.yaml"))
        let run = try await secret.runAsNobody("add", "https://e.example/", "--name", "a", "--no-visit")
        #expect(run == nil || run?.status == 66)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: secret.folder.file("crier.yaml"))
        #expect(secret.folder.read("crier.yaml") == "# mine\n")
    }

    @Test func aFileThatCannotBeReadOrWrittenIsToldWithItsCause() async throws {
        let crier = try BuiltCrier(config)
        let missing = crier.folder.file("missing")
        let folder = crier.folder.path
        for (arguments, status, errors) in [
            (["parse", missing], 66, "crier: \(missing): cannot be read: No such file or directory\n"),
            (["import", missing], 66, "crier: \(missing): cannot be read: No such file or directory\n"),
            (["parse", folder], 66, "crier: \(folder): cannot be read: Is a directory\n"),
            (
                ["export", "\(missing)/x"], 74,
                "news is no feed for other readers: left out\n"
                    + "crier: \(missing)/x: cannot write: No such file or directory\n"
            ),
        ] {
            let run = try await crier.run(arguments)
            #expect(run.status == Int32(status))
            #expect(run.errors == errors)
        }
    }

    @Test func whatTellsOfTheWholeConfigurationTellsItsMistakesByItsStatusToo() async throws {
        let crier = try BuiltCrier(
            """
            digests: {morning: {at: '08:30'}}
            sources: {news: {url: 'file:///no/such/feed'}, bad: {url: 'ftp://e.example/'}}
            """)
        for (command, word) in [("status", "news"), ("digest", "morning"), ("simulate", "news"), ("list", "news")] {
            let run = try await crier.run(command)
            #expect(run.status == 78 && run.output.contains(word), "\(run)")
            #expect(run.errors.contains("sources.bad.url"))
        }
        #expect(try await crier.run("digest", "morning", "--preview").status == 0)
    }

    @Test func anEditOfABrokenConfigurationTellsItsPlace() async throws {
        let broken = "sinks: {}\nsources:\n  a: {url: 'https://e.example/'\n"
        let crier = try BuiltCrier(broken)
        for arguments in [["remove", "a"], ["add", "https://e.example/b", "--name", "b", "--no-visit"]] {
            let run = try await crier.run(arguments)
            #expect(run.status == 78)
            #expect(run.errors.contains("crier.yaml:3:6: a mapping that begins with { is not closed"), "\(run.errors)")
            #expect(run.errors.hasSuffix("crier: nothing was changed\n"))
        }
        #expect(crier.folder.read("crier.yaml") == broken)
        // A mistake elsewhere does not hide the sources.
        let other = try BuiltCrier("sinks: {nowhere: {}}\nsources:\n  news: {url: 'https://e.example/'}\n")
        #expect(
            try await other.run("remove", "nwes").errors
                == "crier: no source is called \"nwes\"; did you mean \"news\"?\n")
        #expect(try await other.run("add", "https://e.example/", "--name", "news", "--no-visit").status == 64)
        #expect(try await other.run("remove", "news").status == 0)
        // Nor is it why a source stays that others need.
        let shared = try BuiltCrier(
            "sinks: {stdout: {foo: 1}}\nsources:\n  a: &a {url: 'https://e.example/'}\n  b: {<<: *a}\n")
        let words = try await shared.run("remove", "a").errors
        #expect(words.contains("\"a\" cannot be removed, as line 4, column 11 would be wrong"), "\(words)")
        #expect(!words.contains("foo"))
    }

    @Test func aSourceThatADigestNamesStaysAndThePlaceIsTold() async throws {
        let text = "digests: {morning: {at: '08:30', sources: [news]}}\nsources:\n  news: {url: 'https://e.example/'}\n"
        let crier = try BuiltCrier(text)
        let run = try await crier.run("remove", "news")
        #expect(run.status == 78)
        #expect(
            run.errors
                == "\(crier.folder.file("crier.yaml")):1:44: digests.morning.sources names it\n"
                + "crier: nothing was changed; take \"news\" out there first\n")
        #expect(crier.folder.read("crier.yaml") == text)
    }

    @Test func lookingAndWordsThatDecideNothingMakeNoState() async throws {
        let crier = try BuiltCrier(config)
        #expect(try await crier.run("authorize").status == 77)
        #expect(try await crier.run("deliveries", "retry", "1").status == 64)
        #expect(try await crier.run("deliveries", "drop", "--all").output == "0 dropped.\n")
        #expect(try await crier.run("unmute").output == "It was not muted.\n")
        #expect(try await crier.run("background").output == "Fetching in the background is on.\n")
        #expect(!FileManager.default.fileExists(atPath: crier.statePath))
    }

    @Test func aStateThatMayOnlyBeReadIsOneSentenceAndWorksAgainOnceItMayBeWritten() async throws {
        let crier = try BuiltCrier(config)
        try await crier.authorize()
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: crier.statePath)
        let before = try FileManager.default.contentsOfDirectory(atPath: crier.folder.path).filter {
            $0.contains("sqlite")
        }
        guard let run = try await crier.runAsNobody("authorize", "--deny") else { return }
        #expect(run.status == 74)
        #expect(
            run.errors
                == "crier: the state file \(crier.statePath) cannot be written: it, its folder or its disk is read-only\n"
        )
        let after = try FileManager.default.contentsOfDirectory(atPath: crier.folder.path).filter {
            $0.contains("sqlite")
        }
        #expect(after == before)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: crier.statePath)
        #expect(try await crier.runAsNobody("authorize", "--deny")?.status == 0)
    }

    @Test func checkCompilesExpressions() async throws {
        let crier = try BuiltCrier(
            "sources:\n  a: {url: 'https://e.example/', format: json, items: '.x[', fields: {title: .t}}\n")
        let run = try await crier.run("check")
        #expect(run.status == 78)
        #expect(run.errors.contains("sources.a.items"))
    }

    @Test func aStateOfALaterVersionIsRefusedAndLeftAlone() async throws {
        let crier = try BuiltCrier(config)
        try await crier.authorize()
        try await DatabaseQueue(path: crier.statePath).write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 of the future')")
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: crier.statePath))
        for command in [["fetch"], ["status"], ["deliveries", "list"], ["backup", crier.folder.file("b")]] {
            let run = try await crier.run(command)
            #expect(run.status == 65, "\(command)")
            #expect(run.errors.contains("was written by a later version of crier; update crier"), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: crier.statePath)) == bytes)
    }

    @Test func theDatabaseOfAnotherProgramIsRefusedAndLeftAlone() async throws {
        let crier = try BuiltCrier(config)
        try await DatabaseQueue(path: crier.statePath).write { db in
            try db.execute(sql: "CREATE TABLE bookmark (url TEXT); CREATE TABLE source (name TEXT)")
        }
        chmod(crier.statePath, 0o644)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: crier.statePath))
        for command in [["fetch"], ["status"], ["authorize", "--allow"], ["simulate", "plan"]] {
            let run = try await crier.run(command)
            #expect(run.status == 65, "\(command)")
            #expect(run.errors.contains("is the database of another program; choose another with --state"))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: crier.statePath)) == bytes)
        let mode = try FileManager.default.attributesOfItem(atPath: crier.statePath)[.posixPermissions] as? Int
        #expect(mode == 0o644)
    }

    @Test func theDatabaseOfAnotherProgramMayTellItsMigrationsInTheSameWay() async throws {
        let crier = try BuiltCrier(config)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { db in try db.execute(sql: "CREATE TABLE item (url TEXT)") }
        try migrator.migrate(DatabaseQueue(path: crier.statePath))
        for command in [["fetch"], ["simulate", "plan"]] {
            let run = try await crier.run(command)
            #expect(run.status == 65, "\(command)")
            #expect(run.errors.contains("is the database of another program; choose another with --state"))
        }
    }

    @Test func thePathOfAStateIsNothingButAPath() async throws {
        let crier = try BuiltCrier(config)
        for name in ["file:x.db", ":memory:", "x.db"] {
            let run = try await crier.run([]) { process in
                process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                let arguments = ["authorize", "--allow", "--state", name]
                process.arguments = ["-C", crier.folder.path, BuiltCrier.binary] + arguments
            }
            #expect(run.status == 0, "\(run.errors)")
            let file = try FileManager.default.attributesOfItem(atPath: crier.folder.file(name))
            #expect(file[.posixPermissions] as? Int == 0o600)
            #expect((file[.size] as? Int ?? 0) > 0, "\(name)")
            if name != "x.db" { #expect(crier.folder.read("x.db") == nil) }
        }
    }

    @Test func aStateThatCannotBeMadeIsOneSentence() async throws {
        var crier = try BuiltCrier(config)
        try crier.folder.write("a file", to: "blocked")
        crier.environment["CRIER_STATE"] = crier.folder.file("blocked/crier.sqlite")
        let run = try await crier.run("fetch")
        #expect(run.status == 74)
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(run.errors.contains("blocked/crier.sqlite"))
    }

    @Test func aProgramThatPrintsWithoutEndIsStopped() async throws {
        let crier = try BuiltCrier("sources:\n  news: {command: [cat, '/dev/zero']}\n")
        let run = try await crier.run("fetch")
        #expect(run.status == 69)
        #expect(run.errors.contains("news: fetch failed: cat printed more than 10485760 bytes"))
    }

    #if os(Linux)
        @Test(arguments: [["list"], ["--help"], ["help", "add"], ["--version"]])
        func anOutputThatCannotBeWrittenIsAFailure(arguments: [String]) async throws {
            let crier = try BuiltCrier(config)
            let run = try await crier.run(shell: "exec \"$0\" \"$@\" > /dev/full", arguments)
            #expect(run.status == 74)
            #expect(run.errors == "crier: standard output cannot be written: No space left on device\n")
        }

        @Test(arguments: [["list"], ["export"], ["status"]])
        func anOutputThatCannotBeWrittenIsToldBesideAMistake(arguments: [String]) async throws {
            let crier = try BuiltCrier(config + "  wrong: {url: 5}\n")
            let run = try await crier.run(shell: "exec \"$0\" \"$@\" > /dev/full", arguments)
            #expect(run.status == 78)
            #expect(run.errors.hasSuffix("crier: standard output cannot be written: No space left on device\n"))
        }

        @Test(arguments: [["--quiet"], ["--format", "json"], ["--quiet", "--exit-code"]])
        func aNotificationThatCannotBeWrittenIsAFailureOfTheRun(arguments: [String]) async throws {
            let crier = try BuiltCrier("")
            let feed = try crier.folder.write(atomFeed(1...1), to: "feed.xml")
            try crier.folder.write("sources: {news: {url: 'file://\(feed)'}}\n", to: "crier.yaml")
            try await crier.authorize()
            let run = try await crier.run(shell: "exec \"$0\" fetch \"$@\" > /dev/full", arguments)
            #expect(run.status == 74, "\(run)")
        }
    #endif

    @Test func whatIsNoNameIsSaidWithWhatIs() async throws {
        let crier = try BuiltCrier("")
        let long = String(repeating: "y", count: 65)
        let run = try await crier.run("add", "https://e.example/", "--no-visit", "--name", long)
        #expect(run.status == 64 && run.errors.contains("1 to 64 characters"))
        #expect(try await crier.run("add", "https://e.example/", "--no-visit", "--name", "日本").status == 0)
        #expect(try await crier.run("list").output.contains("日本"))
        #expect(try await crier.run("backup", "-").status == 64)
    }

    @Test func aLongNameIsShownWhole() async throws {
        let name = String(repeating: "abcdefgh-", count: 7)
        let crier = try BuiltCrier("sources: {\(name): {url: 'https://e.example/'}}\n")
        for command in ["list", "status"] {
            #expect(try await crier.run(command).output.contains(name))
        }
    }

    @Test(.enabled(if: MountSpace.isPossible, "may not mount a tmpfs (unshare -rm)"))
    func aReadOnlyDiskIsOneSentence() async throws {
        var crier = try BuiltCrier(config)
        try crier.putStateOnDisk()
        let script = """
            mount -t tmpfs none "$disk"
            "$crier" authorize --allow > /dev/null
            mount -o remount,ro "$disk"
            "$crier" fetch 2>&1 > /dev/null; echo "$?"
            """
        let lines = try await MountSpace.output(of: script, crier.environment).split(separator: "\n")
        #expect(lines.count == 2 && lines.last == "74", "\(lines)")
        #expect(lines.first?.lowercased().contains("read-only file system") == true, "\(lines)")
    }
}
