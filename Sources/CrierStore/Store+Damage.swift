import CrierNotifications
import Foundation
import GRDB

extension Store {
    /// Mends the damage that work has met, which can then be done again: of a notification whose content a disk has damaged nothing
    /// is raised, and what is left of the text takes the place of it, in a content that can be read.
    ///
    /// - Throws: ``StoreError``, that of the failure where nothing is to be mended.
    func mendDamage(after failure: any Error) throws(StoreError) {
        guard (failure as? DatabaseError)?.message == DatabaseError.malformedJSON.message else {
            throw hasLostColumn(by: failure) ? .corrupt(path) : StoreError(failure, path: path)
        }
        let isAny = try write { db in
            var damaged: [(row: Int64, text: String)] = []
            var look = try RawStatement(
                "SELECT id, content, json_valid(content) FROM notification WHERE content <> '{}'", in: db)
            try look.rows { row in
                guard let id = row.number(0), let text = row.text(1) else { return }
                if row.number(2) == 0 || (try? NotificationContent(stored: text)) == nil { damaged.append((id, text)) }
            }
            for (row, text) in damaged {
                let rest = try NotificationContent(title: "A damaged notification", body: text).stored()
                try db.execute(sql: "UPDATE notification SET content = ? WHERE id = ?", arguments: [rest, row])
            }
            try Self.giveUp(damaged.map(\.row), at: Date(), in: db)
            return !damaged.isEmpty
        }
        if !isAny { throw StoreError(failure, path: path) }
    }

    /// What a summary stands for that nobody has got waits again, unless it is damaged as well.
    private static func giveUp(_ damaged: [Int64], at date: Date, in db: Database) throws {
        let list = damaged.map(String.init).joined(separator: ", ")
        let summaries = try Int64.fetchAll(
            db,
            sql: """
                SELECT delivery.id FROM delivery JOIN notification ON notification.id = delivery.notification
                WHERE notification.id IN (\(list)) AND \(isSummary) AND state IN ('pending', 'held') AND unanswered = 0
                """)
        for summary in summaries { try dissolve(summary, date: date, in: db) }
        try db.execute(
            sql: """
                UPDATE delivery SET state = 'dead', lastError = 'its text is damaged', ended = ?, quieted = 0,
                    revision = revision + 1
                WHERE notification IN (\(list)) AND state IN ('pending', 'held')
                    OR id IN (\(summaries.map(String.init).joined(separator: ", ")))
                """, arguments: [date.milliseconds])
    }

    /// Whether the name of a column is damaged: an older state that was put in the file's place lacks the migration as well.
    private func hasLostColumn(by failure: any Error) -> Bool {
        guard (failure as? DatabaseError)?.message?.contains("column") == true,
            let isCurrent = try? read(Schema.isCurrent), isCurrent
        else { return false }
        return (try? faults())?.isEmpty == false
    }
}

extension DatabaseError {
    /// In the words of SQLite's own functions, which meet such a text as well.
    static var malformedJSON: DatabaseError { DatabaseError(message: "malformed JSON") }
}
