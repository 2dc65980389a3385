import CrierTesting
import Foundation

/// The built `crier` binary with a configuration and a state of its own.
struct BuiltCrier {
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
        /// The JSON objects of the lines.
        var objects: [[String: Any]] {
            lines.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        }
    }

    let folder: TemporaryFolder
    var environment: [String: String]

    /// The one beside the tests, or that of `CRIER_TESTED_BINARY`: what the optimizer has made behaves otherwise where it errs.
    static let binary =
        ProcessInfo.processInfo.environment["CRIER_TESTED_BINARY"]
        ?? URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("crier").path

    /// - Parameter config: The text of `crier.yaml`; nil is none.
    init(_ config: String? = nil) throws {
        folder = try TemporaryFolder()
        if let config { try folder.write(config, to: "crier.yaml") }
        environment = ProcessInfo.processInfo.environment
        environment["CRIER_CONFIG"] = folder.file("crier.yaml")
        environment["CRIER_STATE"] = folder.file("crier.sqlite")
        for name in [
            "http_proxy", "https_proxy", "all_proxy", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "COLUMNS",
        ] {
            environment[name] = nil
        }
    }

    var statePath: String { folder.file("crier.sqlite") }

    func process(_ arguments: [String]) -> ChildProcess {
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: Self.binary)
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// The binary with a terminal and somebody at it.
    func process(_ arguments: [String], at terminal: PseudoTerminal) -> ChildProcess {
        let process = process(arguments)
        process.standardInput = terminal.slave
        process.standardOutput = terminal.slave
        process.standardError = terminal.slave
        return process
    }

    /// All that these commands show, on both outputs.
    func shown(by commands: [[String]]) async throws -> String {
        var shown = ""
        for arguments in commands {
            let outcome = try await run(arguments)
            shown += outcome.output + outcome.errors
        }
        return shown
    }

    /// Runs the binary to its end, with nothing to read and nobody to ask.
    @discardableResult
    func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

    @discardableResult
    func run(_ arguments: [String], _ change: (ChildProcess) -> Void = { _ in }) async throws -> Outcome {
        let process = process(arguments)
        change(process)
        // Files, not pipes: however much is printed, nobody has to read meanwhile.
        let output = try Self.sink(folder.file("output-\(UUID().uuidString)"))
        let errors = try Self.sink(folder.file("errors-\(UUID().uuidString)"))
        process.standardOutput = output.handle
        process.standardError = errors.handle
        try await process.runToEnd()
        return Outcome(
            status: process.terminationStatus, output: try String(contentsOfFile: output.path, encoding: .utf8),
            errors: try String(contentsOfFile: errors.path, encoding: .utf8))
    }

    /// Runs a script to its end, to which the binary is `$0`.
    func run(shell script: String, _ arguments: [String] = []) async throws -> Outcome {
        try await run(["-c", script, Self.binary] + arguments) { $0.executableURL = URL(fileURLWithPath: "/bin/sh") }
    }

    /// Runs the binary as a user whom the modes of files bind: as root, as `nobody`, who gets the folder. Nil where
    /// `nobody` may not run it.
    func runAsNobody(_ arguments: String...) async throws -> Outcome? { try await runAsNobody(arguments) }

    func runAsNobody(_ arguments: [String]) async throws -> Outcome? {
        guard geteuid() == 0 else { return try await run(arguments) }
        let chown = ChildProcess()
        chown.executableURL = URL(fileURLWithPath: "/bin/chown")
        chown.arguments = ["-R", "65534", folder.path]
        try await chown.runToEnd()
        guard try await run(["--version"], asNobody).status == 0 else {
            print("skipped: nobody may not run \(Self.binary)")
            return nil
        }
        return try await run(arguments, asNobody)
    }

    private func asNobody(_ process: ChildProcess) {
        process.arguments = ["--reuid=65534", "--clear-groups", Self.binary] + (process.arguments ?? [])
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
    }

    private static func sink(_ path: String) throws -> (path: String, handle: FileHandle) {
        try Data().write(to: URL(fileURLWithPath: path))
        return (path, try FileHandle(forWritingTo: URL(fileURLWithPath: path)))
    }

    func authorize() async throws {
        _ = try await run("authorize", "--allow")
    }
}

/// An Atom feed whose items are named by number.
func atomFeed(_ numbers: some Sequence<Int>, title: String = "The feed") -> String {
    let entries = numbers.map { number in
        """
        <entry><id>urn:item:\(number)</id><title>Item \(number)</title><link href="https://e.example/\(number)"/>
        <updated>\(Date(timeIntervalSince1970: 1_700_000_000 + Double(number)).formatted(.iso8601))</updated></entry>
        """
    }
    return """
        <?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>\(title)</title><id>urn:f</id>
        <updated>2023-11-14T00:00:00Z</updated>\(entries.joined())</feed>
        """
}
