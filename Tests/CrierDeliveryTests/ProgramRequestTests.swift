import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery
@testable import CrierStore

/// What becomes of requests that a program adds beside others of their identifiers.
@Suite(.timeLimit(.minutes(5))) struct ProgramRequestTests: DeliverySuite {
    let store: Store
    let clock = ManualClock()

    init() throws {
        store = try Store.inMemory()
    }

    @Test func aTextForOthersIsNotToldWhereAnEarlierOneWaits() async throws {
        let (a, b) = (RecordingSink(), RecordingSink())
        let center = try await center(["a": a, "b": b])
        for status in [AuthorizationStatus.authorized, .notDetermined] {
            try await center.setAuthorization(status)
            try await center.add(request("x", "for a"), to: ["a"])
            if status == .notDetermined { _ = try await center.deliverDue() }
            try await center.add(request("x", "for b"), to: ["b"])
        }
        try await center.setAuthorization(.authorized)
        _ = try await center.deliverDue()
        #expect(await a.attempts.isEmpty)
        #expect(await b.attempts.map(\.request.content.title) == ["for b"])
        #expect(try store.deliveries(in: [.suppressed]).map(\.lastError) == ["its new text goes elsewhere"])
        try await center.add(request("x", "for all"))
        #expect(try await center.deliverDue().delivered == ["a": 1, "b": 1])
    }

    @Test func whatWasGivenUpAtASinkIsNotTriedThereWithATextForOthers() async throws {
        let (a, b) = (RecordingSink([.rejected(reason: "no")]), RecordingSink())
        let center = try await center(["a": a, "b": b])
        try await center.add(request("x", "for a"), to: ["a"])
        _ = try await center.deliverDue()
        try await center.add(request("x", "for b"), to: ["b"])
        _ = try store.retryDeliveries(nil, at: clock.now)
        _ = try await center.deliverDue()
        #expect(await a.attempts.map(\.request.content.title) == ["for a"])
    }

    @Test func aSummaryThatIsMadeAnewDoesNotTellATextForOthers() async throws {
        let (a, b) = (RecordingSink(), RecordingSink())
        let center = try await center(["a": a, "b": b])
        try await center.setAuthorization(.notDetermined)
        for number in 1...12 { try await center.add(request("\(number)", "a \(number)"), to: ["a"]) }
        _ = try await center.deliverDue()
        try store.release(.authorization, at: clock.now) { HeldSummary.request(for: $0, at: clock.now) }
        _ = try await center.deliverDue()
        try await center.add(request("12", "for b"), to: ["b"])
        try await center.setAuthorization(.authorized)
        clock.advance(by: 60)
        try store.release(.authorization, of: "a", at: clock.now) { HeldSummary.request(for: $0, at: clock.now) }
        _ = try await center.deliverDue()
        let told = await a.attempts.map(\.request.content)
        #expect(told.map(\.title) == ["11 notifications waited for you"])
        #expect(told.allSatisfy { !$0.body.contains("for b") })
    }

    /// Its own name for it may be that of a source and an item.
    @Test func whatASourceTellsIsNotReplacedByAProgram() async throws {
        let sink = RecordingSink()
        let center = try await center(["a": sink])
        try store.commit(
            FetchCommit(
                state: SourceState(name: "build"), requests: [request("build/7", "Item 7")], sinks: ["a"],
                date: clock.now))
        for title in ["Build 7", "Build 7 again"] { try await center.add(request("build/7", title)) }
        _ = try await center.deliverDue()
        let told = await sink.attempts.map { "\($0.request.identifier): \($0.request.content.title)" }
        #expect(told.sorted() == ["build/7: Item 7", "build/7~2: Build 7 again"])
    }

    @Test func aSummaryOfTheSameAtTheSameMomentIsRaisedToo() async throws {
        let sink = RecordingSink([.failed(reason: "HTTP 503")])
        let center = try await center(["a": sink])
        try await center.setAuthorization(.notDetermined)
        for number in 1...11 { try await center.add(request("\(number)")) }
        _ = try await center.deliverDue()
        try await center.setAuthorization(.authorized)
        _ = try await center.deliverDue()
        #expect(await sink.attempts.count == 1)
        try await center.add(request("11"))
        _ = try await center.deliverDue()
        #expect(
            await sink.attempts.map(\.request.content.title)
                == Array(repeating: "11 notifications waited for you", count: 2))
        let identifiers = await sink.identifiers
        #expect(Set(identifiers).count == 2)
        #expect(try store.deliveries(in: [.delivered], limit: 9).map(\.request.identifier) == [identifiers[1]])
    }

    @Test(arguments: ["crier/waited-1", "crier/"])
    func theIdentifiersOfCrierAreNotForPrograms(identifier: String) async throws {
        let center = try await center(["a": RecordingSink()])
        let error = await #expect(throws: StoreError.self) { try await center.add(request(identifier)) }
        #expect(error?.kind == .invalidRequest)
        #expect(
            error?.description
                == "the identifier of the notification \(identifier) begins with crier/, as Crier's own do")
        try await center.add(request("crier"))
    }
}
