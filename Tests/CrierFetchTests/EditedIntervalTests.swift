import CrierStore
import Foundation
import Testing

@testable import CrierFetch

@Suite struct EditedIntervalTests {
    private let store: Store
    private let visited = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws { store = try Store.inMemory() }

    /// Its next visit after the last one, and why, once it has another interval.
    private func next(
        every: Duration, after former: Duration = .seconds(43_200), _ change: (inout SourceState) -> Void = { _ in }
    ) throws -> (wait: TimeInterval, reason: String?)? {
        var source = Source(name: "a", address: .url("https://e.example/"), every: former)
        var state = SourceState(name: "a")
        (state.fingerprint, state.visited) = (source.fingerprint, source.fingerprint)
        (state.lastFetched, state.lastSucceeded) = (visited, visited)
        (state.nextFetch, state.nextFetchReason) = (
            visited.addingTimeInterval(former.timeInterval), "its interval of \(former.words)"
        )
        change(&state)
        try store.commit(FetchCommit(state: state, date: visited))
        source.every = every
        try EditedInterval.adopt(try EditedInterval.among([source], hosts: HostPaces(), in: store), in: store)
        let read = try store.state(of: "a")
        return read.nextFetch.map { ($0.timeIntervalSince(visited), read.nextFetchReason) }
    }

    @Test func aShorterIntervalHoldsFromTheLastVisitOn() throws {
        let hourly = try #require(try next(every: .seconds(3600)))
        #expect((3600...3961).contains(hourly.wait))
        #expect(hourly.reason == "its interval of 1 h")
        let hasty = try #require(try next(every: .seconds(60)))
        #expect((900...991).contains(hasty.wait), "no host is asked more often for it")
    }

    @Test func hoursToLeaveOutAreLeftOutOfItToo() throws {
        // It is 22:13 in GMT.
        let open = try next(every: .seconds(3600)) {
            $0.wishes.hints.skipHours = [23]
            $0.nextFetchReason = "the feed's own skipHours and skipDays"
        }
        #expect((6401...7001).contains(try #require(open).wait), "not all sources at the full hour")
    }

    @Test func whatWasNotSetByAnIntervalStays() throws {
        let day = 86_400.0
        for reason in ["the origin's Retry-After", "a failed fetch", "the host e.example wants to be left alone"] {
            let next = try next(every: .seconds(3600)) {
                ($0.nextFetch, $0.nextFetchReason) = (visited.addingTimeInterval(day), reason)
            }
            #expect(next?.wait == day && next?.reason == reason)
        }
        let wished = try next(every: .seconds(3600)) { $0.wishes.hints.interval = .seconds(40_000) }
        #expect(wished?.wait == 40_600, "as late as any that such a wish sets")
        #expect(try next(every: .seconds(86_400))?.wait == 43_200, "a longer one holds from the next visit on")
        #expect(try next(every: .seconds(3600)) { $0.visited = nil }?.wait == 43_200)
        #expect(try next(every: .seconds(3600)) { $0.nextFetch = nil } == nil)
        let unknown = Source(name: "b", address: .url("https://e.example/"))
        #expect(try EditedInterval.among([unknown], hosts: HostPaces(), in: store).isEmpty)
    }
}
