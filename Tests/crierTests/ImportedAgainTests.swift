import CrierTesting
import Foundation
import Testing

@Suite struct ImportedAgainTests {
    /// As from another reader to which they had been taken meanwhile.
    @Test(arguments: [10, 11]) func whatManyHadMeanwhileIsKnownAndWhatComesIsNot(count: Int) async throws {
        let origin = try await ScriptedOrigin()
        for number in 1...count {
            let bodies = [1...2, 1...4, 1...5].map { ScriptedAnswer(body: atomFeed($0, title: "F\(number)")) }
            await origin.script("/\(number)", bodies)
        }
        let crier = try BuiltCrier("")
        try await crier.authorize()
        let outlines = (1...count).map { "<outline text=\"F\($0)\" xmlUrl=\"\(origin.url("/\($0)"))\"/>" }
        let list = try crier.folder.write("<opml><body>\(outlines.joined())</body></opml>", to: "list.opml")
        #expect(try await crier.run("import", list).status == 0)
        #expect(try await crier.run("fetch", "--force", "--quiet").status == 0)
        try crier.folder.write("sources: {}\n", to: "crier.yaml")
        try await crier.run("fetch", "--quiet")
        #expect(try await crier.run("import", list).status == 0)
        func told() async throws -> [String] {
            try await crier.run("fetch", "--force", "--format", "json").objects.compactMap { $0["title"] as? String }
        }
        // Of a few all that came meanwhile.
        #expect(try await told().count == (count > 10 ? 0 : 2 * count))
        #expect(try await told() == Array(repeating: "Item 5", count: count))
        #expect(try await told().isEmpty)
        await origin.stop()
    }
}
