import Foundation
import GRDB

/// How a known item was when it was last read.
public struct KnownContent: Sendable, Hashable {
    public let hash: [UInt8]
    /// How often it has changed.
    public let updates: Int
}

extension Store {
    /// What is known of those items of a source whose updates are followed, by identifier.
    public func knownContent(of source: String, among identifiers: [String]) throws(StoreError) -> [String:
        KnownContent]
    {
        try read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT contentHash, updates FROM item
                    WHERE source = (SELECT id FROM source WHERE name = ?) AND identifier = ? AND contentHash IS NOT NULL
                    """)
            var known: [String: KnownContent] = [:]
            for identifier in identifiers {
                guard let row = try Row.fetchOne(statement, arguments: [source, identifier]),
                    let hash = row.bytes("contentHash")
                else { continue }
                known[identifier] = KnownContent(hash: hash, updates: row["updates"])
            }
            return known
        }
    }
}
