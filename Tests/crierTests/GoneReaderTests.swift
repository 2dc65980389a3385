import CrierTesting
import Foundation
import Testing

/// Whoever has read standard output wants no more of it, as `head -1` after a line.
@Suite(.timeLimit(.minutes(5))) struct GoneReaderTests {
    private func statusWithoutReader(_ crier: BuiltCrier, _ arguments: [String]) async throws -> Int32 {
        try await statusWithoutReader(crier.process(arguments))
    }

    private func statusWithoutReader(_ process: ChildProcess) async throws -> Int32 {
        let output = Pipe()
        try output.fileHandleForReading.close()
        process.standardOutput = output
        process.standardError = process.standardError ?? FileHandle.nullDevice
        try await process.runToEnd()
        // A shell says the same of both.
        if process.terminationReason == .uncaughtSignal { return 128 + process.terminationStatus }
        return process.terminationStatus
    }

    @Test(arguments: [
        ["fetch"], ["fetch", "--quiet"], ["fetch", "--format", "json"], ["fetch", "--scheduled", "--quiet"],
        ["fetch", "--exit-code", "--quiet"], ["digest", "all", "--now"], ["digest", "all", "--now", "--quiet"],
        ["simulate", "fetch", "news"], ["simulate", "launch"],
    ])
    func aRunSaysSoAndWhatItCouldNotPrintIsStillToBeRaised(arguments: [String]) async throws {
        let crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...1), to: "feed.xml")
        let isDigest = arguments.contains("digest")
        try crier.folder.write(
            """
            digests: {\(isDigest ? "all: {at: '08:30'}" : "")}
            sources: {news: {url: 'file://\(feed)', notify: \(isDigest ? "none" : "each"), first: all}}
            """, to: "crier.yaml")
        try await crier.authorize()
        if isDigest { try await crier.run("fetch", "--quiet") }
        #expect(try await statusWithoutReader(crier, arguments) == 128 + SIGPIPE)
        let pending = try await crier.run("deliveries", "list", "--format", "json").objects
        #expect(pending.map { $0["state"] as? String } == ["pending"])
    }

    /// As a program that ignores the signal starts it, or one that has an agent at work is.
    @Test func withoutTheSignalItIsTheSame() async throws {
        let crier = try BuiltCrier("sources: {}\n")
        let process = crier.process(["-c", "trap '' PIPE; exec \"$0\" status", BuiltCrier.binary])
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let path = try crier.folder.write("", to: "said")
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        #expect(try await statusWithoutReader(process) == 128 + SIGPIPE)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "")
    }

    /// As where a shell's other job, or a terminal's multiplexer, has set that for all who have the descriptor.
    @Test func aSlowReaderOfAnOutputThatDoesNotWaitGetsItAll() async throws {
        let crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...1_000), to: "feed.xml")
        let whole = try await crier.run("parse", "--format", "json", feed).output
        let output = Pipe()
        let end = output.fileHandleForWriting.fileDescriptor
        #expect(fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) == 0)
        let process = crier.process(["parse", "--format", "json", feed])
        process.standardOutput = output
        let reading = Task { try output.fileHandleForReading.readToEnd() ?? Data() }
        try await process.runToEnd()
        try output.fileHandleForWriting.close()
        #expect(process.terminationStatus == 0)
        #expect(String(decoding: try await reading.value, as: UTF8.self) == whole)
    }

    @Test func anInputThatDoesNotWaitIsReadToItsEnd() async throws {
        let crier = try BuiltCrier()
        let input = Pipe()
        let (read, write) = (input.fileHandleForReading.fileDescriptor, input.fileHandleForWriting)
        #expect(fcntl(read, F_SETFL, fcntl(read, F_GETFL) | O_NONBLOCK) == 0)
        let feed = atomFeed(1...3)
        try write.write(contentsOf: Data(feed.utf8.prefix(10)))
        async let parsed = crier.run(["parse", "-"]) { $0.standardInput = input }
        var unread: Int32 = 10
        while unread > 0 {
            await Task.yield()
            #expect(ioctl(write.fileDescriptor, UInt(FIONREAD), &unread) == 0)
        }
        try write.write(contentsOf: Data(feed.utf8.dropFirst(10)))
        try write.close()
        let run = try await parsed
        #expect(run.status == 0 && run.output.hasPrefix("-: atom, 3 items\n"), "\(run)")
    }

    @Test func aRunThatTheAgentMakesSaysSo() async throws {
        let bench = try await AgentBench()
        try await bench.crier.run("background", "off")
        let agent = try await bench.agent()
        #expect(try await statusWithoutReader(bench.crier, ["fetch", "--force", "--quiet"]) == 128 + SIGPIPE)
        #expect(try await agent.line() == "Item 3", "it is raised all the same")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func aSimulatedFetchThatTheAgentMakesSaysSo() async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        #expect(try await agent.line() == "Item 3")
        await bench.origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...4))])
        #expect(try await statusWithoutReader(bench.crier, ["simulate", "fetch", "news"]) == 128 + SIGPIPE)
        // It is raised all the same.
        while try await agent.line() != "Item 4" {}
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func aWatchSaysSo() async throws {
        let bench = try await AgentBench()
        try await bench.crier.run("background", "off")
        let agent = try await bench.agent()
        let watch = bench.crier.process(["watch", "--format", "json"])
        let (output, errors) = (Pipe(), Pipe())
        try output.fileHandleForReading.close()
        watch.standardOutput = output
        watch.standardError = errors
        async let ended: Void = watch.runToEnd()
        let words = "Watching; Ctrl-C ends it.\n"
        let begun = try await withTaskExecutorPreference(OwnThreads.shared) { () async throws in
            try errors.fileHandleForReading.read(upToCount: words.utf8.count)
        }
        #expect(begun == Data(words.utf8))
        try await bench.crier.run("fetch", "--force")
        try await ended
        #expect(watch.terminationStatus == 128 + SIGPIPE)
        #expect(try await OwnThreads.everything(in: errors.fileHandleForReading) == "")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }
}
