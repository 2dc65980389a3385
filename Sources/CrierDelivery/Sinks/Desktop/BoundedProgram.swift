import Subprocess

/// Runs a program without a shell and never longer than a limit.
struct BoundedProgram: Sendable {
    let path: String
    let arguments: [String]
    let variables: [String: String]

    /// How a run ended.
    struct Result: Sendable {
        /// Nil when a signal ended it.
        var exitCode: Int32?
        var output: String
        var error: String
        /// Whether the limit ended it.
        var isOverdue = false
    }

    /// Nil when the program cannot be started, or writes more than anyone would read.
    ///
    /// After `limit` it gets `SIGTERM`, and `SIGKILL` if it is still there after another eighth of that; so do the
    /// programs it has started.
    func run(limit: Duration) async -> Result? {
        await withTaskGroup(of: Ending.self) { group in
            group.addTask { .program(await runToEnd(grace: limit / 8)) }
            group.addTask {
                try? await Task.sleep(for: limit)
                return .limit
            }
            var isOverdue = false
            for await ending in group {
                group.cancelAll()
                switch ending {
                case .limit: isOverdue = true
                case .program(var result):
                    result?.isOverdue = isOverdue
                    return result ?? (isOverdue ? Result(output: "", error: "", isOverdue: true) : nil)
                }
            }
            return nil
        }
    }

    private enum Ending: Sendable {
        case program(Result?)
        case limit
    }

    private func runToEnd(grace: Duration) async -> Result? {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: grace)]
        let result = try? await Subprocess.run(
            .path(.init(path)), arguments: Arguments(arguments),
            environment: environment,
            platformOptions: options, output: .string(limit: 64 << 10), error: .string(limit: 64 << 10))
        guard let result else { return nil }
        let code: Int32? = if case .exited(let code) = result.terminationStatus { code } else { nil }
        return Result(exitCode: code, output: result.standardOutput, error: result.standardError)
    }

    /// Without names that begin with a digit: they are refused, and mean nothing to anyone.
    private var environment: Environment {
        var values: [Environment.Key: String] = [:]
        for (name, value) in variables where name.first?.isNumber != true {
            if let key = Environment.Key(rawValue: name) { values[key] = value }
        }
        return .custom(values)
    }
}
