import CrierTesting
import Foundation
import Testing

/// A backup that is kept safe is looked at as it lies there.
@Suite struct ReadOnlyStateTests {
    @Test(.enabled(if: MountSpace.isPossible, "may not mount a tmpfs (unshare -rm)"))
    func theDoctorDoesNotTakeAReadOnlyDiskForAMode() async throws {
        var crier = try BuiltCrier()
        try crier.putStateOnDisk()
        let script = """
            mount -t tmpfs none "$disk"
            "$crier" authorize --allow > /dev/null
            mount -o remount,ro "$disk"
            "$crier" doctor --format json | grep '"subject":"state"'
            """
        let finding = try await MountSpace.output(of: script, crier.environment)
        #expect(finding.contains("\"verdict\":\"fail\""), "\(finding)")
        #expect(finding.contains("\"remedy\":\"mount it writable, or choose another with --state\""), "\(finding)")
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

    /// As a container that watches over another may have its volume.
    @Test(.enabled(if: MountSpace.isPossible, "may not mount a tmpfs (unshare -rm)"))
    func aStateThatOnlyTheAgentMayWriteIsLookedAtBesideIt() async throws {
        var crier = try BuiltCrier("sources: {}\n")
        try crier.putStateOnDisk()
        crier.environment["log"] = crier.folder.file("log")
        let script = """
            mount -t tmpfs none "$disk"
            "$crier" authorize --allow > /dev/null
            mkfifo "$log"
            "$crier" agent > /dev/null 2> "$log" & agent=$!
            exec 3< "$log"
            while read -r line <&3 && [[ $line != *"cannot reach the agent"* ]]; do :; done
            "$crier" authorize --deny > /dev/null
            test -s "$disk/crier.sqlite-wal" || echo "without a log"
            unshare -m bash -c 'mount -o remount,ro,bind "$disk" && ls "$disk" > "$log.before" && "$crier" status
                "$crier" deliveries list --all; ls "$disk" | diff "$log.before" -' | sed "s/ $agent)/)/"
            kill "$agent"; wait "$agent"
            """
        let said = try await MountSpace.output(of: script, crier.environment)
        #expect(said.contains("denied") && !said.contains("without a log"), "\(said)")
        #expect(!said.contains("read-only"), "\(said)")
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
