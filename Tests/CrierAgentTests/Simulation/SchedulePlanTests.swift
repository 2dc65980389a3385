import CrierContent
import CrierDelivery
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent
@testable import CrierFetch

/// The plan of the days ahead, made by the scheduler itself.
@Suite struct SchedulePlanTests {
    private static func plan(
        _ yaml: String, store: Store? = nil, from start: String = "2026-11-02T00:00:00Z", days: Int = 7
    ) async throws -> SchedulePlan {
        let result = Configuration.load(text: yaml, file: "crier.yaml")
        #expect(result.problems.isEmpty, "\(result.problems)")
        let configuration = try #require(result.configuration)
        return try await SchedulePlanner(
            configuration, store: store ?? Store.inMemory(), now: try Date(start, strategy: .iso8601), days: days
        ).plan()
    }

    /// A state in which each source was visited as it is now.
    private static func store(
        of yaml: String, at date: Date, _ change: (inout SourceState, Source) -> Void
    ) throws -> Store {
        let store = try Store.inMemory()
        for source in try #require(Configuration.load(text: yaml, file: "x").configuration).sources {
            var state = SourceState(name: source.name)
            state.visited = source.fingerprint
            change(&state, source)
            try store.commit(FetchCommit(state: state, date: date))
        }
        return store
    }

    @Test func aPlanOfLessThanNoDaysIsOfNone() async throws {
        let plan = try await Self.plan("sources: {hourly: {url: 'https://a.example/1', every: 1h}}", days: -1)
        #expect(plan.days.map(\.description) == ["2026-11-02"])
    }

    @Test func aPlanIsOfAYearAtMost() async throws {
        let plan = try await Self.plan("time-zone: UTC\nsources: {}", days: .max)
        #expect(plan.days.count == SchedulePlanner.mostDays)
        #expect(plan.days.last?.description == "2027-11-02")
    }

    @Test func eachSourceIsVisitedAtItsIntervalAndCountedAtItsHost() async throws {
        let plan = try await Self.plan(
            """
            time-zone: Europe/Berlin
            sources:
              hourly: {url: 'https://a.example/1', every: 1h}
              daily: {url: 'https://a.example/2', every: 1d}
              other: {url: 'https://b.example/', every: 6h}
              program: {command: [/bin/false], every: 12h}
            """)
        // The days are Berlin's: the first and the last of eight are not whole.
        #expect(plan.days.map(\.description) == (2...9).map { "2026-11-0\($0)" })
        #expect(plan.hosts.map(\.name) == ["a.example", "b.example", nil])
        let visits = Dictionary(plan.sources.map { ($0.source, $0.count) }) { $1 }
        // The interval and up to a tenth of it, and the hundredth for which wake-ups are shared.
        #expect((151...168).contains(visits["hourly"] ?? 0))
        #expect((6...7).contains(visits["daily"] ?? 0))
        #expect((25...28).contains(visits["other"] ?? 0))
        #expect((12...14).contains(visits["program"] ?? 0))
        #expect(plan.hosts.first?.total == (visits["hourly"] ?? 0) + (visits["daily"] ?? 0))
        #expect(plan.total == visits.values.reduce(0, +))
        let delay = try #require(plan.sources.first?.delay)
        #expect((1800...2000).contains(delay.expected) && (3600...4000).contains(delay.longest))
    }

    @Test func whatOriginsHaveAskedForHolds() async throws {
        let now = try Date("2026-11-02T00:00:00Z", strategy: .iso8601)
        let yaml = """
            time-zone: UTC
            sources:
              slow: {url: 'https://a.example/', every: 1h}
              closed: {url: 'https://b.example/', every: 1h}
              gone: {url: 'https://c.example/', every: 1h}
              equal: {url: 'https://d.example/'}
            """
        let store = try Self.store(of: yaml, at: now) { state, source in
            state.fingerprint = state.visited
            state.lastFetched = now.addingTimeInterval(-600)
            state.lastSucceeded = state.lastFetched
            state.nextFetch = now.addingTimeInterval(3000)
            switch source.name {
            case "slow": state.wishes.lifetime = CacheLifetime(seconds: 43_200, field: "Cache-Control")
            case "closed": state.wishes.hints.skipHours = Set(0...23).subtracting([6, 7])
            case "gone": (state.goneSince, state.nextFetch) = (now, nil)
            default: state.wishes.unchangedBodies = 3
            }
        }
        let plan = try await Self.plan(yaml, store: store)
        let visits = Dictionary(plan.sources.map { ($0.source, $0.count) }) { $1 }
        #expect(visits["slow"] == 14)
        #expect((8...22).contains(visits["closed"] ?? 0))
        #expect(visits["gone"] == 0)
        #expect(visits["equal"] == 7)
        // Before the first visit something was found for the last time ten minutes ago.
        let longest = try #require(plan.sources.first?.delay?.longest)
        #expect((43_200...44_000).contains(longest))
    }

    @Test func whatMayBeMendedIsDueAtOnce() async throws {
        let now = try Date("2026-11-02T00:00:00Z", strategy: .iso8601)
        let yaml = """
            time-zone: UTC
            sources:
              failing: {url: 'https://a.example/', only: .title, every: 6h}
              mended: {url: 'https://b.example/', only: .title, every: 6h}
            """
        let store = try Self.store(of: yaml, at: now) { state, source in
            state.possibleCauses = source.name == "mended" ? [1] : Fingerprint.ofPossibleCauses(in: source)
            state.lastFetched = now.addingTimeInterval(-3600)
            state.nextFetch = now.addingTimeInterval(72_000)
        }
        let plan = try await Self.plan(yaml, store: store, days: 1)
        #expect(plan.sources.map(\.count) == [1, 4])
    }

    @Test func aTimeOffBeforeTheDaysSaysNothingOfThem() async throws {
        let yaml = "sources: {hourly: {url: 'https://a.example/1', every: 1h}}"
        let last = try Date("2026-10-20T00:00:00Z", strategy: .iso8601)
        let store = try Self.store(of: yaml, at: last) { state, source in
            state.fingerprint = source.fingerprint
            (state.lastFetched, state.lastSucceeded, state.nextFetch) = (last, last, last.addingTimeInterval(3600))
        }
        let longest = try #require(try await Self.plan(yaml, store: store).sources.first?.delay?.longest)
        #expect((3600...4000).contains(longest))
    }

    @Test func quietHoursAndDigestsFollowTheClockOnTheWall() async throws {
        // On 2026-03-29 Berlin leaves out the hour from 02:00.
        let plan = try await Self.plan(
            """
            time-zone: Europe/Berlin
            quiet-hours: 22:00-07:00
            digests:
              morning: {at: '08:30', to: [stdout]}
              night: {at: '02:30', to: [stdout], sources: [none]}
            sources:
              told: {url: 'https://a.example/', every: 1h}
              urgent: {url: 'https://b.example/', every: 1h, level: time-sensitive}
              later: {url: 'https://c.example/', every: 1h, notify: none}
              none: {url: 'https://d.example/', every: 1h, notify: none}
              loud: {url: 'https://e.example/', every: 1h, level: critical}
            """, from: "2026-03-27T12:00:00Z", days: 3)
        let format = Date.ISO8601FormatStyle()
        #expect(
            plan.quietTimes.map { format.format($0.interval.start) }
                == ["2026-03-27T21:00:00Z", "2026-03-28T21:00:00Z", "2026-03-29T20:00:00Z"])
        #expect(plan.quietTimes.map { $0.interval.duration / 3600 } == [9, 8, 9])
        #expect(plan.interval.duration == 3 * 86_400 - 3600)
        let mornings = plan.issues.filter { $0.digest == "morning" }.map { format.format($0.date) }
        #expect(mornings == ["2026-03-28T07:30:00Z", "2026-03-29T06:30:00Z", "2026-03-30T06:30:00Z"])
        // A time that the clocks leave out is due when they have been moved on.
        let nights = plan.issues.filter { $0.digest == "night" }.map { format.format($0.date) }
        #expect(nights == ["2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"])
        let delays = Dictionary(plan.sources.map { ($0.source, $0.delay) }) { $1 }
        let (told, urgent) = (try #require(delays["told"] ?? nil), try #require(delays["urgent"] ?? nil))
        #expect(urgent.longest < 4100 && urgent.expected < 2100)
        #expect(try #require(delays["loud"] ?? nil).longest < 4100)
        #expect(told.longest > 8.5 * 3600 && told.expected > 2 * 3600)
        let later = try #require(delays["later"] ?? nil)
        #expect(later.longest > 23 * 3600 && (11 * 3600...14 * 3600).contains(later.expected))
    }

    @Test func itemsThatCameOutInTheLastWeeksSayMoreThanTheInterval() async throws {
        let store = try Store.inMemory()
        let now = try Date("2026-11-02T00:00:00Z", strategy: .iso8601)
        let yaml = """
            time-zone: UTC
            sources:
              weekly: {url: 'https://a.example/', every: 6h}
            """
        let source = try #require(Configuration.load(text: yaml, file: "x").configuration?.sources.first)
        var state = SourceState(name: source.name)
        state.visited = source.fingerprint
        state.fingerprint = state.visited
        state.nextFetch = now.addingTimeInterval(3600)
        // Four weeks long, ten minutes before the visit of the first day; and one item that is too old to say anything.
        let items = [1, 2, 3, 4, 30].map { weeks in
            ContentItem(
                identifier: "\(weeks)", title: "x",
                published: now.addingTimeInterval(3000 - Double(weeks) * 7 * 86_400))
        }
        try store.commit(FetchCommit(state: state, items: items, date: now))
        let plan = try await Self.plan(yaml, store: store)
        let visits = try #require(plan.sources.first)
        #expect(visits.historyCount == 4)
        let history = try #require(visits.history)
        // The visit at 01:00, or within the slack of 216 s behind it.
        #expect((600...816).contains(history.expected) && history.expected == history.longest)
        #expect(try #require(visits.delay).expected > 10_000)
    }

    @Test func aPlanLeavesTheStateFileAsItIsAndTellsWhyNothingIsFetched() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("crier.sqlite")
        let yaml = "sources:\n  a: {url: 'https://a.example/'}\ndigests:\n  d: {at: '08:00', to: [stdout]}\n"
        do {
            let store = try Store(path: path)
            try store.setBackgroundSettings(BackgroundSettings(isOn: false, minimumInterval: .seconds(6 * 3600)))
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let copy = try #require(try Store.copy(ofFileAt: path))
        let plan = try await Self.plan(yaml, store: copy)
        #expect(plan.closedBecause?.contains("crier background on") == true)
        #expect((25...28).contains(plan.total), "the user's least interval holds")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try #require(try Store.existing(path: path)).states().isEmpty)
    }
}
