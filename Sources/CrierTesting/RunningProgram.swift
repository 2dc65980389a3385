import Foundation
import Subprocess

/// A program that runs for the length of a test.
public final class RunningProgram {
    private let execution: Execution<CustomWriteInput, SequenceOutput, DiscardedOutput>
    private var lines: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator

    fileprivate init(_ execution: Execution<CustomWriteInput, SequenceOutput, DiscardedOutput>) {
        self.execution = execution
        self.lines = execution.standardOutput.strings().makeAsyncIterator()
    }

    /// The first line it writes.
    public func firstLine() async throws -> String {
        guard let line = try await lines.next() else { throw ProgramWithoutOutput() }
        return line
    }

    /// Ends the program and gives what it has written since the first line.
    public func linesToEnd() async throws -> [String] {
        await end()
        var result: [String] = []
        while let line = try await lines.next() { result.append(line) }
        return result
    }

    /// Its standard input ends, and it is asked to end; then made to.
    fileprivate func end() async {
        try? await execution.standardInputWriter.finish()
        await execution.teardown(using: [
            .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(5))
        ])
    }
}

/// A program ended before it wrote the line that was waited for.
struct ProgramWithoutOutput: Error {}

/// Runs a program of `PATH`, or of a path, while `body` runs; it and all it has started end with `body`, however that ends.
public func withProgram(
    _ name: String, _ arguments: [String], _ variables: [String: String]? = nil,
    _ body: (RunningProgram) async throws -> Void
) async throws {
    var options = PlatformOptions()
    options.createSession = true
    options.teardownSequence = [
        .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(5))
    ]
    _ = try await Subprocess.run(
        name.contains("/") ? .path(.init(name)) : .name(name), arguments: Arguments(arguments),
        environment: variables?.environment ?? .inherit,
        platformOptions: options, input: .inputWriter, output: .sequence, error: .discarded
    ) { execution in
        let program = RunningProgram(execution)
        try await body(program)
        await program.end()
    }
}

extension [String: String] {
    var environment: Environment {
        var values: [Environment.Key: String] = [:]
        for (name, value) in self { if let key = Environment.Key(rawValue: name) { values[key] = value } }
        return .custom(values)
    }
}
