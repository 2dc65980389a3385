import CrierStore
import Foundation
import Testing

@testable import CrierFetch

/// What is said of the next visit is what a run makes of it.
@Suite struct ForeseenVisitTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)
    private let source = Source(name: "news", address: .url("https://a.example/new"), every: .seconds(21_600))

    /// Of a source that was visited an hour ago.
    private func state(edited isEdited: Bool, next: TimeInterval?) -> SourceState {
        let visited = isEdited ? Source(name: "news", address: .url("https://a.example/old")) : source
        var state = SourceState(name: "news")
        (state.fingerprint, state.visited) = (visited.fingerprint, visited.fingerprint)
        state.host = state.visitedHost(of: visited)
        state.lastFetched = now.addingTimeInterval(-3600)
        (state.nextFetch, state.nextFetchReason) = (next.map(now.addingTimeInterval), "what was set")
        return state
    }

    private func foreseen(_ state: SourceState, hosts: [String: HostState] = [:]) -> String {
        let seen = state.foreseen(for: source, hosts: hosts, floor: .zero, now: now)
        let wait = seen.nextFetch.map { "\(Int($0.timeIntervalSince(now)))" } ?? "never"
        return "\(wait) by \(seen.nextFetchReason ?? "")\(seen.goneSince == nil ? "" : ", gone")"
    }

    @Test func whatWasSetHoldsForWhatTheSourceStillIs() {
        #expect(foreseen(state(edited: false, next: 3600)) == "3600 by what was set")
        #expect(foreseen(state(edited: false, next: -60)) == "-60 by what was set")
        #expect(foreseen(SourceState(name: "news")) == "never by ")
    }

    @Test func anEditedSourceIsDueAtOnceAndGoneNoLonger() {
        #expect(foreseen(state(edited: true, next: 3600)) == "0 by an edit of the source")
        for isEdited in [false, true] {
            var gone = state(edited: isEdited, next: nil)
            gone.goneSince = now.addingTimeInterval(-86_400)
            #expect(foreseen(gone) == (isEdited ? "0 by an edit of the source" : "never by what was set, gone"))
        }
    }

    /// As whoever tries how to read a document saves often.
    @Test func howItIsReadMayBeEditedWithoutAskingAnewEachTime() {
        var edited = source
        edited.mapping.format = .atom
        var state = state(edited: false, next: 3600)
        (state.lastURL, state.lastFetched) = ("https://a.example/new", now.addingTimeInterval(-60))
        func seen(_ source: Source) -> SourceState { state.foreseen(for: source, hosts: [:], floor: .zero, now: now) }
        #expect(seen(edited).nextFetch == now.addingTimeInterval(540))
        #expect(seen(edited).nextFetchReason == "the least time of 10 min between two visits")
        edited.address = .url("https://A.example:443/new")
        #expect(seen(edited).nextFetch == now.addingTimeInterval(540), "in another spelling")
        edited.address = .url("https://a.example/other")
        #expect(seen(edited).nextFetch == now, "another document")
    }

    @Test func oneThatMayBeMendedIsDueAtOnceTenMinutesAfterItFailed() {
        var state = state(edited: false, next: 36_000)
        state.possibleCauses = Fingerprint.ofPossibleCauses(in: source)
        #expect(foreseen(state) == "36000 by what was set")
        state.possibleCauses = [1]
        #expect(foreseen(state) == "0 by an edit of the source")
        state.lastFetched = now.addingTimeInterval(-60)
        #expect(foreseen(state) == "540 by the least time of 10 min between two visits")
    }

    @Test func whoWantsToBeLeftAloneIs() {
        var refused = state(edited: true, next: 36_000)
        refused.wishes.refusedUntil = now.addingTimeInterval(36_000)
        #expect(foreseen(refused) == "36000 by the origin's Retry-After")
        var host = HostState(name: "a.example")
        host.pausedUntil = now.addingTimeInterval(7200)
        let states = [
            state(edited: true, next: 3600), state(edited: false, next: -60), state(edited: false, next: 3600),
            SourceState(name: "news"),
        ]
        for state in states {
            #expect(foreseen(state, hosts: ["a.example": host]).hasPrefix("7200 by a.example, which"))
        }
        #expect(foreseen(state(edited: false, next: 9000), hosts: ["a.example": host]) == "9000 by what was set")
    }

    @Test func aClockThatWasAheadDecidesNothing() {
        var ahead = state(edited: false, next: 20_000)
        ahead.lastFetched = now.addingTimeInterval(18_000)
        #expect(foreseen(ahead) == "0 by the clock, which was ahead")
        ahead.wishes.refusedUntil = now.addingTimeInterval(90_000)
        #expect(foreseen(ahead) == "0 by the clock, which was ahead", "nobody is left alone for longer than a day")
        ahead.wishes.refusedUntil = now.addingTimeInterval(20_000)
        #expect(foreseen(ahead) == "20000 by what was set")
        ahead.wishes.refusedUntil = now.addingTimeInterval(10_000)
        #expect(foreseen(ahead) == "10000 by the origin's Retry-After")
    }
}
