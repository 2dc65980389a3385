import CrierNotifications
import Subprocess

/// Runs a program without a shell and takes what it prints, within bounds of time and size.
public struct ProgramRun: Sendable {
    /// The program, found in `PATH` unless it holds a slash, and its arguments.
    public let command: [String]
    /// After this the program and all it started are told to end (SIGTERM), and a second later made to (SIGKILL).
    public let budget: Duration
    /// Bytes of standard output.
    public let outputLimit: Int
    private let clock: any WallClock

    public init(_ command: [String], budget: Duration = .seconds(30), outputLimit: Int = 10 << 20, clock: any WallClock) {
        self.command = command
        self.budget = budget
        self.outputLimit = outputLimit
        self.clock = clock
    }

    /// What the program printed.
    ///
    /// - Throws: ``ProgramFailure`` when it cannot be started, ends with another status than 0, or exceeds a bound.
    public func output() async throws(ProgramFailure) -> [UInt8] {
        let deadline = clock.now.addingTimeInterval(budget.timeInterval)
        let outcome = await withTaskGroup(of: Result<[UInt8], ProgramFailure>?.self) { group in
            group.addTask { await runToEnd() }
            group.addTask {
                do { try await clock.sleep(until: deadline) } catch { return nil }
                return .failure(ProgramFailure("\(name) did not end within \(budget.words)"))
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let outcome else { throw ProgramFailure("\(name) was cancelled") }
        return try outcome.get()
    }

    private var name: String { command.first ?? "the program" }

    private func runToEnd() async -> Result<[UInt8], ProgramFailure> {
        guard let program = command.first, !program.isEmpty else { return .failure(ProgramFailure("the command is empty")) }
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [
            .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(1))
        ]
        do {
            let executable: Executable = program.contains("/") ? .path(.init(program)) : .name(program)
            let result = try await run(
                executable, arguments: Arguments(Array(command.dropFirst())), platformOptions: options,
                output: .bytes(limit: outputLimit), error: .discarded)
            switch result.terminationStatus {
            case .exited(0): return .success(result.standardOutput)
            case .exited(let status): return .failure(ProgramFailure("\(name) ended with exit status \(status)"))
            case .signaled(let signal): return .failure(ProgramFailure("\(name) was ended by signal \(signal)"))
            }
        } catch let error as SubprocessError where error.code == .outputLimitExceeded {
            return .failure(ProgramFailure("\(name) printed more than \(outputLimit) bytes"))
        } catch let error as SubprocessError where error.code == .executableNotFound {
            return .failure(ProgramFailure("\(name) is not installed or not executable"))
        } catch {
            return .failure(ProgramFailure("\(name) could not be run: \(error)"))
        }
    }
}

/// Why a program gave nothing: one sentence for the user.
public struct ProgramFailure: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
