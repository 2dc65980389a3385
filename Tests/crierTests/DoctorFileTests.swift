import CrierTesting
import Foundation
import Testing

@Suite("The doctor looks at the files, and at who may do what with them")
struct DoctorFileTests: DoctorSuite {
    @Test func permissionsThatAreTooWideAreTold() async throws {
        let crier = try machine(Self.desktopConfig)
        try await crier.authorize()
        #expect(try await verdicts(crier, "state") == ["ok"])
        #expect(try await verdicts(crier, "configuration") == ["ok"])
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: crier.statePath)
        try files.setAttributes([.posixPermissions: 0o666], ofItemAtPath: crier.folder.file("crier.yaml"))
        #expect(try await verdicts(crier, "state") == ["ok", "warn"])
        #expect(try await verdicts(crier, "state") == ["ok"], "it was made private")
        #expect(try await verdicts(crier, "configuration") == ["ok", "warn"])
    }

    @Test func ofALinkItIsTheTargetThatCounts() async throws {
        let crier = try machine(Self.desktopConfig)
        try await crier.authorize()
        let files = FileManager.default
        for name in ["crier.yaml", "crier.sqlite"] {
            try files.createDirectory(
                atPath: crier.folder.file("dotfiles"), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try files.moveItem(atPath: crier.folder.file(name), toPath: crier.folder.file("dotfiles/\(name)"))
            try files.createSymbolicLink(atPath: crier.folder.file(name), withDestinationPath: "dotfiles/\(name)")
        }
        let size = try #require(
            try files.attributesOfItem(atPath: crier.folder.file("dotfiles/crier.sqlite"))[.size] as? Int)
        let run = try await crier.run("doctor", "--format", "json")
        #expect(findings(run, "configuration").compactMap { $0["verdict"] as? String } == ["ok"])
        let state = findings(run, "state")
        #expect(state.count == 1 && size > 10_000)
        #expect((state[0]["words"] as? String)?.hasSuffix(size.formatted(.byteCount(style: .file))) == true)
        let target = crier.folder.file("dotfiles/crier.yaml")
        try files.setAttributes([.posixPermissions: 0o666], ofItemAtPath: target)
        #expect(try await verdicts(crier, "configuration") == ["ok", "warn"])
    }

    @Test func aFolderInWhichOthersMayExchangeTheConfigurationIsTold() async throws {
        let crier = try machine(Self.desktopConfig)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: crier.folder.path)
        let run = try await crier.run("doctor", "--format", "json")
        #expect(findings(run, "configuration").last?["remedy"] as? String == "chmod go-w \(crier.folder.path)")
        try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: crier.folder.path)
        #expect(try await verdicts(crier, "configuration") == ["ok"])
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser can give a file away"))
    func whatIsAnothersIsForItsOwnerToChange() async throws {
        let crier = try machine(Self.desktopConfig)
        let path = crier.folder.file("crier.yaml")
        #expect(chmod(path, 0o666) == 0 && chown(path, 65_534, 65_534) == 0)
        let run = try await crier.run("doctor", "--format", "json")
        #expect(findings(run, "configuration").last?["remedy"] as? String == "nobody, its owner: chmod go-w \(path)")
    }

    /// A superuser of a namespace may not open what is of a user that it does not have.
    @Test(.enabled(if: geteuid() == 0 && MountSpace.isPossible, "may not mount a tmpfs (unshare -rm)"))
    func whoMayNotOpenWhatIsAnothersIsNotToChangeItsMode() async throws {
        var crier = try machine(Self.desktopConfig)
        let outer = try crier.folder.write("", to: "outer/inner/crier.sqlite")
        let config = crier.folder.file("crier.yaml")
        for path in [crier.folder.file("outer"), crier.folder.file("outer/inner"), outer, config] {
            #expect(chown(path, 65_534, 65_534) == 0)
        }
        #expect(chmod(outer, 0o600) == 0 && chmod(config, 0o600) == 0)
        crier.environment.merge(["CRIER_STATE": outer, "crier": BuiltCrier.binary, "PATH": "/usr/bin:/bin"]) { $1 }
        let script = #""$crier" doctor --format json; true"#
        let said = try await MountSpace.output(of: script, crier.environment)
        for way in ["name another with --config", "choose another with --state"] {
            #expect(said.contains("run crier as nobody, whose it is, or \(way)"), "\(said)")
        }
    }

    @Test func filesOfSinksThatCannotBeWrittenAreTold() async throws {
        let crier = try machine("sinks: {news: {kind: file, path: ~/news}, log: {kind: feed, path: ~/file/feed}}\n")
        func words() async throws -> [String] {
            let run = try await crier.run("doctor", "--format", "json")
            return findings(run, "sink").filter { $0["verdict"] as? String == "fail" }
                .compactMap { $0["words"] as? String }
        }
        #expect(try await words() == [])
        try crier.folder.write("", to: "file")
        try FileManager.default.createDirectory(
            atPath: crier.folder.file("news"), withIntermediateDirectories: false)
        #expect(
            try await words() == [
                "~/news of the sink news cannot be written: Is a directory",
                "~/file/feed of the sink log cannot be written: Not a directory",
            ])
    }

    /// Whom the modes of files bind.
    @Test func filesOfSinksThatMayNotBeWrittenAreTold() async throws {
        let crier = try machine(
            "sinks: {a: {kind: file, path: ~/a}, b: {kind: feed, path: ~/b}, c: {kind: file, path: ~/closed/new/c}}\n")
        for name in ["a", "b", "closed/c"] { try crier.folder.write("", to: name) }
        #expect(chmod(crier.folder.file("a"), 0o400) == 0 && chmod(crier.folder.file("closed"), 0o500) == 0)
        // It is replaced, whatever its mode.
        #expect(chmod(crier.folder.file("b"), 0o400) == 0)
        guard let run = try await crier.runAsNobody("doctor", "--format", "json") else { return }
        let failed = findings(run, "sink").filter { $0["verdict"] as? String == "fail" }
        #expect(
            failed.compactMap { $0["words"] as? String } == [
                "~/a of the sink a cannot be written: Permission denied",
                "~/closed/new/c of the sink c cannot be written: Permission denied",
            ])
    }
}
