import Foundation

/// A program that runs for the length of a test.
public final class RunningProgram {
    private let process = ChildProcess()
    private let input = Pipe()
    private var lines: AsyncStream<String>.AsyncIterator

    fileprivate init(_ name: String, _ arguments: [String], _ variables: [String: String]?) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.environment = variables
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        lines = output.lines.makeAsyncIterator()
        try process.run()
    }

    /// The first line it writes.
    public func firstLine() async throws -> String {
        guard let line = await lines.next() else { throw ProgramWithoutOutput() }
        return line
    }

    /// Ends the program and gives what it has written since the first line.
    public func linesToEnd() async throws -> [String] {
        await end()
        var result: [String] = []
        while let line = await lines.next() { result.append(line) }
        return result
    }

    /// Its standard input ends, and it and all it has started are asked to end.
    fileprivate func end() async {
        try? input.fileHandleForWriting.close()
        process.terminateGroup()
        await process.end()
    }
}

/// A program ended before it wrote the line that was waited for.
struct ProgramWithoutOutput: Error {}

/// Runs a program of `PATH`, or of a path, while `body` runs; it and all it has started end with `body`, however that ends.
public func withProgram(
    _ name: String, _ arguments: [String], _ variables: [String: String]? = nil,
    _ body: (RunningProgram) async throws -> Void
) async throws {
    let program = try RunningProgram(name, arguments, variables)
    do { try await body(program) } catch {
        await program.end()
        throw error
    }
    await program.end()
}

extension Pipe {
    /// What is written to it, up to its end, read on a thread of its own. Each line ends with a line feed.
    package var lines: AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        let handle = fileHandleForReading
        Thread.detachNewThread {
            var rest = Data()
            while true {
                let data = handle.availableData
                if data.isEmpty { break }
                rest.append(data)
                while let end = rest.firstIndex(of: 0x0a) {
                    continuation.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                    rest = Data(rest[(end + 1)...])
                }
            }
            continuation.finish()
        }
        return lines
    }
}
