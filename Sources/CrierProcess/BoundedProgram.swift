import protocol Foundation.LocalizedError

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs a program without a shell, within bounds of time and of what it prints.
public struct BoundedProgram: Sendable {
    /// How a run ended.
    public struct Ending: Sendable {
        /// Nil when a signal ended it, or nobody can say how it ended.
        public var exitCode: Int32?
        /// What it wrote to standard output.
        public var output: [UInt8] = []
        /// What it wrote to standard error, of that the first MiB.
        public var errors: [UInt8] = []
        /// Whether the time limit ended it.
        public var isOverdue = false
        /// Whether it has ended and nobody can say how, as another part of this process has waited for it (`wait(2)`).
        public var isUnknown = false

        public init(
            exitCode: Int32? = nil, output: [UInt8] = [], errors: [UInt8] = [], isOverdue: Bool = false,
            isUnknown: Bool = false
        ) {
            self.exitCode = exitCode
            self.output = output
            self.errors = errors
            self.isOverdue = isOverdue
            self.isUnknown = isUnknown
        }

        public var outputText: String { String(decoding: output, as: UTF8.self) }
        public var errorText: String { String(decoding: errors, as: UTF8.self) }
    }

    /// Bytes of standard error.
    private static let errorLimit = 1 << 20

    private let command: [String]
    private let variables: [String: String]?

    /// - Parameters:
    ///   - command: The program, found in `PATH` unless it holds a slash, or in `HOME` by `~/`, and its arguments.
    ///   - variables: Its environment; nil is this process's own.
    public init(_ command: [String], variables: [String: String]? = nil) {
        self.command = command
        self.variables = variables
    }

    /// Runs the program to its end.
    ///
    /// After `limit` it and all it has started get SIGTERM, and SIGKILL if they are still there after another eighth of that.
    ///
    /// A process that ignores SIGCHLD is not told how its programs end: where that is so, the signal gets its default action
    /// back before a program is started. A handler of the host's stays; one that waits for every child (`wait(2)`) may be first
    /// to hear of the end, which is then unknown.
    ///
    /// - Parameters:
    ///   - input: What it reads from standard input, which then ends.
    ///   - outputLimit: Bytes of standard output.
    ///   - dropsExcess: Whether what it prints beyond them is read and dropped, as on standard error always.
    /// - Throws: ``ProgramFailure`` when it cannot be started, as also a command that is empty or holds a NUL; when it prints
    ///   more than it may, or the task is cancelled.
    public func run(
        input: [UInt8] = [], limit: Duration, outputLimit: Int = 64 << 10, dropsExcess: Bool = false
    ) async throws(ProgramFailure) -> Ending {
        guard let program = command.first, !program.isEmpty else { throw ProgramFailure("the command is empty") }
        // The system's words end there: another command would be run.
        if command.contains(where: { $0.utf8.contains(0) }) { throw ProgramFailure("the command holds a NUL") }
        if Task.isCancelled { throw ProgramFailure("\(name) was not run") }
        guard let path = ProgramPath.of(program, environment: searched) else {
            throw ProgramFailure("\(name) is not installed or not executable")
        }
        // A file and not a pipe: writing to a program that does not read would be a SIGPIPE for this process.
        let source = try ProgramInput.descriptor(of: input, for: name)
        let bounds = ProgramRun.Bounds(
            limit: limit, grace: limit / 8, output: outputLimit, dropsExcess: dropsExcess, errors: Self.errorLimit)
        // Some look for what belongs to them beside the path that they are told.
        let words = program.contains("/") ? [path] + command.dropFirst() : command
        guard let run = ProgramRun(path, words, variables: variables, input: source, bounds: bounds) else {
            let code = errno
            throw ProgramFailure("\(name) could not be run: \(StartFault.words(for: code, of: path))")
        }
        let (ending, reason) = await run.ending()
        switch reason {
        case nil, .overdue: return ending
        case .cancelled: throw ProgramFailure("\(name) was ended too soon", exitCode: ending.exitCode)
        case .tooMuch:
            throw ProgramFailure(
                "\(name) printed more than \(outputLimit) bytes", exitCode: ending.exitCode, printedTooMuch: true)
        }
    }

    /// What the program prints.
    ///
    /// - Throws: ``ProgramFailure`` also when it takes too long or ends with another status than 0.
    public func output(limit: Duration, outputLimit: Int) async throws(ProgramFailure) -> [UInt8] {
        let ending = try await run(limit: limit, outputLimit: outputLimit)
        if ending.isOverdue { throw ProgramFailure("\(name) did not end within \(limit.components.seconds) s") }
        if ending.exitCode == 0 { return ending.output }
        let how =
            ending.exitCode.map { "ended with exit status \($0)" }
            ?? (ending.isUnknown ? "ended, and nobody can say how" : "was ended by a signal")
        let lines = ending.errorText.split(whereSeparator: \.isNewline)
        // systemctl ends with where more is told.
        let cause = lines.last { !$0.hasPrefix("See ") } ?? lines.last
        throw ProgramFailure("\(name) \(how)\(cause.map { ": " + $0.prefix(200) } ?? "")")
    }

    private var name: String { command.first ?? "the program" }

    /// Where `PATH` and `HOME` are, in which the program is found.
    private var searched: [String: String] {
        if let variables { return variables }
        var found: [String: String] = [:]
        for name in ["PATH", "HOME"] { found[name] = getenv(name).map { String(cString: $0) } }
        return found
    }
}

/// Why a program gave nothing: one sentence for the user.
public struct ProgramFailure: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    public let description: String
    public var errorDescription: String? { description }
    /// Of one that was ended too soon, or as it printed too much: it may have done its work all the same.
    package let exitCode: Int32?
    let printedTooMuch: Bool

    init(_ description: String, exitCode: Int32? = nil, printedTooMuch: Bool = false) {
        self.description = description
        self.exitCode = exitCode
        self.printedTooMuch = printedTooMuch
    }
}
