import CrierStore
import CrierTesting
import Foundation
import Testing

/// What the system refuses is told as that, and nothing is lost by it.
@Suite(.enabled(if: SystemCalls.isPossible, "may not trace a process (strace)"), .timeLimit(.minutes(5)))
struct FailingCallTests {
    private let crier: BuiltCrier

    init() throws {
        crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...2), to: "feed.xml")
        try crier.folder.write("sources: {news: {url: 'file://\(feed)', first: all}}\n", to: "crier.yaml")
    }

    private func run(
        _ arguments: String..., calls: String, of file: String? = nil, fault: String
    ) async throws -> BuiltCrier.Outcome {
        try await crier.run(arguments) {
            SystemCalls.trace(
                $0, calls, to: crier.folder.file("calls"), of: file, fault: "\(calls):error=\(fault)")
        }
    }

    /// Of a page that the disk fails to give SQLite says that the file is corrupt.
    @Test(arguments: ["EIO:when=10", "EIO:when=10+"]) func aDiskThatFailsTakesNoState(fault: String) async throws {
        try await crier.authorize()
        #expect(try await crier.run("fetch").output.contains("Item 2\n"))
        let fetch = try await run("fetch", "--force", calls: "pread64", of: crier.statePath, fault: fault)
        #expect(fetch.status == 74 && !fetch.errors.contains("corrupt"), "\(fetch)")
        #expect(fetch.errors.contains(fault.hasSuffix("+") ? "Input/output error" : "it is sound, and stays"))
        let again = try await crier.run("fetch", "--force")
        #expect(again.status == 0 && !again.output.contains("Item"), "\(again)")
    }

    /// It may be one that its user has made private.
    @Test func aFileThatCannotBeLookedAtIsNotReplaced() async throws {
        let out = crier.folder.file("out.xml")
        let feed = crier.folder.file("feed.xml")
        try crier.folder.write(
            "sinks: {out: {kind: feed, path: '\(out)'}}\nsources: {news: {url: 'file://\(feed)', first: all}}\n",
            to: "crier.yaml")
        try await crier.authorize()
        try await crier.run("fetch")
        try #require(chmod(out, 0o600) == 0)
        for number in 1...4 {
            try crier.folder.write(atomFeed(1...(2 + number)), to: "feed.xml")
            _ = try await run("fetch", "--force", calls: "newfstatat", of: out, fault: "EIO:when=\(number)")
            #expect(crier.folder.read("calls")?.contains("INJECTED") == true, "of call \(number)")
            let mode = try FileManager.default.attributesOfItem(atPath: out)[.posixPermissions] as? Int
            #expect(mode == 0o600, "after call \(number)")
        }
        try await crier.run("deliveries", "retry", "--all")
        try await crier.run("fetch", "--force")
        for number in 1...6 { #expect(crier.folder.read("out.xml")?.contains("Item \(number)<") == true) }
    }

    /// Some file systems have none; another run would end.
    @Test func aLockThatCannotBeHadIsNoOtherRun() async throws {
        try await crier.authorize()
        let fetch = try await run("fetch", "--scheduled", "--quiet", calls: "flock", fault: "ENOLCK")
        #expect(fetch.status == 74, "\(fetch)")
        #expect(fetch.errors == "crier: cannot lock the file \(crier.statePath).lock: No locks available\n")
    }

    @Test func aThreadThatCannotBeginFailsAVisitAndIsNotWaitedFor() async throws {
        let origin = try await ScriptedOrigin()
        await origin.handle { _ in ScriptedAnswer(body: atomFeed(1...3)) }
        try crier.folder.write("sources: {news: {url: '\(origin.url("/"))', first: all}}\n", to: "crier.yaml")
        try await crier.authorize()
        let fetch = try await run("fetch", calls: "clone3", fault: "EAGAIN:when=1")
        #expect(fetch.errors.contains("no thread can be begun: Resource temporarily unavailable"), "\(fetch)")
        #expect(try await crier.run("fetch", "--force").output.contains("Item 3\n"))
        await origin.stop()
    }
}
