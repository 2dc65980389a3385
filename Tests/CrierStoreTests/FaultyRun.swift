import CrierContent
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierStore

/// A run on a disk that may fail: it opens the state, writes down a fetch, delivers, and prunes. After a failure it is
/// resumed where a next run would begin, and what was promised is held against what the file has.
final class FaultyRun {
    static let sinks = ["stdout", "team"]
    static let names = ["news/a", "news/b", "news/c"]
    private static let old = noon.addingTimeInterval(-40 * 86_400)

    let path: String
    /// Whether there is something to prune.
    private let hasOld: Bool
    var store: Store?
    /// How often each was accepted, by identifier and sink; what was reported as written.
    private var accepted: [String: Int] = [:]
    private var recorded: Set<String> = []
    private var isCommitted = false
    private var isPruned = false
    private var hasFailedOnce = false

    init(path: String) {
        self.path = path
        hasOld = FileManager.default.fileExists(atPath: path)
    }

    /// A state from which something is to be pruned.
    static func prepare(_ path: String) throws {
        let store = try Store(path: path)
        try store.setNotificationSettings(.authorized, at: old)
        try store.commit(commit("old", requests: ["old/x"], to: ["stdout"], at: old))
        let due = try #require(try store.dueDeliveries(at: old).first)
        try store.finish(due, with: .delivered(receipt: nil), at: old)
    }

    func go() throws {
        let store = try self.store ?? Store(path: path, integrityCheck: .always)
        self.store = store
        try store.setNotificationSettings(.authorized, at: noon)
        var fetch = commit(items: Self.names.map { ContentItem(identifier: $0) }, requests: Self.names, to: Self.sinks)
        fetch.state.etag = [1]
        // Two fetches that end together share a transaction.
        try store.commit([fetch, commit("other") { $0.etag = [2] }])
        isCommitted = true
        for sink in Self.sinks { try deliver(to: sink, store) }
        try store.prune(isForced: true, at: noon)
        isPruned = true
    }

    private func deliver(to sink: String, _ store: Store) throws {
        for delivery in try store.dueDeliveries(at: noon, sink: sink) {
            guard let begun = try store.begin(delivery) else { continue }
            if begun.request.identifier == Self.names[1], !hasFailedOnce {
                hasFailedOnce = true
                try store.finish(begun, with: .retry(at: noon, reason: "HTTP 500"), at: noon)
                _ = try store.countFailure(of: sink, reason: "HTTP 500", at: noon) { _ in SinkVerdict() }
            } else {
                accepted[Self.key(begun), default: 0] += 1
                try store.finish(begun, with: .delivered(receipt: "1"), at: noon)
                recorded.insert(Self.key(begun))
            }
        }
    }

    private static func key(_ delivery: Delivery) -> String { "\(delivery.request.identifier) \(delivery.sink)" }

    /// What a healthy reader sees: all of a transaction or nothing of it, and all that was reported as written.
    func check(_ place: String) throws {
        let healthy = try Store(path: path, integrityCheck: .always)
        let verdict = try healthy.writer.read { db in try String.fetchAll(db, sql: "PRAGMA integrity_check") }
        #expect(verdict == ["ok"], "\(place)")
        let all = try healthy.deliveries(in: Set(Delivery.State.allCases)).filter { $0.source == "news" }
        let isThere = try healthy.state(of: "news").etag == [1]
        #expect(all.count == (isThere ? Self.names.count * Self.sinks.count : 0), "\(place)")
        #expect(
            try healthy.knownIdentifiers(of: "news", among: Self.names).count == (isThere ? Self.names.count : 0),
            "\(place)")
        #expect(try (healthy.state(of: "other").etag == [2]) == isThere, "\(place): a transaction is torn")
        #expect(isThere || !isCommitted, "\(place): a commit is lost")
        let delivered = Set(all.filter { $0.state == .delivered }.map(Self.key))
        #expect(delivered.isSuperset(of: recorded), "\(place): a delivery is lost")
        #expect(delivered.allSatisfy { accepted[$0] != nil }, "\(place): nobody accepted it")
        #expect(try (healthy.state(of: "news").lastNotified != nil) == !delivered.isEmpty, "\(place)")
        let isForgotten = try healthy.deliveries(in: [.delivered], source: "old").isEmpty
        let isMarked = try healthy.date(of: .pruned) != nil
        #expect(isForgotten == isMarked || !hasOld, "\(place): it is pruned in part")
        #expect(isMarked || !isPruned, "\(place): a pruning is lost")
    }

    /// After all went well: everything came, and nothing came twice but for what a failure kept from being recorded.
    func checkEnd(failures: Int, _ place: String) throws {
        try check(place)
        #expect(recorded.count == Self.names.count * Self.sinks.count, "\(place): something is lost")
        let repeats = accepted.values.reduce(0) { $0 + $1 - 1 }
        #expect(repeats <= failures, "\(place): \(repeats) repeats after \(failures) failures")
    }
}
