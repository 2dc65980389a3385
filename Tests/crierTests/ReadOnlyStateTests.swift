import CrierTesting
import Foundation
import Testing

/// A backup that is kept safe is looked at as it lies there.
@Suite struct ReadOnlyStateTests {
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
}
