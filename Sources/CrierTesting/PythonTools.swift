import CrierProcess
import Foundation

/// The Python in which `scripts/bootstrap --tests` has installed the packages of PyPI that tests use.
package enum PythonTools {
    /// The folder of its programs.
    package static let folder = Checkout.file(".build/python/bin")

    package static let interpreter = folder + "/python3"

    package static let needs = "scripts/bootstrap --tests installs what this needs"

    /// Whether the program is there, and with it everything that is installed together.
    package static func has(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "\(folder)/\(program)")
    }

    /// What a script prints.
    package static func run(_ script: String, _ arguments: [String]) async throws -> String {
        let program = BoundedProgram([interpreter, "-c", script] + arguments)
        return String(decoding: try await program.output(limit: .seconds(60), outputLimit: 1 << 24), as: UTF8.self)
    }
}
