import CrierTesting
import Foundation

/// A `crier` command that stays, such as `crier agent`, while a test runs.
final class RunningCommand {
    struct NoSuchLine: Error, CustomStringConvertible {
        let description: String
    }

    private let process: ChildProcess
    private var errors: AsyncStream<String>.AsyncIterator
    private var output: AsyncStream<String>.AsyncIterator
    /// On standard error, as far as it was read.
    private var said: [String] = []
    /// Of that, what nobody has asked for yet: two services of a process speak in any order.
    private var unasked: [String] = []

    /// - Parameters:
    ///   - file: Which is there, to write standard output to; nil keeps it for ``line()``.
    ///   - command: Of a shell, which goes before it in the same process.
    init(
        _ crier: BuiltCrier, _ arguments: String..., printingTo file: String? = nil, behind command: String? = nil
    ) throws {
        process = crier.process(arguments)
        if let command {
            process.arguments = ["-c", "\(command); exec \"$@\"", "bash", BuiltCrier.binary] + arguments
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
        }
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = file.flatMap(FileHandle.init(forWritingAtPath:)) ?? output
        process.standardError = errors
        self.output = output.lines.makeAsyncIterator()
        self.errors = errors.lines.makeAsyncIterator()
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    var identifier: Int32 { process.processIdentifier }

    /// The first line of standard error that contains the words and was not given before.
    @discardableResult
    func says(_ words: String) async throws -> String {
        if let index = unasked.firstIndex(where: { $0.contains(words) }) { return unasked.remove(at: index) }
        while let line = await errors.next() {
            said.append(line)
            if line.contains(words) { return line }
            unasked.append(line)
        }
        throw missing("a line on standard error with \(words)")
    }

    /// The next line of standard output.
    func line() async throws -> String {
        guard let line = await output.next() else { throw missing("a line on standard output") }
        return line
    }

    /// Of a test whose time is over nothing is told but that; so it is printed.
    private func missing(_ what: String) -> NoSuchLine {
        let problem = NoSuchLine(description: "\(what) is missing; it said \(said.joined(separator: "\n"))")
        if Task.isCancelled { print(problem) }
        return problem
    }

    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Sends a signal and gives the exit status.
    func end(_ signal: Int32 = SIGTERM) async -> Int32 {
        send(signal)
        await process.end()
        if Task.isCancelled { _ = missing("its end") }
        return process.terminationStatus
    }

    /// Everything that it has said on standard error, to its end.
    func everythingSaid() async -> [String] {
        while let line = await errors.next() { said.append(line) }
        return said
    }
}

/// An origin with a feed, and a `crier` that follows it and has a place for its socket.
struct AgentBench {
    let origin: ScriptedOrigin
    var crier: BuiltCrier

    /// - Parameter more: Lines of the configuration besides the source.
    init(_ more: String = "", source: String = "news", isAuthorized: Bool = true) async throws {
        origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...3))])
        crier = try BuiltCrier("sources:\n  \(source): {url: '\(origin.url("/feed"))'}\n\(more)")
        crier.environment["XDG_RUNTIME_DIR"] = crier.folder.file("run")
        if isAuthorized { try await crier.authorize() }
    }

    var socket: String { crier.folder.file("run/crier/agent.sock") }

    func agent() async throws -> RunningCommand {
        let agent = try RunningCommand(crier, "agent")
        // Not "ready" alone, as a port that is taken is "already in use".
        try await agent.says("ready socket")
        return agent
    }

    /// The configuration follows other paths of the origin, by name.
    func configure(_ sources: [(name: String, path: String)], more: String = "") throws {
        let lines = sources.map { "  \($0.name): {url: '\(origin.url($0.path))'}\n" }
        try crier.folder.write("sources:\n\(lines.joined())\(more)", to: "crier.yaml")
    }
}
