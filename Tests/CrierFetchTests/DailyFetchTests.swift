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

    @Test func aDayThatWasToldByAClockThatWasAheadIsToldOnceItComes() async throws {
        let bench = try await bench()
        await bench.publish([("old", 30)])
        _ = try await bench.fetch()
        let start = bench.clock.now
        bench.clock.advance(to: start.addingTimeInterval(3 * 86_400))
        await bench.publish([("a", -71), ("old", 30)])
        _ = try await bench.fetch()
        for day in 0...3 {
            bench.clock.advance(to: start.addingTimeInterval(Double(day) * 86_400 + 600))
            await bench.publish([("b\(day)", Double(day) * -24), ("a", -71), ("old", 30)])
            for _ in 0..<2 { _ = try await bench.fetch() }
        }
        #expect(
            try bench.outbox() == [
                "news/day-2023-11-14", "news/day-2023-11-15", "news/day-2023-11-16", "news/day-2023-11-17",
                "news/day-2023-11-17.2",
            ])
        await bench.origin.stop()
    }

    @Test func aDayThatWasToldBeforeTheClockWasAheadIsToldOnce() async throws {
        let bench = try await bench()
        let start = bench.clock.now
        var items = [(id: "old", hoursAgo: 30.0)]
        for (id, day) in [("", 0.0), ("a", 0), ("b", 7), ("c", 0)] {
            bench.clock.advance(to: start.addingTimeInterval(day * 86_400))
            if !id.isEmpty { items.insert((id, 1 - day * 24), at: 0) }
            await bench.publish(items)
            _ = try await bench.fetch()
        }
        #expect(try bench.outbox().sorted() == ["news/day-2023-11-14", "news/day-2023-11-21"])
        await bench.origin.stop()
    }

    @Test func aDayIsToldOnceThoughAVisitThatFoundNothingWasMadeByAWrongClock() async throws {
        let bench = try await bench()
        await bench.publish([("old", 30)])
        _ = try await bench.fetch()
        await bench.publish([("a", 1), ("old", 30)])
        _ = try await bench.fetch()
        let start = bench.clock.now
        bench.clock.advance(to: Date(timeIntervalSince1970: 300))
        _ = try await bench.fetch()
        bench.clock.advance(to: start.addingTimeInterval(600))
        await bench.publish([("b", 0.5), ("a", 1), ("old", 30)])
        _ = try await bench.fetch()
        #expect(try bench.outbox() == ["news/day-2023-11-14"])
        await bench.origin.stop()
    }

    /// Before or after the news of the day on which it comes, which is told all the same.
    @Test(arguments: [false, true]) func whatComesLateOfADayWithoutNewsIsToldByItself(isTodayTold: Bool) async throws {
        let bench = try await bench()
        var items = [("old", 60.0)]
        await bench.publish(items)
        _ = try await bench.fetch()
        func visit(_ new: [(id: String, hoursAgo: Double)], at hours: Double) async throws -> [String] {
            bench.clock.advance(to: Date(timeIntervalSince1970: 1_700_000_000 + hours * 3600))
            items = new + items
            await bench.publish(items)
            return try await bench.fetch().requests.map { "\($0.identifier.suffix(2)) \($0.content.body)" }
        }
        #expect(try await visit([("a", 1)], at: 0) == ["14 • Title a"])
        // Nothing on the 15th.
        #expect(try await visit([("b", -47)], at: 47) == ["16 • Title b"])
        if isTodayTold { #expect(try await visit([("c", -70)], at: 70) == ["17 • Title c"]) }
        let late = try await visit([("late", -20), ("a2", 1.5), ("before", 30), ("long ago", 1000)], at: 71)
        #expect(late == ["15 • Title late"], "of the 14th something is known, and the rest was before it was followed")
        #expect(try await visit([("later", -21)], at: 71.5).isEmpty, "now of the 15th, too")
        if !isTodayTold { #expect(try await visit([("c", -71)], at: 72) == ["17 • Title c"]) }
        #expect(try bench.outbox().map { String($0.suffix(2)) }.sorted() == ["14", "15", "16", "17"])
        await bench.origin.stop()
    }

    @Test func whatComesLateOfTheDayOnWhichItsSourceWasFirstReadIsToldToo() async throws {
        let bench = try await bench()
        var items = [(id: "old", hoursAgo: 60.0)]
        await bench.publish(items)
        _ = try await bench.fetch()
        bench.clock.advance(by: 86_400)
        for (id, hoursAgo, day) in [("b", -23.0, "15"), ("late", -1, "14")] {
            items.append((id, hoursAgo))
            await bench.publish(items)
            #expect(try await bench.fetch().requests.map(\.identifier) == ["news/day-2023-11-\(day)"])
        }
        await bench.origin.stop()
    }

    @Test func whatComesAfterAMonthIsOnlyRecorded() async throws {
        let bench = try await bench()
        await bench.publish([("old", 60)])
        _ = try await bench.fetch()
        for day in [40.0, 41] {
            bench.clock.advance(to: Date(timeIntervalSince1970: 1_700_000_000 + day * 86_400))
            let late = day == 40 ? [] : [("month", -12 * 24.0), ("archive", -10 * 24.0)]
            await bench.publish(late + [("new", -40 * 24), ("old", 60)])
            let told = try await bench.fetch().requests.map(\.content.body)
            #expect(told == [day == 40 ? "• Title new" : "• Title month"])
        }
        await bench.origin.stop()
    }

    @Test func soIsOneOfWhichOthersHaveToldAllUpToThen() async throws {
        var bench = try await bench()
        bench.source.isUnique = true
        var other = bench.source
        (other.name, other.notify) = ("other", .each)
        await bench.publish([("old", 30)])
        for source in [other, bench.source] { _ = try await bench.fetcher.fetch(source) }
        let start = bench.clock.now
        bench.clock.advance(to: start.addingTimeInterval(86_400))
        await bench.publish([("a", -23), ("old", 30)])
        _ = try await bench.fetch()
        bench.clock.advance(to: start.addingTimeInterval(600))
        await bench.publish([("c", 0), ("a", -23), ("old", 30)])
        _ = try await bench.fetch()
        bench.clock.advance(to: start.addingTimeInterval(86_400 + 600))
        await bench.publish([("u", -24), ("c", 0), ("a", -23), ("old", 30)])
        for source in [other, bench.source] { _ = try await bench.fetcher.fetch(source) }
        let state = try bench.state()
        #expect(state.announcedDay == "2023-11-14", "others have told all of the day")
        await bench.publish([("v", -24.1), ("u", -24), ("c", 0), ("a", -23), ("old", 30)])
        _ = try await bench.fetch()
        let told = try bench.store.dueDeliveries(at: bench.clock.now).map(\.request)
        #expect(
            told.last?.identifier == "news/day-2023-11-15.2" && told.last?.content.body.contains("Title v") == true,
            "\(told)")
        await bench.origin.stop()
    }

    @Test func whatComesLateLeavesADayFreeOfWhichOthersHaveToldAll() async throws {
        var bench = try await bench()
        bench.source.isUnique = true
        var other = bench.source
        (other.name, other.notify) = ("other", .each)
        var items = [("old", 60.0)]
        func publish(_ item: (String, Double), at hours: Double) async {
            bench.clock.advance(to: Date(timeIntervalSince1970: 1_700_000_000 + hours * 3600))
            items.insert(item, at: 0)
            await bench.publish(items)
        }
        await bench.publish(items)
        for source in [other, bench.source] { _ = try await bench.fetcher.fetch(source) }
        await publish(("b", -47.5), at: 48)
        _ = try await bench.fetch()
        await publish(("u", -71.5), at: 72)
        _ = try await bench.fetcher.fetch(other)
        await publish(("late", -20), at: 72.1)
        _ = try await bench.fetch()
        #expect(try bench.state().announcedDay == "2023-11-16")
        await publish(("v", -71.8), at: 72.2)
        _ = try await bench.fetch()
        let told = try bench.store.dueDeliveries(at: bench.clock.now).map(\.request)
            .map { "\($0.identifier.suffix(6)) \($0.content.body)" }
        #expect(told.contains("-11-15 • Title late") && told.contains("-11-17 • Title v"), "\(told)")
        await bench.origin.stop()
    }

    @Test func aDayIsToldOnceHoweverOftenItsContentGrows() async throws {
        let bench = try await bench()
        await bench.publish([("old", 30)])
        _ = try await bench.fetch()
        await bench.publish([("a", 1), ("old", 30)])
        _ = try await bench.fetch()
        await bench.publish([("b", 0.5), ("a", 1), ("old", 30)])
        #expect(try await bench.fetch().result == .newData)
        #expect(try bench.outbox() == ["news/day-2023-11-14"])
        await bench.origin.stop()
    }

    /// At the first visit, and later.
    @Test(arguments: [true, false]) func whatComesOnADayOfWhichOthersHaveToldAllIsTold(isFirst: Bool) async throws {
        var bench = try await bench()
        bench.source.isUnique = true
        bench.source.first = .latest
        var other = bench.source
        (other.name, other.notify) = ("other", .each)
        func visit(_ items: [(id: String, hoursAgo: Double)]) async throws {
            await bench.publish(items)
            if items.count > 1 { _ = try await bench.fetcher.fetch(other) }
            _ = try await bench.fetch()
        }
        func due() throws -> [String] { try bench.store.dueDeliveries(at: bench.clock.now).map(\.request.content.body) }
        if !isFirst {
            try await visit([("old", 30)])
            let delivery = try #require(try bench.store.dueDeliveries(at: bench.clock.now).first)
            _ = try bench.store.dropDeliveries([delivery.id], at: bench.clock.now)
        }
        try await visit([("a", 1), ("old", 30)])
        #expect(try due() == [""], "by the other")
        #expect(try bench.state().announcedDay == "2023-11-13")
        await bench.publish([("b", 0.5), ("a", 1), ("old", 30)])
        #expect(try await bench.fetch().requests.map(\.identifier) == ["news/day-2023-11-14"])
        #expect(try due() == ["", "• Title b"])
        #expect(try bench.state().announcedDay == "2023-11-14")
        await bench.publish([("c", 0), ("b", 0.5), ("a", 1), ("old", 30)])
        #expect(try await bench.fetch().requests.isEmpty)
        await bench.origin.stop()
    }

    @Test func theDayOfABaselineThatTellsNothingIsTold() async throws {
        let bench = try await bench()
        await bench.publish([("a", 1)])
        _ = try await bench.fetch()
        #expect(try bench.outbox().isEmpty)
        await bench.publish([("b", 0.5), ("a", 1)])
        #expect(try await bench.fetch().newItems.map(\.identifier) == ["urn:b"])
        #expect(try bench.outbox() == ["news/day-2023-11-14"])
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
        #expect(try bench.outbox() == ["news/day-2023-11-15"])
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
        #expect(try bench.outbox() == ["news/day-2023-11-15"])
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
        #expect(try bench.outbox() == ["news/day-2023-11-15"])
        await bench.origin.stop()
    }

    @Test func aVisitAfterMidnightDoesNotBuryWhatCameBeforeIt() async throws {
        let bench = try await bench()
        await bench.publish([("old", 30)])
        _ = try await bench.fetch()
        bench.clock.advance(by: 2 * 3600)
        _ = try await bench.fetch()
        // Published at 23:43 on the 14th, seen on the 15th.
        await bench.publish([("late", -1.5), ("old", 30)])
        _ = try await bench.fetch()
        #expect(try bench.outbox() == ["news/day-2023-11-14"])
        await bench.origin.stop()
    }

    @Test func everyItemThatLiesAheadHasItsDay() async throws {
        let bench = try await bench()
        await bench.publish([("night", -10), ("noon", -23), ("old", 30)])
        _ = try await bench.fetch()
        bench.clock.advance(by: 11 * 3600)
        let report = try await bench.fetch()
        #expect(report.newItems.map(\.title) == ["Title night", "Title noon"])
        #expect(report.composition.requests.map(\.content.subtitle) == ["2 items"], "both are of the same day")
        bench.clock.advance(by: 13 * 3600)
        #expect(try await bench.fetch().result == .noData)
        #expect(try bench.outbox() == ["news/day-2023-11-15"])
        await bench.origin.stop()
    }

    @Test func whatIsKnownOfADayIsToldWithWhatComesFirst() async throws {
        let bench = try await bench()
        await bench.publish([("noon", -14), ("old", 30)])
        _ = try await bench.fetch()
        bench.clock.advance(by: 3 * 3600)
        await bench.publish([("night", -2.5), ("noon", -14), ("old", 30)])
        let report = try await bench.fetch()
        #expect(report.composition.requests.map(\.content.subtitle) == ["2 items"])
        bench.clock.advance(by: 12 * 3600)
        #expect(try await bench.fetch().result == .noData)
        #expect(try bench.outbox() == ["news/day-2023-11-15"])
        await bench.origin.stop()
    }

    @Test func whatWasToldIsNotToldAgainWhenItIsDatedAhead() async throws {
        let bench = try await bench()
        await bench.publish([("old", 30)])
        _ = try await bench.fetch()
        await bench.publish([("preview", 1), ("old", 30)])
        _ = try await bench.fetch()
        #expect(try bench.outbox() == ["news/day-2023-11-14"])
        await bench.publish([("preview", -14), ("old", 30)])
        for _ in 1...2 {
            _ = try await bench.fetch()
            bench.clock.advance(by: 15 * 3600)
        }
        _ = try await bench.fetch()
        #expect(try bench.outbox() == ["news/day-2023-11-14"])
        await bench.origin.stop()
    }

    @Test func anItemDatedFarAheadIsToldOnceWhenItIsSeen() async throws {
        let bench = try await bench()
        await bench.publish([("old", 30)])
        _ = try await bench.fetch()
        await bench.publish([("ahead", -4 * 24), ("old", 30)])
        _ = try await bench.fetch()
        #expect(try bench.outbox() == ["news/day-2023-11-14"])
        bench.clock.advance(by: 5 * 86_400)
        _ = try await bench.fetch()
        await bench.publish([("ahead", -4 * 24)])
        _ = try await bench.fetch()
        #expect(try bench.outbox().count == 1)
        await bench.origin.stop()
    }

    @Test func whatWaitsForItsDayIsNotLostWithThePolicy() async throws {
        var bench = try await bench()
        await bench.publish([("ahead", -10), ("old", 30)])
        _ = try await bench.fetch()
        bench.source.notify = .each
        bench.clock.advance(by: 5 * 3600)
        _ = try await bench.fetch()
        bench.clock.advance(by: 6 * 3600)
        _ = try await bench.fetch()
        #expect(try bench.outbox() == ["news/urn:ahead"])
        await bench.origin.stop()
    }

    @Test func aPolicyThereAndBackRepeatsNothing() async throws {
        var bench = try await bench()
        await bench.publish([("old", 30)])
        _ = try await bench.fetch()
        bench.source.notify = .each
        await bench.publish([("b", 1), ("old", 30)])
        _ = try await bench.fetch()
        bench.source.notify = .daily
        _ = try await bench.fetch()
        await bench.publish([("c", 0), ("b", 1), ("old", 30)])
        let report = try await bench.fetch()
        #expect(report.composition.parts.first?.items.map(\.title) == ["Title c"])
        await bench.origin.stop()
    }
}
