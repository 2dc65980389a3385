import CrierContent
import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// What a program may hand over by mistake ends no process.
@Suite struct OddValueTests {
    let folder: TemporaryFolder
    let store: Store
    let clock = ManualClock()

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        store = try Store.inMemory()
        try folder.write(
            """
            <rss><channel><skipHours><hour>3</hour></skipHours>
            <item><title>One</title><guid>1</guid></item></channel></rss>
            """, to: "feed.xml")
    }

    func source(every: Duration = .seconds(3600), expectEvery: Duration? = nil) -> Source {
        Source(
            name: "news", address: .url("file://\(folder.file("feed.xml"))"), every: every, expectEvery: expectEvery)
    }

    @discardableResult
    func fetch(
        _ source: Source, hosts: HostPaces = HostPaces(), budget: Duration? = nil, random: Double = 0.5
    ) async throws -> FetchReport? {
        let fetcher = ContentFetcher(
            store: store, transport: CurlTransport(), clock: clock, userAgent: "test", hosts: hosts, budget: budget
        ) { random }
        let scheduler = FetchScheduler(fetcher: fetcher, store: store, clock: clock)
        return try await scheduler.fetch([source], isForced: true) { _ in }.first
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(1e20)]) func anIntervalMayBeAges(odd: Duration) async throws
    {
        let report = try await fetch(source(every: odd, expectEvery: odd), budget: odd)
        #expect(report?.result == .newData)
        #expect(try #require(report?.nextFetch) > .distantFuture)
        #expect(odd.words.hasSuffix(" d 1 h") || odd.words.hasSuffix(" d 7 h") || odd.words.hasSuffix(" d 15 h"))
    }

    @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.min)])
    func aSourceOfThisMachineIsVisitedOnceASecondAtMost(every: Duration) async throws {
        let report = try await fetch(source(every: every, expectEvery: every))
        #expect(try #require(report?.nextFetch) >= clock.now.addingTimeInterval(1))
    }

    @Test func aBudgetBelowNoneIsNone() async throws {
        #expect(try await fetch(source(), budget: .seconds(Int64.min))?.result == .failed)
    }

    @Test func aHostIsAskedOneByOneAtLeast() async throws {
        var pace = HostPace(parallel: .min, gap: .seconds(Int64.max))
        pace.parallel = 0
        #expect(pace.parallel == 1)
        try await visitOnThisMachine(at: pace)
    }

    @Test(arguments: [Duration.seconds(-5), .seconds(Int64.min)])
    func aGapBelowNoneIsNone(gap: Duration) async throws {
        var pace = HostPace(gap: gap)
        #expect(pace.gap == .zero)
        pace.gap = gap
        #expect(pace.gap == .zero)
        try await visitOnThisMachine(at: pace)
    }

    private func visitOnThisMachine(at pace: HostPace) async throws {
        var local = source()
        let origin = try await ScriptedOrigin()
        await origin.script("/", [ScriptedAnswer(body: folder.read("feed.xml") ?? "")])
        local.address = .url(origin.url())
        #expect(try await fetch(local, hosts: HostPaces(named: ["127.0.0.1": pace]))?.result == .newData)
    }

    @Test func randomnessThatIsNoNumberMakesAFailedSourceDue() async throws {
        var missing = source()
        missing.address = .url("file:///nowhere/at/all")
        #expect(try await fetch(missing, random: .nan)?.result == .failed)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e17]) func aDateThatIsNoneIsOfTheNearestDay(seconds: Double) {
        let day = CalendarDay(Date(timeIntervalSince1970: seconds), in: .gmt)
        #expect(day.number == (seconds > 0 ? 2_932_896 : -719_162))
    }

    @Test func aDigestMayShowNothing() throws {
        var digest = Digest(name: "morning", at: try CalendarExpression("08:30"), timeZone: .gmt)
        digest.limit = -1
        let item = DigestItem(source: "news", item: ContentItem(identifier: "1"), firstSeen: clock.now)
        let day = CalendarDay(clock.now, in: .gmt)
        let page = DigestComposer(digest: digest, sources: []).page(of: [item], on: day)
        #expect(page.groups.isEmpty && page.left == 1)
    }
}
