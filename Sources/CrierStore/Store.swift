import CrierProcess
import Foundation
import GRDB

/// When to read the whole state file through before it is used.
public enum IntegrityCheck: Sendable, Hashable {
    case never
    /// Where a log lies beside it, which the last user of the file would have removed.
    case ifLogIsLeft
    case always

    fileprivate func isWanted(logIsLeft: Bool) -> Bool {
        switch self {
        case .never: false
        case .ifLogIsLeft: logIsLeft
        case .always: true
        }
    }
}

/// The SQLite file: what Crier remembers. State only; sources and sinks are the configuration's.
///
/// Writes are transactions; SQLite's own constraints hold the invariants. One process runs the queues at a time
/// (see ``RunLock``); a single transaction of any other process is safe beside it.
public struct Store: Sendable {
    let writer: DatabaseQueue
    let notes = WakeUpNotes()
    private let durability = CurrentDurability()
    /// The path of the database file; its name for errors.
    public let path: String
    /// The same whatever becomes of the working folder.
    let absolutePath: String
    /// Looked at by ``checkPlace()``.
    private(set) var openFiles: [OpenFile] = []

    /// Opens the file and brings its schema up to date, creating file (mode 0600) and folder (mode 0700) where missing.
    ///
    /// - Parameters:
    ///   - path: One that is not absolute is that of the working folder of this moment; a `~` is a name like any other.
    ///   - integrityCheck: When to read the file through first.
    /// - Throws: ``StoreError``; the file is as it was.
    public init(path: String, integrityCheck: IntegrityCheck = .never) throws(StoreError) {
        self.path = path
        absolutePath = Self.absolute(path)
        do {
            let isUnclean = try Self.prepareFile(path)
            writer = try DatabaseQueue(path: Self.place(path), configuration: Self.configuration(of: path))
            let isCurrent = try read { db in
                if integrityCheck.isWanted(logIsLeft: isUnclean) { try Self.checkIntegrity(db) }
                if Schema.isCurrent(db) { return true }
                // What keeps that from being told keeps the migrations from being made.
                if let refusal = try? Schema.refusal(of: path, db) { throw refusal }
                return false
            }
            if !isCurrent { try Schema.migrate(writer) }
            openFiles = try lookUpOpenFiles()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Opens a file that exists, as ``init(path:integrityCheck:)`` does. Nil where there is none yet.
    public static func existing(
        path: String, integrityCheck: IntegrityCheck = .never
    ) throws(StoreError) -> Store? {
        try status(ofFile: path) == nil ? nil : try Store(path: path, integrityCheck: integrityCheck)
    }

    /// A store that lives in memory, for what is not to be remembered.
    public static func inMemory() throws(StoreError) -> Store {
        do {
            let queue = try DatabaseQueue()
            try Schema.migrate(queue)
            return Store(writer: queue, path: ":memory:")
        } catch {
            throw StoreError(error, path: ":memory:")
        }
    }

    /// Closes the file, in a process that has nothing to do after it: the connection's object stays, as it would look, at its end,
    /// for notices that it never ordered, which takes longer than to close the file. Whoever does not call this has the file
    /// closed when the last copy of the store is gone.
    public func closeForGood() {
        guard (try? writer.close()) != nil else { return }
        _ = Unmanaged.passRetained(writer)
    }

    /// The path as SQLite takes it for nothing but a path: `file:x` would be a URI, `:memory:` no file at all.
    static func place(_ path: String) -> String { path.utf8.first == UInt8(ascii: "/") ? path : "./" + path }

    private static func absolute(_ path: String) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return PathText.join(String(cString: folder), path)
    }

    init(writer: DatabaseQueue, path: String) {
        self.writer = writer
        self.path = path
        absolutePath = Self.absolute(path)
    }

    /// So long somebody else may hold the file locked.
    static let longestLock = Duration.seconds(10)

    private static func configuration(of path: String) -> GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.prepareDatabase { db in
            // Before anything is written: tables of ours beside theirs, and another journal, are nothing to give to strangers.
            if !Schema.isCurrent(db), try Schema.isForeign(db) { throw StoreError.foreign(path) }
            makePrivate(path)
            try keepLog(db)
            // NORMAL, usual with such a log, would lose the last commits on a power cut, and with them what was raised. What
            // need not outlive one says so: see ``Durability``.
            try RawStatement.runOnce(Durability.powerCut.pragma, in: db)
            // In KiB, a quarter of what is usual: a visit needs a dozen pages, and the system keeps the file's others, too.
            try RawStatement.runOnce("PRAGMA cache_size = -500", in: db)
            try RawStatement.runOnce("PRAGMA foreign_keys = ON", in: db)
        }
        configuration.busyMode = .timeout(longestLock / .seconds(1))
        // They are enabled above: GRDB would do the same, by way of code that looks through all of the program's conformances.
        configuration.foreignKeysEnabled = false
        return configuration
    }

