import CrierContent
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

@Suite struct DailyFetchTests {
    /// The clock starts on 2023-11-14 at 22:13 UTC.
    private func bench() async throws -> FetchBench {
        var bench = try await FetchBench(.daily)
        bench.source.first = .none
        return bench
    }

    @Test func aDayIsToldOnceHoweverOftenItsContentGrows() async throws {
        let bench = try await bench()
        await bench.publish([("old", 30)])
        _ = try await bench.fetch()
        await bench.publish([("a", 1), ("old", 30)])
        _ = try await bench.fetch()
        await bench.publish([("b", 0.5), ("a", 1), ("old", 30)])
        #expect(try await bench.fetch().result == .newData)
        #expect(try bench.outbox() == ["news/2023-11-14"])
        await bench.origin.stop()
    }

    @Test func aDayThatWasPublishedWhileTheMachineWasOffIsCaughtUp() async throws {
        let bench = try await bench()
        await bench.publish([("old", 30)])
        _ = try await bench.fetch()
        bench.clock.advance(by: 3 * 86_400)
        await bench.publish([("b", -20), ("a", 1), ("old", 30)])
        let report = try await bench.fetch()
        #expect(report.composition.requests.map(\.content.subtitle) == ["2 items, since 2023-11-14"])
        #expect(try bench.outbox() == ["news/2023-11-15"])
        await bench.origin.stop()
    }

    @Test func contentThatLayAheadIsToldOnItsDayThoughTheDocumentHasNotChanged() async throws {
        let bench = try await bench()
        await bench.publish([("tomorrow", -10), ("old", 30)])
        _ = try await bench.fetch()
        #expect(try bench.outbox().isEmpty)
        bench.clock.advance(by: 11 * 3600)
        let report = try await bench.fetch()
        #expect(report.content == nil)
        #expect(try bench.outbox() == ["news/2023-11-15"])
        _ = try await bench.fetch()
        #expect(try bench.outbox().count == 1)
        await bench.origin.stop()
    }

    @Test func theDayIsThatOfTheSourcesZoneAndNotOfTheMachines() async throws {
        var bench = try await bench()
        bench.source.mapping.timeZone = try #require(TimeZone(identifier: "Asia/Shanghai"))
        await bench.publish([("old", 30)])
        _ = try await bench.fetch()
        await bench.publish([("a", 1), ("old", 30)])
        _ = try await bench.fetch()
        #expect(try bench.outbox() == ["news/2023-11-15"])
        await bench.origin.stop()
    }
}
