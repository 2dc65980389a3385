import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

/// What is said of notifications that wait for a sink which is gone, or which there is no longer.
@Suite struct GoneSinkWordsTests {
    private func bench() throws -> (crier: BuiltCrier, store: Store) {
        let crier = try BuiltCrier("sinks: {gone: {kind: file, path: /dev/null}, out: {kind: file, path: /dev/null}}\n")
        let store = try Store(path: crier.statePath)
        try store.setNotificationSettings(.authorized, at: Date())
        try store.markGone("gone", reason: "HTTP 410", at: Date())
        for (number, sink) in ["gone", "old", "old", "out"].enumerated() {
            let content = NotificationContent(title: "T\(number)")
            try store.add(NotificationRequest(identifier: "\(number)", content: content), to: [sink], at: Date())
        }
        return (crier, store)
    }

    @Test func noDateIsSaidOfWhatIsNotAttempted() async throws {
        let (crier, _) = try bench()
        #expect(try await crier.run("deliveries", "list", "--sink", "gone").output.contains("pending (sink gone)"))
        let shown = try await crier.run("deliveries", "show", "1").output
        #expect(shown.contains("Next attempt  when its sink leads elsewhere, or `crier sink test gone` succeeds"))
        let lines = try await crier.run("deliveries", "list", "--format", "json").objects
        #expect(lines.filter { $0["nextAttempt"] is NSNull }.map { $0["sink"] as? String } == ["gone"])
    }

    @Test func eachRunSaysThatASinkIsGone() async throws {
        let (crier, _) = try bench()
        for _ in 0..<2 {
            let run = try await crier.run("fetch")
            let words = "gone: 1 waits, as it is gone: `crier sink test gone` tries it again\n"
            #expect(run.errors.contains(words), "\(run)")
            #expect(try await !crier.run("fetch", "--quiet").errors.contains("gone"))
        }
    }

    @Test func noTestIsAdvisedOfASinkThatThereIsNot() async throws {
        let (crier, _) = try bench()
        try crier.folder.write("sinks: {out: {kind: file, path: /dev/null}}\n", to: "crier.yaml")
        let shown = try await crier.run("deliveries", "show", "1").output
        #expect(shown.contains("Next attempt  once the configuration has its sink again\n"), "\(shown)")
    }

    @Test func whatWaitsIsCountedOnce() async throws {
        let (crier, store) = try bench()
        let status = try await crier.run("status").output
        for words in ["\n2 wait to be delivered: ", "\n2 wait for the sink old, "] {
            #expect(status.contains(words), "\(status)")
        }
        try await crier.run("mute", "1h")
        try store.revive("gone", at: Date())
        _ = try store.countFailure(of: "gone", reason: "HTTP 500", at: Date()) { _ in
            SinkVerdict(pausedUntil: Date(timeIntervalSinceNow: 3600))
        }
        let run = try await crier.run("fetch")
        #expect(run.errors.contains("1 waits until it is no longer quiet: "), "\(run)")
        #expect(run.errors.contains("gone: 1 waits, as it is paused until "), "\(run)")
    }

    @Test func theEndOfMutingPromisesWhatComes() async throws {
        let (crier, store) = try bench()
        try await crier.run("mute", "1h")
        #expect(try store.quietDeliveries(passing: [.critical], since: .distantPast, at: Date()) == 4)
        let overview = try #require(try await crier.run("status", "--format", "json").objects.last)
        #expect(overview["quieted"] as? Int == 1)
        let words = "No longer muted. What waited (1) comes with the next `crier fetch`.\n"
        #expect(try await crier.run("unmute").output == words)
        try await crier.run("mute", "1h")
        // As an agent does that has no socket.
        let lock = try RunLock(statePath: crier.statePath)
        #expect(
            try await crier.run("unmute").output
                == "No longer muted. What waited (1) comes with the agent or run at work (process \(getpid())), "
                + "or else with the next `crier fetch`.\n")
        #expect(try await crier.run("status").output.contains("quiet comes with the agent or run at work.\n"))
        let retried = try await crier.run("deliveries", "retry", "--all").output
        #expect(retried.contains(" due with the agent or run at work (process \(getpid())), or else"), "\(retried)")
        _ = consume lock
    }

    @Test func theDoctorNamesSinksThatThereAreNoLonger() async throws {
        let (crier, _) = try bench()
        let lines = try await crier.run("doctor", "--format", "json").objects
        let sinks = lines.filter { $0["subject"] as? String == "sink" }.compactMap { $0["words"] as? String }
        #expect(sinks == ["gone is gone: HTTP 410", "2 wait for old, which the configuration has no longer"])
    }

    @Test func whatTheDoctorAdvisesWhereASinkHasGoneIsTaken() async throws {
        let crier = try BuiltCrier("sources: {}\n")
        try await crier.authorize()
        let request = NotificationRequest(identifier: "a", content: NotificationContent(title: "One"))
        try Store(path: crier.statePath).add(request, to: ["other"], at: Date())
        let findings = try await crier.run("doctor", "--format", "json").objects
        let finding = try #require(findings.first { $0["subject"] as? String == "sink" })
        #expect(finding["words"] as? String == "1 waits for other, which the configuration has no longer")
        #expect(finding["remedy"] as? String == "crier deliveries list --sink other")
        let listed = try await crier.run("deliveries", "list", "--sink", "other")
        #expect(listed.status == 0 && listed.output.contains("One"), "\(listed)")
    }
}
