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
}
