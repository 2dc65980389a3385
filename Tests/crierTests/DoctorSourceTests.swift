import CrierContent
import CrierStore
import CrierTesting
import Foundation
import Testing

@Suite("The doctor looks at what nothing comes from any more")
struct DoctorSourceTests: DoctorSuite {
    @Test func sourcesThatAreStoppedOrFailForLongAndDigestsThatAreGoneAreTold() async throws {
        let names = ["a", "b", "c", "d"]
        let crier = try machine(nil)
        try crier.folder.write(atomFeed(1...2), to: "feed.xml")
        let sources = names.map { "  \($0): {url: 'file://\(crier.folder.file("feed.xml"))?\($0)'}\n" }.joined()
        try crier.folder.write("sources:\n\(sources)", to: "crier.yaml")
        try await crier.authorize()
        try await crier.run("fetch", "--quiet")
        #expect(try await verdicts(crier, "source") + verdicts(crier, "digest") == [])

        let (store, now) = (try Store(path: crier.statePath), Date())
        for (name, days) in [("a", 6.0), ("b", 8.0)] {
            var state = try store.state(of: name)
            (state.failures, state.failingSince) = (9, now.addingTimeInterval(-days * 86_400))
            try store.commit(FetchCommit(state: state, date: now))
        }
        var gone = try store.state(of: "c")
        (gone.goneSince, gone.nextFetch) = (now, nil)
        var commit = FetchCommit(state: gone, items: [ContentItem(identifier: "1")], date: now)
        (commit.digests, commit.waiting) = (["morning"], ["1"])
        try store.commit(commit)

        let run = try await crier.run("doctor", "--format", "json")
        let found = (findings(run, "source") + findings(run, "digest")).map {
            "\($0["verdict"] ?? ""): \($0["words"] ?? ""): \($0["remedy"] ?? "")"
        }
        #expect(
            found == [
                "warn: c is gone, and is not visited any more: crier fetch c --force, or crier remove c",
                "warn: b has failed for more than a week: crier why b",
                "warn: 1 item waits for morning, which the configuration has no longer: write a digest of that name",
            ])
    }
}
