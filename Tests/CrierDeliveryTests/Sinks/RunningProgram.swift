import CrierDelivery
import Foundation
import Subprocess
import Testing

/// A program that runs for the length of a test.
final class RunningProgram {
    private let execution: Execution<CustomWriteInput, SequenceOutput, DiscardedOutput>
    private var lines: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator

    fileprivate init(_ execution: Execution<CustomWriteInput, SequenceOutput, DiscardedOutput>) {
        self.execution = execution
        self.lines = execution.standardOutput.strings().makeAsyncIterator()
    }

    func firstLine() async throws -> String { try #require(try await lines.next()) }

    /// Ends the program and gives what it has written since the first line.
    func linesToEnd() async throws -> [String] {
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

/// Runs a program of `PATH` while `body` runs; it and all it has started end with `body`, however that ends.
func withProgram(
    _ name: String, _ arguments: [String], _ variables: [String: String]? = nil,
    _ body: (RunningProgram) async throws -> Void
) async throws {
    var options = PlatformOptions()
    options.createSession = true
    options.teardownSequence = [
        .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(5))
    ]
    _ = try await Subprocess.run(
        .name(name), arguments: Arguments(arguments), environment: variables?.environment ?? .inherit,
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

/// A folder that goes with the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "crier-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Gives the path of the new file.
    @discardableResult
    func write(_ name: String, _ text: String, executable: Bool = false) throws -> String {
        let file = "\(path)/\(name)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        if executable { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file) }
        return file
    }

    func read(_ name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }
}
