import CrierContent
import CrierTesting
import Foundation

/// Files of other projects, which lie beside the checkout where there are any.
enum Corpora {
    static let oracle = Checkout.corpora.appendingPathComponent("oracle.open.jsonl")
    static var areThere: Bool { FileManager.default.fileExists(atPath: oracle.path) }

    static func document(_ url: URL) throws -> ContentDocument {
        ContentDocument(body: [UInt8](try Data(contentsOf: url)), url: "https://example.org/")
    }
}
