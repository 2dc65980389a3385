import CrierFetch
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

/// What was taken out of the configuration, and is back in it.
@Suite struct ReturnedTests {
    private let store: Store
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws { store = try Store.inMemory() }

    private func adopt(_ sinks: [String], _ sources: [String]) throws {
        let text =
            "sinks: {\(sinks.map { "\($0): {kind: file, path: /no/\($0)}" }.joined(separator: ", "))}\n"
            + "sources: {\(sources.map { "\($0): {url: 'https://\($0).example/'}" }.joined(separator: ", "))}\n"
        try configuration(text).adoptEdits(in: store, at: now)
    }

    private func remember(_ name: String, _ edit: (inout SourceState) -> Void) throws {
        var state = SourceState(name: name)
        edit(&state)
        try store.commit(FetchCommit(state: state, date: now))
    }

    @Test func aSourceThatWasGoneIsAskedAnewWhenItComesBack() throws {
        try remember("gone") { ($0.goneSince, $0.failures) = (now, 1) }
        try remember("failing") {
            ($0.failingSince, $0.failures, $0.nextFetch) = (now, 3, now + 9000)
        }
        try remember("stays") { $0.goneSince = now }
        try adopt(["a"], ["gone", "failing", "stays"])
        #expect(try store.states()["gone"]?.goneSince == now)
        try adopt(["a"], ["stays"])
        #expect(try store.states()["gone"]?.goneSince == now, "it is not there to be asked")
        try adopt(["a"], ["gone", "failing", "stays"])
        let states = try store.states()
        #expect(states["gone"]?.goneSince == nil && states["gone"]?.failures == 0 && states["gone"]?.nextFetch == now)
        #expect(states["failing"]?.failures == 3 && states["failing"]?.nextFetch == now + 9000)
        #expect(states["stays"]?.goneSince == now)
    }

    @Test func aSinkThatWasGoneIsTriedAnewWhenItComesBack() throws {
        for name in ["gone", "stays"] { try store.markGone(name, reason: "HTTP 410", at: now) }
        try adopt(["gone", "stays"], [])
        #expect(try store.goneSinks().map(\.name) == ["gone", "stays"])
        try adopt(["stays"], [])
        try adopt(["gone", "stays"], [])
        #expect(try store.goneSinks().map(\.name) == ["stays"])
    }
}
