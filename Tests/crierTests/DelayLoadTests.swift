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

    /// The binary where a file that is no library has the name of one.
    private func without(_ library: String, _ config: String? = nil) throws -> BuiltCrier {
        var crier = try BuiltCrier(config)
        for name in Self.delayed where name.hasPrefix(library) {
            for version in ["1", "2", "4", "16"] { try crier.folder.write("no library", to: "\(name).\(version)") }
        }
        crier.environment["LD_LIBRARY_PATH"] = crier.folder.path
        crier.environment["XDG_RUNTIME_DIR"] = crier.folder.path
        return crier
    }

    /// A library that cannot be loaded fails the visits that need it, which are put off as after any failure.
    @Test(arguments: [
        ("libcurl", "libcurl cannot be loaded or set up", 0), ("libxml2", "libxml2 cannot be loaded", 1),
        ("libjq", "libjq cannot be loaded", 1),
    ])
    func aMissingLibraryFailsVisitsAndAnnoysNobody(library: String, words: String, requests: Int) async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(fields: ["ETag": "\"1\""], body: atomFeed(1...3))])
        var crier = try without(
            library, "sources: {news: {url: '\(origin.url("/feed"))', first: all, only: '.title != \"x\"'}}\n")
        try await crier.authorize()
        for run in 1...3 {
            let outcome = try await crier.run("fetch", "--quiet")
            #expect(outcome.output == "")
            if run > 1 { continue }
            #expect(outcome.status == 69)
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
            #expect(outcome.errors.contains("\(library).so."), "\(outcome.errors)")
        }
        #expect(await origin.requests.count == requests)
        let doctor = try await crier.run("doctor")
        #expect(doctor.output.contains("fail libraries: "), "\(doctor.output)")
        #expect(doctor.output.contains("\(library).so."), "\(doctor.output)")
        crier.environment["LD_LIBRARY_PATH"] = nil
        let mended = try await crier.run("fetch", "--quiet", "--force", "--format", "json")
        #expect(mended.objects.count == 3, "nothing is lost: \(mended)")
        await origin.stop()
    }

    @Test func whatCannotBeCheckedIsTold() async throws {
        let crier = try without("libjq", "sources: {news: {url: 'file:///news', only: 'select('}}\n")
        let run = try await crier.run("check")
        #expect(run.status == 69 && run.output == "", "\(run)")
        #expect(run.errors.contains("libjq cannot be loaded"), "\(run)")
        let page = "page: {url: 'file:///page', format: html, items: '//li[', fields: {title: '.'}}"
        let mistake = try await without("libxml2", "sources: {bad: {url: 'ftp:'}, \(page)}\n").run("check")
        #expect(mistake.status == 78, "\(mistake)")
        #expect(mistake.errors.contains("libxml2 cannot be loaded"), "\(mistake)")
    }

    @Test func documentsAreNotTakenForBrokenOnes() async throws {
        let crier = try without("libxml2")
        try crier.folder.write(atomFeed(1...3), to: "feed.xml")
        let run = try await crier.run("parse", crier.folder.file("feed.xml"))
        #expect(run.status == 65)
        #expect(run.errors.contains("libxml2 cannot be loaded, or there is no memory for it"), "\(run.errors)")
        #expect(try await crier.run("--version").status == 0)
    }

    @Test func anAgentGoesOnWhenALibraryIsBackAgain() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(fields: ["ETag": "\"1\""], body: atomFeed(1...3))])
        let crier = try without("libcurl", "sources: {news: {url: '\(origin.url("/feed"))', first: all}}\n")
        try await crier.authorize()
        let agent = try RunningCommand(crier, "agent")
        try await agent.says("libcurl cannot be loaded")
        for name in try FileManager.default.contentsOfDirectory(atPath: crier.folder.path) where name.hasPrefix("lib") {
            try FileManager.default.removeItem(atPath: crier.folder.file(name))
        }
        let run = try await crier.run("fetch", "--force", "--format", "json")
        #expect(run.status == 0)
        #expect(run.objects.count { $0["title"] != nil } == 3, "\(run)")
        #expect(await agent.end() == 0)
        await origin.stop()
    }
}
