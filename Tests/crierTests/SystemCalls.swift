import CrierTesting
import Foundation

/// The system calls of a program, as `strace` lists them, and makes them fail.
enum SystemCalls {
    static let isPossible: Bool = {
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: "/bin/true")
        trace(process, "fsync", to: "/dev/null")
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// - Parameters:
    ///   - calls: Their names.
    ///   - list: Where they are listed.
    ///   - file: Only those that are of this file.
    ///   - fault: What is made of some.
    static func trace(
        _ process: ChildProcess, _ calls: String, to list: String, of file: String? = nil, fault: String? = nil
    ) {
        let program = process.executableURL?.path ?? ""
        process.arguments =
            ["strace", "-f", "-y", "-e", "trace=\(calls)"] + (fault.map { ["-e", "inject=\($0)"] } ?? [])
            + (file.map { ["-P", $0] } ?? []) + ["-o", list, program] + (process.arguments ?? [])
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    }
}