    /// Has a write-ahead log kept beside the file.
    ///
    /// It is not GRDB's own setting: for the sake of its pools it makes and drops a table whenever a file is opened, which is a
    /// write, and its way to the disk, in a run that may have nothing to write.
    private static func keepLog(_ db: Database) throws {
        let deadline = ContinuousClock.now + longestLock
        while true {
            do {
                var setMode = try RawStatement("PRAGMA journal_mode = WAL", in: db)
                guard try setMode.first({ $0.holds("wal", in: 0) }) == true else {
                    throw DatabaseError(message: "no write-ahead log can be kept beside the file")
                }
                return
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && .now < deadline {
                // Another does the same: SQLite does not wait for that lock, as both might wait for each other. It waits for this
                // one. For somebody who only reads it has waited long enough.
                try RawStatement.runOnce("BEGIN IMMEDIATE", in: db)
                try RawStatement.runOnce("ROLLBACK", in: db)
            }
        }
    }

    /// A copy that was brought back is as private as the file was; where it is another's, this does nothing.
    private static func makePrivate(_ path: String) {
        // What lies beside the file has its mode.
        for path in [path, path + "-wal", path + "-shm"] {
            var status = stat()
            if stat(path, &status) == 0, status.st_mode & 0o077 != 0 { chmod(path, 0o600) }
        }
    }

    /// Makes an empty file that only its owner may read, where there is none. True where a log is left of a process that did not end well.
    private static func prepareFile(_ path: String) throws -> Bool {
        guard SymbolicLinks.target(of: path) != nil else {
            throw StoreError(.cannotOpen, "cannot open the state file \(path): \(String(cString: strerror(errno)))")
        }
        if var status = try status(ofFile: path) {
            // SQLite would open it all the same, and leave files beside it that keep it read-only afterwards.
            if access(path, R_OK) == 0, access(path, W_OK) != 0 { throw StoreError.readOnly(path) }
            return stat(path + "-wal", &status) == 0 && status.st_size > 0
        }
        try StateFolder.make(of: path)
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let cause = ForeignState.cause(of: errno, at: path)
            throw StoreError(.cannotOpen, "cannot create the state file \(path): \(cause)")
        }
        // Whatever the mask of new files takes away.
        fchmod(descriptor, 0o600)
        close(descriptor)
        return false
    }

    /// Nil where there is none yet.
    ///
    /// - Throws: ``StoreError`` where it is something else than a file.
    package static func status(ofFile path: String) throws(StoreError) -> stat? {
        if path.isEmpty { throw StoreError(.cannotOpen, "the path of the state file is empty") }
        // Another file would be opened: the system's paths end there.
        if path.utf8.contains(0) { throw StoreError(.cannotOpen, "the path of the state file holds a NUL") }
        var status = stat()
        guard stat(path, &status) == 0 else {
            // One that cannot be looked at may be there.
            let code = errno
            if code == ENOENT || code == ENOTDIR { return nil }
            let cause = ForeignState.cause(of: code, at: path)
            throw StoreError(.cannotOpen, "cannot look at the state file \(path): \(cause)")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError.noFile(path) }
        return status
    }

    private static func checkIntegrity(_ db: Database) throws {
        if let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(1)"), verdict != "ok" {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict)
        }
    }

    /// Sees one state of the file throughout.
    ///
    /// It is not GRDB's `read`, which sets `PRAGMA query_only` around it: SQLite then takes every prepared statement as
    /// expired, and compiles it again at its next use, a third of the cost of an unchanged source.
    func read<T: Sendable>(_ work: @Sendable (Database) throws -> T) throws(StoreError) -> T {
        do {
            return try writer.unsafeRead { db in try Self.transaction("BEGIN", in: db) { try work(db) } }
        } catch {
            try mendDamage(after: error)
            return try read(work)
        }
    }

    func write<T: Sendable>(
        _ durability: Durability = .powerCut, _ work: @Sendable (Database) throws -> T
    ) throws(StoreError) -> T {
        let wakes = notes.take()
        do {
            return try writer.writeWithoutTransaction { db in
                try self.durability.become(durability, in: db)
                return try Self.transaction("BEGIN IMMEDIATE", in: db) {
                    try Self.save(wakes, in: db)
                    return try work(db)
                }
            }
        } catch {
            notes.putBack(wakes)
            try mendDamage(after: error)
            return try write(durability, work)
        }
    }

    /// Commits what the work does, or takes it back where that throws. The work hides no error: some of them end the transaction,
    /// and each statement behind would be one of its own.
    ///
    /// It is not GRDB's `inTransaction`, which compiles both its statements each time: that takes longer than most of what is read.
    private static func transaction<T>(_ begin: String, in db: Database, _ work: () throws -> T) throws -> T {
        try RawStatement.run(begin, in: db)
        do {
            let result = try work()
            try RawStatement.run("COMMIT", in: db)
            return result
        } catch {
            if db.isInsideTransaction { try? RawStatement.run("ROLLBACK", in: db) }
            throw error
        }
    }
}
