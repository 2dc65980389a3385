import CrierTesting
import Foundation
import Testing

@Suite("The command that tests a sink")
struct SinkCommandTests {
    @Test("It raises a notification, says what the sink shows and what it drops, and fails when it is refused")
    func tests() async throws {
        var crier = try BuiltCrier(
            "sinks: {file: {path: ~/news.jsonl}, program: {kind: exec, command: [sh, -c, exit 3]}}\n")
        crier.environment["HOME"] = crier.folder.path
        let good = try await crier.run("sink", "test", "file")
        #expect(good.status == 0)
        #expect(good.errors.contains("file: shows title, text, subtitle, link, images"))
        #expect(good.errors.contains("file: drops markup, buttons, replacement; of this test nothing"))
        #expect(good.errors.contains("file: delivered in "))
        #expect(crier.folder.read("news.jsonl")?.contains("Test of the sink file") == true)
        let bad = try await crier.run("sink", "test", "program")
        #expect(bad.status == 69 && bad.errors.contains("sh ended with exit status 3"))
    }

    @Test("A line that the disk has no room for leaves nothing of it in a file")
    func full() async throws {
        let crier = try BuiltCrier()
        let before = String(repeating: "x", count: (1 << 20) - 11) + "\n"
        let path = try crier.folder.write(before, to: "lines")
        try crier.folder.write("sinks: {log: {kind: file, path: '\(path)'}}", to: "crier.yaml")
        let process = crier.process([])
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        // No file may grow beyond a MiB, of which ten bytes are left.
        process.arguments = ["-c", "trap '' XFSZ; ulimit -f 1024; exec \"$0\" sink test log", BuiltCrier.binary]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try await process.runToEnd()
        #expect(process.terminationStatus == 69)
        #expect(crier.folder.read("lines") == before)
    }

    @Test func aProgramHasWorkedAlsoWhereChildrenAreForgotten() async throws {
        let crier = try BuiltCrier("")
        let feed = try crier.folder.write(atomFeed(1...1), to: "feed.xml")
        let heard = crier.folder.file("heard")
        try crier.folder.write(
            """
            sinks: {program: {kind: exec, command: [sh, -c, 'cat >> \(heard)']}}
            sources: {news: {url: 'file://\(feed)'}}
            """, to: "crier.yaml")
        try await crier.authorize()
        let outcome = try await crier.run(["fetch"]) { process in
            process.arguments =
                ["-c", "trap '' CHLD; exec \"$0\" \"$@\"", BuiltCrier.binary] + (process.arguments ?? [])
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
        }
        #expect(outcome.status == 0 && !outcome.errors.contains("signal"), "\(outcome)")
        #expect(try await crier.run("deliveries", "list", "--all").output.contains("delivered"))
    }
}
