import CrierTesting
import Foundation
import Testing

/// A path on the command line is what the system takes it for.
@Suite struct PathTests {
    private let config = "sources:\n  a: {url: 'https://a.example/'}\n"

    /// `link` leads to `real/sub`, so that `link/..` is `real`.
    private func crier() throws -> BuiltCrier {
        let crier = try BuiltCrier()
        try crier.folder.write("", to: "real/sub/empty")
        try FileManager.default.createSymbolicLink(
            atPath: crier.folder.file("link"), withDestinationPath: "real/sub")
        return crier
    }

    private func run(_ crier: BuiltCrier, _ arguments: String...) async throws -> BuiltCrier.Outcome {
        try await crier.run(shell: "cd \"$1\" && shift && exec \"$0\" \"$@\"", [crier.folder.path] + arguments)
    }

    @Test func exportReplacesNoFileOfOursByAnotherName() async throws {
        let crier = try crier()
        try crier.folder.write(config, to: "real/c.yaml")
        let run = try await run(crier, "export", "link/../c.yaml", "--config", "real/c.yaml", "--force")
        #expect(run.status == 73, "\(run.errors)")
        #expect(crier.folder.read("real/c.yaml") == config)
    }

    @Test func filesAreReadAndWrittenWhereTheSystemFindsThem() async throws {
        let crier = try crier()
        try crier.folder.write(atomFeed(1...1), to: "real/f.xml")
        try crier.folder.write(atomFeed(1...1), to: "~/f.xml")
        for path in ["link/../f.xml", "~/f.xml"] {
            let run = try await run(crier, "parse", path)
            #expect(run.status == 0, "\(run.errors)")
        }
        for (path, place) in [("link/../man", "real/man"), ("~/man", "~/man")] {
            #expect(try await run(crier, "manual", path).status == 0)
            #expect(crier.folder.read("\(place)/man1/crier.1") != nil, "\(path)")
        }
    }

    @Test func aStateThatIsYetToBeIsLockedWhereItWillBe() async throws {
        let crier = try crier()
        let feed = try crier.folder.write(atomFeed(1...1), to: "feed.xml")
        try crier.folder.write("sources:\n  a: {url: 'file://\(feed)'}\n", to: "c.yaml")
        let run = try await run(crier, "fetch", "--config", "c.yaml", "--state", "link/../s.sqlite")
        #expect(run.errors.isEmpty || run.status == 77, "\(run.errors)")
        #expect(crier.folder.read("real/s.sqlite.lock") != nil)
        #expect(crier.folder.read("s.sqlite.lock") == nil)
    }

    @Test func aStateWhosePathIsTooLongIsToldAsThat() async throws {
        let crier = try crier()
        let name = String(repeating: "n", count: 200)
        let path = crier.folder.file("\(name)/\(name)/\(name)")
        let run = try await run(crier, "authorize", "--allow", "--state", path)
        #expect(run.status == 74)
        #expect(run.errors == "crier: cannot open the state file \(path): its path is longer than SQLite takes\n")
    }

    /// By whoever uses it next, whatever the mask of new files takes away.
    @Test func aStateAndItsLockAreWrittenByTheirOwner() async throws {
        let crier = try crier()
        try crier.folder.write("sources: {a: {url: 'file:///no/such/feed'}}\n", to: "crier.yaml")
        _ = try await crier.run(shell: "umask 777; exec \"$0\" fetch")
        let modes = try ["", ".lock"].map {
            try FileManager.default.attributesOfItem(atPath: crier.statePath + $0)[.posixPermissions] as? Int
        }
        #expect(modes == [0o600, 0o600])
    }

    @Test(arguments: ["s", "d/s.sqlite", "d/e/s", "é", "./s", "~/a/s.sqlite"])
    func aStateIsMadeWhereverItIsToBe(_ path: String) async throws {
        let crier = try crier()
        let run = try await run(crier, "authorize", "--allow", "--state", path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(FileManager.default.fileExists(atPath: crier.folder.file(path)))
    }

    @Test func theHomeFolderIsPutForTheTildeOfAVariable() async throws {
        var crier = try crier()
        crier.environment["HOME"] = crier.folder.path
        crier.environment["CRIER_STATE"] = "~/a/s.sqlite"
        #expect(try await crier.run("authorize", "--allow").status == 0)
        #expect(FileManager.default.fileExists(atPath: crier.folder.file("a/s.sqlite")))
    }

    @Test func aWorkingFolderThatIsGoneIsTold() async throws {
        let crier = try crier()
        try crier.folder.write(config, to: "c.yaml")
        let script =
            "cd \"$1/real/sub\" && rm -r ../sub && exec \"$0\" fetch --config \"$1/c.yaml\" --state x.sqlite"
        let run = try await crier.run(shell: script, [crier.folder.path])
        #expect(run.status == 74, "\(run.errors)")
        #expect(run.errors.contains("cannot create the lock file"))
    }
}
