import Foundation
import Subprocess

/// The Python in which `scripts/bootstrap --tests` has installed the packages of PyPI that tests use.
public enum PythonTools {
    /// The folder of its programs.
    public static let folder = Checkout.file(".build/python/bin")

    public static let interpreter = folder + "/python3"

    public static let needs = "scripts/bootstrap --tests installs what this needs"

    /// Whether the program is there, and with it everything that is installed together.
    public static func has(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "\(folder)/\(program)")
    }

    /// What a script prints.
    public static func run(_ script: String, _ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .path(.init(interpreter)), arguments: Arguments(["-c", script] + arguments),
            output: .string(limit: 1 << 24), error: .discarded)
        guard result.terminationStatus.isSuccess else { throw ProgramWithoutOutput() }
        return result.standardOutput
    }
}
