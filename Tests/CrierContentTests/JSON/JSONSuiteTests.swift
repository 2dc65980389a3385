import CrierTesting
import Foundation
import Testing

@testable import CrierContent

private enum JSONSuite {
    static let folder = Checkout.corpora.appendingPathComponent("json-suite/files/test_parsing")
    static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path) }
}

/// The JSONTestSuite (https://github.com/nst/JSONTestSuite), where it lies beside the checkout.
@Suite(.enabled(if: JSONSuite.isThere, "no ../shared/corpora/json-suite beside the package, and no CRIER_CORPORA"))
struct JSONSuiteTests {
    /// No JSON, and read all the same: control characters within strings.
    private let lenient: Set = ["n_string_unescaped_ctrl_char", "n_string_unescaped_newline", "n_string_unescaped_tab"]

    @Test func readsWhatIsJSONAndNothingElse() throws {
        let files = try FileManager.default.contentsOfDirectory(at: JSONSuite.folder, includingPropertiesForKeys: nil)
        var counts: [Character: Int] = [:]
        for file in files where file.pathExtension == "json" {
            let name = file.deletingPathExtension().lastPathComponent
            var error: ContentError?
            do throws(ContentError) { _ = try JSONDocument.parse(Array(bytes(of: file))) } catch let failure {
                error = failure
            }
            switch name.first {
            case "y": #expect(error == nil, "\(name)")
            case "n": #expect((error == nil) == lenient.contains(name), "\(name)")
            default: break
            }
            counts[name.first ?? " ", default: 0] += 1
        }
        #expect(counts["y", default: 0] > 30 && counts["n", default: 0] > 80)
    }

    private func bytes(of file: URL) -> Data { (try? Data(contentsOf: file)) ?? Data() }
}
