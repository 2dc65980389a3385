import CrierContent
import CrierTesting
import Foundation
import Testing

/// What another parser found in a file.
private struct OracleRow: Decodable {
    struct Other: Decodable { var count: Int }
    var file: String
    var ok: Bool
    var format: String?
    var count: Int?
    var others: [Other]
}

@Suite(.enabled(if: Corpora.areThere, "no ../shared/corpora beside the package, and no CRIER_CORPORA"))
struct FeedsCorpusTests {
    @Test func feedsDecodeToAsManyItemsAsOthersFind() throws {
        let rows = try String(contentsOf: Corpora.oracle, encoding: .utf8).split(separator: "\n")
            .map { try JSONDecoder().decode(OracleRow.self, from: Data($0.utf8)) }
            .filter { $0.ok && $0.format != "json" }
        var missed: [String] = []
        for row in rows {
            let least = ([row.count ?? 0] + row.others.map(\.count)).min() ?? 0
            let document = try Corpora.document(Checkout.corpora.appendingPathComponent(row.file))
            let found = (try? ContentDecoder().decode(document))?.items.count
            if (found ?? -1) < least {
                missed.append("\(row.file): \(found.map(String.init) ?? "refused") of \(least)")
            }
        }
        #expect(rows.count > 1000)
        #expect(Double(missed.count) < 0.03 * Double(rows.count), "\(missed.joined(separator: "\n"))")
    }

    @Test func nothingCrashesOnAnyFile() throws {
        let files = FileManager.default.enumerator(
            at: Checkout.corpora, includingPropertiesForKeys: [.isRegularFileKey])
        var count = 0
        while let file = files?.nextObject() as? URL {
            guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
            let document = try Corpora.document(file)
            _ = try? ContentDecoder().decode(document)
            _ = FeedLinks.find(in: document.body, url: document.url)
            count += 1
        }
        #expect(count > 1000)
    }
}
