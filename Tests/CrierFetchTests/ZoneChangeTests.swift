import CrierContent
import CrierHTTP
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation
import Testing

@testable import CrierFetch

/// A machine that travels tells nothing twice.
@Suite struct ZoneChangeTests {
    private func document(_ hours: ClosedRange<Int>) -> ScriptedAnswer {
        let items = hours.map { #"{"title": "At \#($0)", "date": "2023-11-14 \#(10 + $0):00:00"}"# }
        return ScriptedAnswer(body: "[\(items.joined(separator: ","))]")
    }

    @Test func itemsThatAreToldByTheirDateAloneAreKnownInAnotherZone() async throws {
        var bench = try await FetchBench()
        bench.source.mapping = ContentMapping(
            format: .json, items: ".[]", fields: [.title: ".title", .published: ".date"],
            timeZone: TimeZone(identifier: "Europe/Berlin") ?? .gmt)
        await bench.origin.script("/feed", [document(1...2), document(1...2), document(1...3), document(1...4)])
        _ = try await bench.fetch()
        bench.source.mapping.timeZone = TimeZone(identifier: "Asia/Tokyo") ?? .gmt
        #expect(try await bench.fetch().result == .noData, "the same document")
        #expect(try await bench.fetch().newItems.map(\.title) == ["At 3"])
        #expect(try await bench.fetch().newItems.map(\.title) == ["At 4"])
        await bench.origin.stop()
    }

    @Test func whatComesOnADayThatWasToldFurtherEastIsToldWithTheNext() async throws {
        var bench = try await FetchBench(.daily)
        bench.source.first = .none
        func visit(_ items: [(id: String, hoursAgo: Double)], in zone: String, after hours: Double) async throws {
            bench.clock.advance(by: hours * 3600)
            bench.source.mapping.timeZone = try #require(TimeZone(identifier: zone))
            await bench.publish(items)
            _ = try await bench.fetch()
        }
        // It is 06:13 on the 15th there.
        try await visit([("old", 30)], in: "Asia/Shanghai", after: 0)
        try await visit([("a", 0.5), ("old", 30)], in: "Asia/Shanghai", after: 0)
        try await visit([("a", 0.5), ("old", 30)], in: "Asia/Shanghai", after: 12)
        // And 02:13 on the 15th here.
        try await visit([("b", -11.9), ("a", 0.5), ("old", 30)], in: "America/Los_Angeles", after: 0)
        #expect(try bench.outbox() == ["news/day-2023-11-15"])
        try await visit([("b", -11.9), ("a", 0.5), ("old", 30)], in: "America/Los_Angeles", after: 24)
        #expect(try bench.outbox() == ["news/day-2023-11-15", "news/day-2023-11-16"])
        await bench.origin.stop()
    }
}
