import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery
@testable import CrierStore

/// Sinks that are called otherwise than when something began to wait for them.
@Suite(.timeLimit(.minutes(1))) struct SinkRenameTests: DeliverySuite {
    let folder: TemporaryFolder
    let store: Store
    let clock = ManualClock()

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.file("crier.sqlite"))
        try store.setNotificationSettings(.authorized, at: clock.now)
    }

    private func places(_ places: KeyValuePairs<String, UInt8>) -> [SinkPlace] {
        places.map { SinkPlace(name: $0, fingerprint: [$1]) }
    }

    /// As `from to`.
    private func renames(_ before: KeyValuePairs<String, UInt8>, _ now: KeyValuePairs<String, UInt8>) throws -> [String]
    {
        try store.note(places(before))
        return try SinkRename.among(places(now), in: store).map { "\($0.from) \($0.to)" }.sorted()
    }

    @Test func oneThatLeadsWhereAnotherLedIsTheSame() throws {
        #expect(try renames(["a": 1, "b": 2], ["c": 1, "b": 2]) == ["a c"])
        #expect(try renames(["a": 1, "b": 2], ["c": 1, "d": 2]) == ["a c", "b d"])
        #expect(try renames(["a": 1, "b": 2], ["b": 1, "a": 2]) == ["a b", "b a"])
        #expect(try renames(["a": 1], ["a": 2, "b": 1]) == ["a b"])
    }

    @Test func oneThatIsThereStillOrLeadsElsewhereIsAnother() throws {
        #expect(try renames([:], ["a": 1]) == [], "nobody knows where anything led")
        #expect(try renames(["a": 1], ["a": 1, "b": 1]) == [])
        #expect(try renames(["a": 1], ["b": 2]) == [])
        #expect(try renames(["a": 1], ["a": 2]) == [])
        #expect(try renames(["a": 1, "b": 1], ["b": 1]) == [])
    }

    @Test func ofSeveralEachTakesOverOne() throws {
        #expect(try renames(["a": 1, "b": 1], ["d": 1, "c": 1]) == ["a c", "b d"])
        #expect(try renames(["a": 1], ["d": 1, "c": 1]) == ["a c"])
        #expect(try renames(["a": 1, "b": 1], ["c": 1]) == ["a c"])
    }

    @Test func whereOneLedIsKnownForAsLongAsThereAreDeliveriesForIt() async throws {
        try commit("news", ["1"], to: "a")
        #expect(try renames(["a": 1, "b": 2], ["c": 2]) == ["b c"])
        try store.note(places(["c": 2]))
        #expect(try store.sinkPlaces() == ["a": [1], "c": [2]])
    }

    private func waiting() throws -> [String: [String]] {
        Dictionary(grouping: try store.deliveries(in: [.pending]), by: \.sink).mapValues {
            $0.map(\.request.content.title).sorted()
        }
    }

    @Test func whatWaitsGoesToTheNewNameAtOnce() async throws {
        let sink = RecordingSink()
        try commit("news", ["1", "2"], to: "phone")
        #expect(try await center().deliverDue().waiting["phone"]?.count == 2)
        try store.renameSinks(["phone": "mobile"], at: clock.now)
        #expect(try await center(named("mobile", sink)).deliverDue().delivered == ["mobile": 2])
        #expect(await sink.identifiers == ["1", "2"])
        #expect(try store.deliveries(in: [.delivered], sink: "mobile").count == 2)
    }

    @Test func twoMayChangePlacesWithTheirTroubles() throws {
        try commit("news", ["1"], to: "a")
        try commit("other", ["2"], to: "b")
        try store.markGone("a", reason: "HTTP 410", at: clock.now)
        _ = try store.countFailure(of: "b", reason: "HTTP 500", at: clock.now) { _ in SinkVerdict() }
        try store.renameSinks(["a": "b", "b": "a"], at: clock.now)
        #expect(try waiting() == ["a": ["2"], "b": ["1"]])
        #expect(try store.goneSinks().map(\.name) == ["b"])
        #expect(try store.failures(of: "a") == 1 && store.failures(of: "b") == 0)
    }

    /// The other one that had the name leads nowhere any more.
    @Test func whatBothWereToldOfIsToldAsTheOldNameKnows() throws {
        try add(["1"], to: ["a", "b"])
        let former = try store.deliveries(in: [.pending], sink: "a").map(\.id)
        try store.renameSinks(["a": "b"], at: clock.now)
        #expect(former.count == 1)
        #expect(try store.deliveries(in: [.pending]).map(\.id) == former)
    }
}
