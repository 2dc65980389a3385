import CrierTesting
import Foundation
import Testing

/// A backup that is kept safe is looked at as it lies there.
@Suite struct ReadOnlyStateTests {
    /// When one has to look what is the matter.
    @Test func aStateOnAFullDiskIsLookedAt() async throws {
        var crier = try BuiltCrier("sources: {news: {url: 'https://e.example/feed'}}")
        guard let disk = try await SmallDisk(withStateOf: &crier, name: "full ?#%41", options: "size=1m") else {
            return
        }
        try await crier.authorize()
        let filler = crier.folder.file("full ?#%41/filler")
        try Data().write(to: URL(fileURLWithPath: filler))
        let handle = try #require(FileHandle(forWritingAtPath: filler))
        while (try? handle.write(contentsOf: Data(count: 4096))) != nil {}
        for command in [["status"], ["log"], ["deliveries", "list", "--all"], ["why", "news"]] {
            let look = try await crier.run(command)
            #expect(look.status == 0 && look.errors.isEmpty, "\(command): \(look.errors)")
        }
        #expect(try await crier.run("status").output.contains("authorized"))
        #expect(try await crier.run("mute", "1h").status == 74, "nobody is told that anything was changed")
        try handle.close()
        try await disk.unmount()
    }

    @Test func theDoctorDoesNotTakeAReadOnlyDiskForAMode() async throws {
        var crier = try BuiltCrier()
        guard let disk = try await SmallDisk(withStateOf: &crier, options: "size=1m") else { return }
        try await crier.authorize()
        try await disk.remount("ro")
        let run = try await crier.run("doctor", "--format", "json")
        let finding = try #require(run.objects.first { $0["subject"] as? String == "state" })
        #expect(finding["verdict"] as? String == "fail")
        #expect(finding["remedy"] as? String == "mount it writable, or choose another with --state")
        try await disk.unmount()
    }

    @Test(arguments: [["status"], ["log"], ["deliveries", "list", "--all"], ["why", "news"]])
    func aBackupThatMayOnlyBeReadIsLookedAt(_ command: [String]) async throws {
        let crier = try BuiltCrier("sources: {news: {url: 'https://e.example/feed'}}")
        try await crier.authorize()
        let copy = crier.folder.file("safe.sqlite")
        #expect(try await crier.run("backup", copy).status == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: copy)
        guard let look = try await crier.runAsNobody(command + ["--state", copy]) else { return }
        #expect(look.status == 0 && look.errors.isEmpty, "\(look.errors)")
        let left = try FileManager.default.contentsOfDirectory(atPath: crier.folder.path)
        #expect(left.filter { $0.hasPrefix("safe.") } == ["safe.sqlite"])
        let change = try await crier.runAsNobody("authorize", "--deny", "--state", copy)
        #expect(change?.status == 74, "nobody is told that a copy was changed")
    }

    @Test func aStateThatMayOnlyBeReadKeepsNobodyFromTrying() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...3))])
        let crier = try BuiltCrier("sources: {news: {url: '\(origin.url("/feed"))'}}\n")
        try await crier.authorize()
        let copy = crier.folder.file("safe.sqlite")
        #expect(try await crier.run("backup", copy).status == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: copy)
        guard let run = try await crier.runAsNobody("try", "news", "--state", copy) else { return }
        #expect(run.status == 0 && run.output.contains("Item 3"), "\(run)")
    }
}
