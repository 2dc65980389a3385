import Foundation
import GRDB
import GRDBSQLite

/// A prepared statement whose values are bound and read one by one, as SQLite does it.
///
/// For what every run, visit, item or delivery needs; what is asked for seldom reads better by GRDB's own. GRDB wraps each value
/// twice on its way in, and reads bytes through `Data`, which takes four times as long as SQLite's own work. Errors are GRDB's.
struct RawStatement {
    /// Kept alive and compiled by the connection.
    private let statement: Statement
    private let handle: OpaquePointer
    private var place: Int32 = 0

    init(_ sql: String, in db: Database) throws {
        statement = try db.cachedStatement(sql: sql)
        handle = statement.sqliteStatement
        sqlite3_reset(handle)
    }

    // MARK: Values in their order, from the first after each run on

    mutating func bind(_ number: Int64?) {
        place += 1
        if let number { sqlite3_bind_int64(handle, place, number) } else { sqlite3_bind_null(handle, place) }
    }

    mutating func bind(_ number: Int?) { bind(number.map { Int64($0) }) }

    mutating func bind(_ date: Date?) { bind(date?.milliseconds) }

    /// Ends at a NUL, as a text that is read does.
    mutating func bind(_ text: String?) {
        place += 1
        guard var text else {
            sqlite3_bind_null(handle, place)
            return
        }
        text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else {
                // A null pointer, which no text may have, would be NULL.
                sqlite3_bind_text(handle, place, "", 0, Self.copied)
                return
            }
            _ = start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_bind_text(handle, place, $0, Int32(bytes.countToNUL), Self.copied)
            }
        }
    }

    mutating func bind(_ bytes: [UInt8]?) {
        guard let bytes else { return bind(nil as Int64?) }
        bytes.withUnsafeBytes { bind($0) }
    }

    mutating func bind(_ bytes: UnsafeRawBufferPointer) {
        place += 1
        // A null pointer, which no bytes may have, would be NULL.
        if bytes.isEmpty {
            sqlite3_bind_zeroblob(handle, place, 0)
        } else {
            sqlite3_bind_blob(handle, place, bytes.baseAddress, Int32(bytes.count), Self.copied)
        }
    }

    // MARK: Running

    /// Runs one that has no values.
    static func run(_ sql: String, in db: Database) throws {
        var statement = try RawStatement(sql, in: db)
        try statement.run()
    }

    /// Compiles it, runs it and forgets it. For what is hardly asked twice alike, and for PRAGMAs: some do their work while they
    /// are compiled, so that one which is kept would do nothing the second time.
    static func runOnce(_ sql: String, in db: Database) throws {
        let code = sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code, of: db.sqliteConnection, sql: sql) }
    }

    /// Runs it to its end, whatever rows it gives.
    mutating func run() throws { try rows { _ in } }

    /// The first row, if there is one.
    mutating func first<T>(_ read: (RawRow) throws -> T) throws -> T? {
        defer { reset() }
        return try step() ? read(RawRow(handle: handle)) : nil
    }

    mutating func hasRow() throws -> Bool { try first { _ in true } ?? false }

    mutating func rows(_ read: (RawRow) throws -> Void) throws {
        defer { reset() }
        while try step() { try read(RawRow(handle: handle)) }
    }

    private mutating func reset() {
        sqlite3_reset(handle)
        place = 0
    }

    private func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            throw DatabaseError(code, of: sqlite3_db_handle(handle), sql: statement.sql)
        }
    }

    /// SQLite takes a copy of what is bound.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// One row, until the next is read. Columns are counted from 0.
struct RawRow {
    fileprivate let handle: OpaquePointer

    func number(_ column: Int) -> Int64? { isNull(column) ? nil : sqlite3_column_int64(handle, Int32(column)) }

    /// That of the last column.
    var lastNumber: Int { Int(sqlite3_column_int64(handle, sqlite3_data_count(handle) - 1)) }

    func date(_ column: Int) -> Date? { number(column).map(Date.init(milliseconds:)) }

    func text(_ column: Int) -> String? {
        // Nil for NULL.
        sqlite3_column_text(handle, Int32(column)).map { String(cString: $0) }
    }

    /// Whether it is the text that would be written there, told without a copy.
    func holds(_ text: String?, in column: Int) -> Bool {
        guard var text else { return isNull(column) }
        return text.withUTF8 { bytes in
            guard !isNull(column), let stored = sqlite3_column_text(handle, Int32(column)) else { return false }
            let count = Int(sqlite3_column_bytes(handle, Int32(column)))
            guard count == bytes.countToNUL else { return false }
            return bytes.baseAddress.map { memcmp(stored, $0, count) == 0 } ?? true
        }
    }

    func bytes(_ column: Int) -> [UInt8]? { withBytes(column) { [UInt8]($0) } }

    /// Nil for NULL; the bytes are there for as long as `read` runs.
    func withBytes<T>(_ column: Int, _ read: (UnsafeRawBufferPointer) -> T) -> T? {
        guard !isNull(column) else { return nil }
        let start = sqlite3_column_blob(handle, Int32(column))
        return read(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
    }

    private func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }
}

extension UnsafeBufferPointer<UInt8> {
    /// A text ends there.
    fileprivate var countToNUL: Int {
        baseAddress.map { $0.withMemoryRebound(to: CChar.self, capacity: count) { strnlen($0, count) } } ?? 0
    }
}

extension DatabaseError {
    fileprivate init(_ code: CInt, of connection: OpaquePointer?, sql: String) {
        self.init(
            resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }
}
