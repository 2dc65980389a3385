import CrierContent
import Foundation
import GRDB

/// A stored item that waits for its day under the daily policy.
public struct HeldItem: Sendable, Hashable {
    public let item: ContentItem
    public let firstSeen: Date
}

/// That an item is held is written down and not told by its date: documents date again what was told, and what was not.
extension Store {
    /// The oldest first.
    public func heldItems(of source: String) throws(StoreError) -> [HeldItem] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM item INDEXED BY item_held
                    WHERE source = (SELECT id FROM source WHERE name = ?) AND isHeld = 1
                    ORDER BY coalesce(published, updated), identifier
                    """, arguments: [source]
            ).map { HeldItem(item: try ContentItem($0), firstSeen: try $0.date("firstSeen") ?? .distantPast) }
        }
    }

    static func saveHeld(_ fetch: FetchCommit, of source: Int64, in db: Database) throws {
        // Nearly always.
        if fetch.held.isEmpty, fetch.released.isEmpty { return }
        var write = try RawStatement("UPDATE item SET isHeld = ? WHERE source = ? AND identifier = ?", in: db)
        for (identifiers, isHeld) in [(fetch.released, false), (fetch.held, true)] {
            for identifier in identifiers {
                write.bind(isHeld ? 1 : 0)
                write.bind(source)
                write.bind(identifier)
                try write.run()
            }
        }
    }
}
