import CrierContent
import Foundation

/// Files of other projects, which lie beside the checkout where there are any.
enum Corpora {
    static let folder: URL = {
        if let named = ProcessInfo.processInfo.environment["CRIER_CORPORA"] { return URL(fileURLWithPath: named) }
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { package.deleteLastPathComponent() }
        return package.deletingLastPathComponent().appendingPathComponent("shared/corpora")
    }()

    static let oracle = folder.appendingPathComponent("oracle.open.jsonl")
    static var areThere: Bool { FileManager.default.fileExists(atPath: oracle.path) }

    static func document(_ url: URL) throws -> ContentDocument {
        ContentDocument(body: [UInt8](try Data(contentsOf: url)), url: "https://example.org/")
    }
}
