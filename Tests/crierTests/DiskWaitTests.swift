import CrierStore
import CrierTesting
import Foundation
import Testing

/// What waits for the disk before it is called delivered, by the calls that the system sees.
@Suite(.enabled(if: SystemCalls.isPossible, "may not trace a process (strace)")) struct DiskWaitTests {
    @Test func whatIsWrittenOutlivesAPowerCut() async throws {
        let crier = try BuiltCrier()
        let folder = crier.folder
        try folder.write(
            """
            sinks:
              here: {kind: stdout}
              lines: {kind: file, path: '\(folder.file("a/b/lines.jsonl"))'}
            sources:
              news: {url: 'file://\(folder.file("feed.xml"))', to: [here, lines]}
            """, to: "crier.yaml")
        try folder.write(atomFeed(1...2), to: "feed.xml")
        try await crier.authorize()
        let run = try await crier.run(["fetch"]) { SystemCalls.trace($0, "fsync,fdatasync", to: folder.file("calls")) }
        #expect(run.output.hasPrefix("Item 2\n"))
        let calls = folder.read("calls") ?? ""
        #expect(calls.contains("fsync(1<"), "standard output is a file")
        // A new name is on the disk only when its folder is.
        for name in ["a", "a/b", "a/b/lines.jsonl"] { #expect(calls.contains("/\(name)>"), "\(name): \(calls)") }
    }

    /// Some file systems find out only when they are waited for.
    @Test func whatTheDiskHasNoRoomForIsNotDelivered() async throws {
        let crier = try BuiltCrier()
        let folder = crier.folder
        try folder.write("sources: {news: {url: 'file://\(folder.file("feed.xml"))'}}\n", to: "crier.yaml")
        try folder.write(atomFeed(1...2), to: "feed.xml")
        try await crier.authorize()
        let run = try await crier.run(["fetch"]) {
            SystemCalls.trace($0, "fsync,fdatasync", to: folder.file("calls"), fault: "fsync:error=ENOSPC")
        }
        #expect(run.output.hasPrefix("Item 2\n"))
        let store = try Store(path: crier.statePath)
        let reasons = try store.deliveries(in: [.pending]).map(\.lastError)
        #expect(reasons == ["the output cannot be written: No space left on device"])
    }
}
