import CrierTesting
import Foundation
import Testing

/// Of the binary that is released: what it does not need it does not load.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["CRIER_TESTED_BINARY"] != nil))
struct DelayLoadTests {
    private static let delayed = ["libcurl.so", "libcurl-gnutls.so", "libxml2.so", "libjq.so"]

    /// The delayed libraries that a run has loaded, in their order.
    private func loaded(_ crier: BuiltCrier, _ arguments: String...) async throws -> [String] {
        var crier = crier
        crier.environment["LD_DEBUG"] = "files"
        let run = try await crier.run(arguments)
        #expect(run.status == 0, "\(run.errors.suffix(500))")
        return run.errors.split(separator: "\n").filter { $0.contains("generating link map") }
            .compactMap { line in Self.delayed.first { line.contains("file=\($0)") } }
    }

    @Test func aRunLoadsWhatItNeeds() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script(
            "/feed",
            [
                ScriptedAnswer(fields: ["ETag": "\"1\""], body: atomFeed(1...3)),
                ScriptedAnswer(status: 304, fields: ["ETag": "\"1\""]),
            ])
        let crier = try BuiltCrier("sources: {news: {url: '\(origin.url("/feed"))', only: 'true'}}\n")
        #expect(try await loaded(crier, "--version") == [])
        #expect(try await loaded(crier, "authorize", "--allow") == [])
        #expect(try await loaded(crier, "fetch", "--quiet") == ["libcurl.so", "libxml2.so", "libjq.so"])
        #expect(try await loaded(crier, "fetch", "--quiet") == [], "nothing is due")
        #expect(try await loaded(crier, "fetch", "--quiet", "--force") == ["libcurl.so"], "nothing has changed")
        #expect(try await loaded(crier, "status") == [])
        await origin.stop()
    }

    @Test func whatCannotBeLoadedIsToldWhenItIsNeeded() async throws {
        var crier = try BuiltCrier()
        try crier.folder.write("no library", to: "libxml2.so.2")
        try crier.folder.write("no library", to: "libxml2.so.16")
        let feed = crier.folder.file("feed.xml")
        try crier.folder.write(atomFeed(1...3), to: "feed.xml")
        #expect(try await crier.run("parse", feed).status == 0)
        crier.environment["LD_LIBRARY_PATH"] = crier.folder.path
        #expect(try await crier.run("--version").status == 0)
        let run = try await crier.run("parse", feed)
        #expect(run.status == 127)
        #expect(run.errors.hasPrefix("crier: error while loading shared libraries: "), "\(run.errors)")
        #expect(run.errors.contains("/libxml2.so."), "\(run.errors)")
    }
}
