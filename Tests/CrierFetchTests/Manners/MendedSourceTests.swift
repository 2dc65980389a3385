import CrierContent
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// A source that fails is due once something was edited that it may have failed at.
@Suite struct MendedSourceTests {
    /// What leaves it the same source, of one whose secrets are found in the variable `A`.
    private static let edits: [@Sendable (inout Source) -> Void] = [
        { $0.only = ".title" }, { $0.skip = ".title" }, { $0.rules = [ItemRule(when: ".title")] },
        { $0.mapping.when = ".ok" }, { $0.request.proxy = "http://proxy.example" }, { $0.request.caFile = "/ca.pem" },
        { $0.request.authorization = .bearer(.file("A")) },
        { $0.request.fields = [SourceRequest.Field("Key", .secret(.environment("B")))] },
    ]

    private func bench() async throws -> FetchBench {
        var bench = try await FetchBench(environment: ["A": "a"])
        bench.source.request.authorization = .bearer(.environment("A"))
        bench.source.request.fields = [SourceRequest.Field("Key", .secret(.environment("A")))]
        return bench
    }

    /// Which of the edits make the source of a bench due.
    private func dueEdits(of bench: FetchBench) throws -> [Bool] {
        try Self.edits.map { edit in
            var edited = bench.source
            edit(&edited)
            #expect(edited.fingerprint == bench.source.fingerprint)
            return try !bench.scheduler.due(among: [edited]).due.isEmpty
        }
    }

    @Test func whatItMayHaveFailedAtMakesItDue() async throws {
        var bench = try await bench()
        await bench.origin.script("/feed", [ScriptedAnswer(status: 500)])
        _ = try await bench.fetch()
        #expect(try dueEdits(of: bench).allSatisfy(\.self))
        (bench.source.title, bench.source.notify, bench.source.sinks) = ("Other", .daily, ["other"])
        #expect(try bench.scheduler.due(among: [bench.source]).due.isEmpty, "nothing that it failed at")
        var state = try bench.state()
        state.possibleCauses = nil
        try bench.store.commit(FetchCommit(state: state, date: bench.clock.now))
        #expect(try !dueEdits(of: bench).contains(true), "as an earlier version stored it")
        await bench.origin.stop()
    }

    @Test func whatWorksIsNotDueForThat() async throws {
        let bench = try await bench()
        await bench.origin.script("/feed", [ScriptedAnswer(status: 500), ScriptedAnswer(body: bench.atom([("a", 1)]))])
        for _ in 0..<2 { _ = try await bench.fetch() }
        #expect(try !dueEdits(of: bench).contains(true))
        #expect(try bench.state().possibleCauses == nil)
        await bench.origin.stop()
    }

    /// The failures of a source that is edited again and again, and how often its origin is asked.
    @Test(arguments: [500, 410]) func itIsAskedTenMinutesApart(status: Int) async throws {
        let bench = try await ProxiedBench()
        await bench.play("http://news.example/feed", ScriptedAnswer(status: status))
        // The second makes one that is gone a stopped one.
        for _ in 0..<2 {
            try await bench.fetch()
            bench.clock.advance(by: 8 * 86_400)
        }
        try await bench.fetch()
        var edited = bench.source
        for (only, wait) in [(".title", 5.0), (".url", 300), (".title", 400)] {
            bench.clock.advance(by: wait)
            edited.only = only
            #expect(try bench.scheduler.due(among: [edited]).due.count == 1)
            let reports = try await bench.scheduler.fetch([edited]) { _ in }
            #expect((reports.first?.refusal?.reason == .floor) == (wait < 400))
        }
        #expect(await bench.origin.requests.count == 4)
        #expect(try bench.scheduler.due(among: [edited]).due.isEmpty, "it has failed as it is now")
        #expect(try bench.base.state().failures == 4)
        await bench.origin.stop()
    }
}
