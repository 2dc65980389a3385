import CrierNotifications
import Foundation
import GRDB
import Testing

@testable import CrierStore

/// Whoever looks for what is due reads what waits once, as thousands may.
@Suite struct DueDeliveriesTests {
    private static let queries = [
        Store.oldestFirst, Store.inOrder, Store.byTurns(isOrdered: false), Store.byTurns(isOrdered: true),
    ]

    @Test(arguments: queries) func nothingIsLookedUpForEachRow(query: String) throws {
        let plan = try Store.inMemory().read { db in
            let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(query)")
            return try Row.fetchAll(statement, arguments: arguments(of: query)).map { $0["detail"] as String }
        }
        #expect(!plan.contains { $0.contains("CORRELATED") }, "\(plan)")
        #expect(!plan.contains { $0.contains("AUTOMATIC") && !$0.contains("source=?") }, "\(plan)")
        #expect(plan.contains("SEARCH delivery USING INDEX delivery_waiting (state=?)"), "not what is over: \(plan)")
    }

    /// With an index of their own, what is over is not read each time that somebody looks for what waits.
    @Test func whatIsHeldIsFoundByTheIndexOfWhatWaits() throws {
        let plan = try Store.inMemory().read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN SELECT 1 FROM delivery WHERE \(Store.isHeld)")
                .map { $0["detail"] as String }
        }
        #expect(plan.allSatisfy { $0.contains("INDEX delivery_waiting") }, "\(plan)")
    }

    /// As many as it asks for.
    private func arguments(of query: String) -> StatementArguments {
        let end = noon.addingTimeInterval(Store.longestWait)
        let values = [
            noon.milliseconds.databaseValue, end.milliseconds.databaseValue, "hook".databaseValue, 6.databaseValue,
        ]
        return StatementArguments(values.prefix(query.contains("?4") ? 4 : 3))
    }
}
