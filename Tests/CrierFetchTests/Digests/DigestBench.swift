import CrierContent
import CrierNotifications
import CrierStore
import CrierTesting
import Foundation

@testable import CrierFetch

/// A digest over one source, with a real state file and a manual clock.
struct DigestBench {
    let folder: TemporaryFolder
    let clock: ManualClock
    var store: Store
    var digest: Digest
    var source = Source(name: "news", address: .url("https://e.example/feed"), first: .all, sinks: ["stdout"])

    /// - Parameter isInMemory: Whether the state file lies in a file system of memory, where there is one: then what is
    ///   written thousands of times waits for no disk.
    init(_ at: String, zone: String = "Europe/Berlin", from start: String, isInMemory: Bool = false) throws {
        folder = try TemporaryFolder(inMemory: isInMemory)
        clock = ManualClock(now: try Date(start, strategy: .iso8601))
        store = try Store(path: folder.file("crier.sqlite"))
        let timeZone = TimeZone(identifier: zone) ?? .gmt
        digest = Digest(name: "morning", at: try CalendarExpression(at), timeZone: timeZone, sinks: ["stdout"])
        source.digests = ["morning"]
    }

    var desk: DigestDesk { desk(store) }

    func desk(_ store: Store) -> DigestDesk {
        DigestDesk(digests: [digest], sources: [source], store: store, clock: clock)
    }

    /// As a new process would find it.
    mutating func restart() throws { store = try Store(path: folder.file("crier.sqlite")) }

    func set(_ time: String) throws { clock.advance(to: try Date(time, strategy: .iso8601)) }

    /// What a fetch that finds new items leaves behind.
    func see(_ identifiers: String...) throws {
        let items = identifiers.map {
            ContentItem(identifier: $0, title: "Title \($0)", url: "https://e.example/\($0)", published: clock.now)
        }
        var commit = FetchCommit(state: try store.state(of: "news"), items: items, date: clock.now)
        commit.digests = source.digests
        commit.waiting = identifiers
        try store.commit(commit)
    }

    /// The identifiers in the outbox, oldest first.
    func outbox() throws -> [String] { try requests().map(\.identifier) }

    func requests() throws -> [NotificationRequest] {
        try store.deliveries(in: Set(Delivery.State.allCases), limit: 10_000).reversed().map(\.request)
    }
}

extension NotificationRequest {
    /// The titles of the items that a digest tells of, in its order.
    var titles: [String] {
        guard case .array(let items)? = content.userInfo["items"] else { return [] }
        return items.compactMap { item in
            if case .object(let members) = item, case .string(let title)? = members["title"] { title } else { nil }
        }
    }
}
