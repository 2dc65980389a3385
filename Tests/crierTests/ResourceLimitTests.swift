import CrierTesting
import Foundation
import Testing

/// Where the system lets the process have little (`ulimit`).
@Suite(.timeLimit(.minutes(5))) struct ResourceLimitTests {
    private let crier: BuiltCrier

    init() throws {
        crier = try BuiltCrier("sources: {news: {url: 'file:///nowhere/feed.xml'}}\n")
    }

    private func run(_ limit: String, _ arguments: String...) async throws -> BuiltCrier.Outcome {
        try await crier.run(shell: "ulimit \(limit); exec \"$0\" \"$@\"", arguments)
    }

    /// As in a chroot into which nobody has mounted it.
    @Test(.enabled(if: MountSpace.isPossible, "may not mount a tmpfs (unshare -rm)"))
    func argumentsThatCannotBeReadAreNotTakenForNone() async throws {
        let run = try await crier.run([]) { process in
            let script = "mount -t tmpfs none /proc && exec \"$0\" fetch"
            process.arguments = ["unshare", "-rm", "bash", "-c", script, BuiltCrier.binary]
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        }
        #expect(run.status == 69 && run.output.isEmpty)
        #expect(run.errors == "crier: the arguments cannot be read: /proc has to be mounted\n")
    }

    // MARK: Descriptors

    @Test(arguments: [4, 8, 31]) func tooFewDescriptorsAreToldAsThat(count: Int) async throws {
        let fetch = try await run("-n \(count)", "fetch", "--force")
        #expect(fetch.status == 74 && fetch.output.isEmpty)
        #expect(
            fetch.errors == "crier: only \(count) files may be open at once (ulimit -n); at least 32 are needed\n")
        #expect(!FileManager.default.fileExists(atPath: crier.statePath))
    }

    @Test(arguments: ["-n 32", "-S -n 8"]) func enoughDescriptorsAreTakenWhereTheyMayBe(limit: String) async throws {
        let origin = try await ScriptedOrigin()
        await origin.handle { _ in ScriptedAnswer(body: atomFeed(1...3)) }
        let sources = (1...8).map { "  s\($0): {url: '\(origin.url("/\($0)"))', first: all}\n" }.joined()
        try crier.folder.write("hosts: {127.0.0.1: {parallel: 8, gap: 0s}}\nsources:\n" + sources, to: "crier.yaml")
        #expect(try await run(limit, "authorize", "--allow").status == 0)
        let fetch = try await run(limit, "fetch", "--force", "--format", "json", "--quiet")
        #expect(fetch.status == 0 && fetch.errors.isEmpty, "\(fetch)")
        await origin.stop()
    }

    /// Those that it starts may have as many.
    @Test func moreDescriptorsAreTakenWhereTheyMayBe() async throws {
        let told = crier.folder.file("told")
        try crier.folder.write("sources: {news: {command: [sh, -c, 'ulimit -n > \(told)']}}\n", to: "crier.yaml")
        try await crier.authorize()
        _ = try await run("-S -n 72", "fetch", "--force")
        #expect(crier.folder.read("told") == "256\n")
    }

    @Test func visitsShareTheDescriptorsThatThereAre() async throws {
        let feed = try crier.folder.write(atomFeed(1...1), to: "feed.xml")
        let sources = (1...16).map { "  s\($0): {command: [sh, -c, 'sleep 0.1; cat \(feed)']}\n" }
        try crier.folder.write("sources:\n\(sources.joined())", to: "crier.yaml")
        try await crier.authorize()
        let fetch = try await run("-n 40", "fetch", "--force")
        #expect(fetch.status == 0 && fetch.errors.isEmpty, "\(fetch)")
    }

    // MARK: Memory

    #if os(Linux)
        @Test func tooLittleMemoryForThreadsIsToldAsThat() async throws {
            let fetch = try await run("-v 230000", "fetch", "--force")
            #expect(fetch.status == 74 && fetch.output.isEmpty, "\(fetch)")
            let words = #/crier: only 224 MiB of memory may be mapped \(ulimit -v\); at least \d+ MiB are needed\n/#
            #expect(fetch.errors.wholeMatch(of: words) != nil, "\(fetch)")
            #expect(!FileManager.default.fileExists(atPath: crier.statePath))
            #expect(try await run("-v 1000000", "status").status == 0)
        }
    #endif

    // MARK: Threads

    #if os(Linux)
        @Test(arguments: ["--data=16777216", "--nproc=3"])
        func tooFewThreadsAreToldAsThat(limit: String) async throws {
            guard geteuid() == 0, try await runAsStranger("--nproc=500", "--version").status == 0 else {
                print("skipped: another user may not run \(BuiltCrier.binary)")
                return
            }
            #expect(chmod(crier.folder.path, 0o777) == 0)
            let fetch = try await runAsStranger(limit, "fetch", "--force")
            #expect(fetch.status == 74 && fetch.output.isEmpty, "\(fetch)")
            let words = "fewer than 8 threads can be begun: raise the limit (ulimit -u, ulimit -d)"
            #expect(fetch.errors == "crier: \(words)\n")
            #expect(!FileManager.default.fileExists(atPath: crier.statePath))
            #expect(try await runAsStranger("--nproc=500", "status").status == 0)
        }

        /// As a user who has no other process: of root's none are counted.
        private func runAsStranger(_ limit: String, _ arguments: String...) async throws -> BuiltCrier.Outcome {
            let script = "exec prlimit \(limit) setpriv --reuid=12345 --clear-groups \"$0\" \"$@\""
            return try await crier.run(shell: script, arguments)
        }
    #endif

    // MARK: The length of files

    @Test func aFileThatMayNotGrowIsAnErrorAndNoEnd() async throws {
        let manual = try await run("-f 1", "manual", crier.folder.file("man"))
        #expect(manual.status == 74 && manual.errors.contains("File too large"), "\(manual)")
    }

    @Test func programsEndByTheSignalAsTheyAreUsedTo() async throws {
        try crier.folder.write(
            """
            sources:
              news: {command: [dd, if=/dev/zero, 'of=\(crier.folder.file("big"))', bs=64k, count=64]}
            """, to: "crier.yaml")
        try await crier.authorize()
        let fetch = try await run("-f 2048", "fetch", "--force")
        #expect(fetch.status == 69 && fetch.errors.contains("was ended by a signal"), "\(fetch)")
    }

    @Test func aCopyThatMayNotGrowSaysWhy() async throws {
        try await crier.authorize()
        let copy = crier.folder.file("copy.sqlite")
        let backup = try await run("-f 64", "backup", copy)
        #expect(backup.status == 74)
        #expect(backup.errors == "crier: the copy \(copy) could not be written: File too large\n")
        #expect(!FileManager.default.fileExists(atPath: copy))
        #expect(!FileManager.default.fileExists(atPath: copy + "-journal"))
        #expect(try await crier.run("backup", copy).status == 0)
    }
}
