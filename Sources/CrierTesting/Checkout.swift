import Foundation

/// The files of the package that the tests are built from, and of other projects.
package enum Checkout {
    /// The top folder of the package.
    package static let path = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// Files of other projects, which lie beside the checkout where there are any.
    package static let corpora = URL(
        fileURLWithPath: ProcessInfo.processInfo.environment["CRIER_CORPORA"] ?? path + "/../shared/corpora"
    ).standardizedFileURL

    /// The path of a file of the package.
    package static func file(_ name: String) -> String { path + "/" + name }

    /// The text of a file of the package.
    package static func read(_ name: String) throws -> String {
        try String(contentsOfFile: file(name), encoding: .utf8)
    }
}
