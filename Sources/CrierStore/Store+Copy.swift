import Foundation
import GRDB

extension Store {
    /// What a file holds, in memory: whatever is done with it, the file stays as it is. Nil where there is no file.
    ///
    /// - Parameter isAtRest: Whether nobody writes to it, as ``isAtRest(_:)`` says: then nothing is made beside it, for which the disk
    ///   may have no room.
    /// - Throws: ``StoreError``.
    public static func copy(ofFileAt path: String, isAtRest: Bool = false) throws(StoreError) -> Store? {
        guard try status(ofFile: path) != nil else { return nil }
        do {
            let file = try reader(of: path, isAtRest: isAtRest)
            if try file.read(Schema.isForeign) { throw StoreError.foreign(path) }
            if try file.read({ try Schema.migrator.hasBeenSuperseded($0) }) { throw StoreError.newer(path) }
            let copy = try DatabaseQueue()
            try file.backup(to: copy)
            try Schema.migrator.migrate(copy)
            return Store(writer: copy, path: path)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Takes over what the user has decided from a damaged file, where that is whole there: the permission, and the switch for fetching
    /// in the background.
    package func adoptDecisions(ofDamagedFileAt path: String, at date: Date) throws(StoreError) {
        guard let file = try? Self.reader(of: path, isAtRest: Self.isAtRest(path)) else { return }
        let damaged = Store(writer: file, path: path)
        if damaged.isWhole("authorization"), let settings = try? damaged.notificationSettings(),
            settings.authorizationStatus != .notDetermined
        {
            try setNotificationSettings(settings, at: date)
        }
        if damaged.isWhole("background"), let settings = try? damaged.backgroundSettings() {
            try setBackgroundSettings(settings)
        }
    }

    private func isWhole(_ table: String) -> Bool {
        (try? read { db in try String.fetchOne(db, sql: "PRAGMA quick_check(\(table))") }) == "ok"
    }

    private static func reader(of path: String, isAtRest: Bool) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(longestLock / .seconds(1))
        return try DatabaseQueue(path: isAtRest ? uri(of: path) : place(path), configuration: configuration)
    }

    /// Of a file that does not change (SQLite's "URI Filenames").
    private static func uri(of path: String) -> String {
        let place = place(path)
        return "file:\(place.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? place)?immutable=1"
    }

    /// Whether all that a file holds is in it: whoever writes to it keeps a log beside it, and takes that away at the end.
    package static func isAtRest(_ path: String) -> Bool {
        guard let log = try? status(ofFile: path + OpenFile.Role.log.rawValue) else { return true }
        return log.st_size == 0
    }

    /// Whether a file is there that holds nothing, nor does its log: all that a full disk or a power cut may have left of a state. One
    /// that was made a moment ago is about to become a state.
    package static func isLost(_ path: String) -> Bool {
        guard let file = try? status(ofFile: path), file.st_size == 0, isAtRest(path) else { return false }
        return abs(time(nil) - file.st_mtim.tv_sec) > 10
    }

    /// Whether SQLite leaves nothing beside a file that it reads, which would keep it from being written later: as long as it has no
    /// write-ahead log, as a ``backup(to:)``.
    package static func mayBeReadAlone(_ path: String) -> Bool {
        // The version of the format that a reader needs (SQLite's database file format §1.3.3).
        let header = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 20)
        return header?.count == 20 && header?[19] == 1
    }
}
