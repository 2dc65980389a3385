import Foundation
import GRDB

extension Store {
    /// A sink that is missing may come back, and one that is broken work again; after so many seconds what waits there is given up.
    package static let longestAbsence: TimeInterval = 30 * 86_400

    /// Why a delivery is put off whose sink there is not. States hold these words and are searched for them: another wording is a
    /// migration.
    package static func absence(of sink: String) -> String { "the configuration has no sink \(sink)" }

    /// Makes due what was put off for ``absence(of:)``.
    package func endAbsence(of sinks: [String], at date: Date) throws(StoreError) {
        let absent = try read { db in
            try sinks.filter { sink in
                var find = try RawStatement(
                    """
                    SELECT 1 FROM delivery
                    WHERE \(Self.isPending) AND sink = ? AND lastError = ? AND nextAttempt > ? LIMIT 1
                    """, in: db)
                find.bind(sink)
                find.bind(Self.absence(of: sink))
                find.bind(date)
                return try find.hasRow()
            }
        }
        if absent.isEmpty { return }
        try write { db in
            for sink in absent {
                try db.execute(
                    sql: """
                        UPDATE delivery SET nextAttempt = ?1, waitsSince = ?1
                        WHERE \(Self.isPending) AND sink = ?2 AND lastError = ?3
                        """, arguments: [date.milliseconds, sink, Self.absence(of: sink)])
            }
        }
    }

    /// Puts off all that is due at a sink that there is not.
    ///
    /// - Returns: How many have not been put off for that before: nobody has to hear of the others each time.
    package func putOff(forMissing sink: String, at date: Date, until next: Date) throws(StoreError) -> Int {
        try write { db in
            var count = try RawStatement(
                "SELECT count(*) FROM delivery WHERE \(Self.isDue) AND lastError IS NOT ?4", in: db)
            var putOff = try RawStatement(
                """
                UPDATE delivery SET lastError = ?4, nextAttempt = ?5, waitsSince = ?1, revision = revision + 1
                WHERE \(Self.isDue)
                """, in: db)
            func bind(_ statement: inout RawStatement) {
                statement.bind(date)
                statement.bind(date.addingTimeInterval(Self.longestWait))
                statement.bind(sink)
                statement.bind(Self.absence(of: sink))
            }
            bind(&count)
            let isNew = try count.first { $0.number(0) ?? 0 } ?? 0
            bind(&putOff)
            putOff.bind(next)
            try putOff.run()
            return Int(isNew)
        }
    }

    /// Gives up what waits for a sink that there is not. Returns how many.
    ///
    /// - Parameter ready: Only what has waited for nothing else since before that.
    package func giveUp(forMissing sink: String, readyBefore ready: Date, at date: Date) throws(StoreError) -> Int {
        let condition = """
            \(Self.isPending) AND quieted <> \(Self.quietedAlone) AND sink = ? AND \(Self.readySince) < ?
            """
        let isAny = try read { db in
            var find = try RawStatement("SELECT 1 FROM delivery WHERE \(condition) LIMIT 1", in: db)
            find.bind(sink)
            find.bind(ready)
            return try find.hasRow()
        }
        guard isAny else { return 0 }
        return try write { db in
            try db.execute(
                sql: """
                    UPDATE delivery SET state = 'dead', lastError = ?, ended = ?, quieted = 0, revision = revision + 1
                    WHERE \(condition)
                    """, arguments: [Self.absence(of: sink), date.milliseconds, sink, ready.milliseconds])
            return db.changesCount
        }
    }
}
