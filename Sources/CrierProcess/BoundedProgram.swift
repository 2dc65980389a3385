import CrierNotifications
import Subprocess

/// Runs a program without a shell, within bounds of time and of what it prints.
public struct BoundedProgram: Sendable {
    /// How a run ended.
    public struct Ending: Sendable {
        /// Nil when a signal ended it.
        public var exitCode: Int32?
        public var output: [UInt8] = []
        /// What it wrote to standard error.
        public var errors: [UInt8] = []
        /// Whether the time limit ended it.
        public var isOverdue = false

        public init(exitCode: Int32? = nil, output: [UInt8] = [], errors: [UInt8] = [], isOverdue: Bool = false) {
            self.exitCode = exitCode
            self.output = output
            self.errors = errors
            self.isOverdue = isOverdue
        }

        public var outputText: String { String(decoding: output, as: UTF8.self) }
        public var errorText: String { String(decoding: errors, as: UTF8.self) }
    }

    /// Bytes of standard error.
    private static let errorLimit = 1 << 20

    private let command: [String]
    private let variables: [String: String]?

    /// - Parameters:
    ///   - command: The program, found in `PATH` unless it holds a slash, and its arguments.
    ///   - variables: Its environment; nil is this process's own.
    public init(_ command: [String], variables: [String: String]? = nil) {
        self.command = command
        self.variables = variables
    }

    /// Runs the program to its end.
    ///
    /// After `limit` it and all it has started get SIGTERM, and SIGKILL if they are still there after another eighth of that.
    ///
    /// - Parameters:
    ///   - input: What it reads from standard input, which then ends.
    ///   - outputLimit: Bytes of standard output.
    /// - Throws: ``ProgramFailure`` when it cannot be started, prints more than it may, or the task is cancelled.
    public func run(
        input: [UInt8] = [], limit: Duration, outputLimit: Int = 64 << 10
    ) async throws(ProgramFailure) -> Ending {
        let result = await withTaskGroup(of: Result<Ending, ProgramFailure>?.self) { group in
            group.addTask { await runToEnd(input, grace: limit / 8, outputLimit: outputLimit) }
            group.addTask {
                await QuietTimer.wait(for: limit)
                return nil
            }
            var isOverdue = false
            for await ending in group {
                group.cancelAll()
                guard let ending else {
                    isOverdue = !Task.isCancelled
                    continue
                }
                guard isOverdue else { return ending }
                var overdue = (try? ending.get()) ?? Ending()
                overdue.isOverdue = true
                return .success(overdue)
            }
            return .failure(ProgramFailure("\(name) was not run"))
        }
        return try result.get()
    }

    /// What the program prints.
    ///
    /// - Throws: ``ProgramFailure`` also when it takes too long or ends with another status than 0.
    public func output(limit: Duration, outputLimit: Int) async throws(ProgramFailure) -> [UInt8] {
        let ending = try await run(limit: limit, outputLimit: outputLimit)
        if ending.isOverdue { throw ProgramFailure("\(name) did not end within \(limit)") }
        if ending.exitCode == 0 { return ending.output }
        let how = ending.exitCode.map { "ended with exit status \($0)" } ?? "was ended by a signal"
        let lines = ending.errorText.split(whereSeparator: \.isNewline)
        throw ProgramFailure("\(name) \(how)\(lines.last.map { ": " + $0.prefix(200) } ?? "")")
    }

    private var name: String { command.first ?? "the program" }

    private func runToEnd(
        _ input: [UInt8], grace: Duration, outputLimit: Int
    ) async -> Result<Ending, ProgramFailure> {
        guard let program = command.first, !program.isEmpty else {
            return .failure(ProgramFailure("the command is empty"))
        }
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: grace)]
        // A file and not a pipe: writing to a program that does not read would be a SIGPIPE for this process.
        guard let source = ProgramInput.descriptor(of: input) else {
            return .failure(ProgramFailure("there is no room for the input of \(name)"))
        }
        do {
            let result = try await Subprocess.run(
                program.contains("/") ? .path(.init(program)) : .name(program),
                arguments: Arguments(Array(command.dropFirst())), environment: environment, platformOptions: options,
                input: .fileDescriptor(.init(rawValue: source), closeAfterSpawningProcess: true),
                output: .bytes(limit: outputLimit), error: .bytes(limit: Self.errorLimit))
            let code: Int32? = if case .exited(let code) = result.terminationStatus { code } else { nil }
            return .success(Ending(exitCode: code, output: result.standardOutput, errors: result.standardError))
        } catch let error as SubprocessError where error.code == .outputLimitExceeded {
            return .failure(ProgramFailure("\(name) printed more than \(outputLimit) bytes"))
        } catch let error as SubprocessError where error.code == .executableNotFound {
            return .failure(ProgramFailure("\(name) is not installed or not executable"))
        } catch {
            return .failure(ProgramFailure("\(name) could not be run: \(error)"))
        }
    }

    /// Without names that begin with a digit: they are refused, and mean nothing to anyone.
    private var environment: Environment {
        guard let variables else { return .inherit }
        var values: [Environment.Key: String] = [:]
        for (name, value) in variables where name.first?.isNumber != true {
            if let key = Environment.Key(rawValue: name) { values[key] = value }
        }
        return .custom(values)
    }
}

/// Why a program gave nothing: one sentence for the user.
public struct ProgramFailure: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
