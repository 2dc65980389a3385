import Foundation
import GRDB

extension Store {
    /// What a file holds, in a file of the system's temporary folder that nobody else sees, or in memory where there is no room:
    /// whatever is done with it, the file stays as it is. Nil where there is no file.
    ///
    /// - Parameter isAtRest: Whether nobody writes to it, as ``isAtRest(_:)`` says: then nothing is made beside it, for which the disk
    ///   may have no room.
    /// - Throws: ``StoreError``.
    public static func copy(ofFileAt path: String, isAtRest: Bool = false) throws(StoreError) -> Store? {
        guard try status(ofFile: path) != nil else { return nil }
        do {
            var configuration = GRDB.Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(longestLock / .seconds(1))
            let file = try DatabaseQueue(
                path: isAtRest ? Self.uri(of: path) : place(path), configuration: configuration)
            if try file.read(Schema.isForeign) { throw StoreError.foreign(path) }
            if let refusal = try file.read({ try Schema.refusal(of: path, $0) }) { throw refusal }
            let copy = try (try? copied(file, into: DatabaseQueue(path: ""))) ?? copied(file, into: DatabaseQueue())
            return Store(writer: copy, path: path)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private static func copied(_ file: DatabaseQueue, into copy: DatabaseQueue) throws -> DatabaseQueue {
        try file.backup(to: copy)
        try Schema.migrator.migrate(copy)
        return copy
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

    /// Whether a file is there that holds nothing: all that a full disk or a power cut may have left of a state, whose log says nothing
    /// without it. One that was made a moment ago is about to become a state.
    package static func isLost(_ path: String) -> Bool {
        guard let file = try? status(ofFile: path), file.st_size == 0 else { return false }
        return abs(time(nil) - file.st_mtim.tv_sec) > 10
    }

    /// Whether SQLite leaves nothing beside a file that it reads, which would keep it from being written later: as long as it has no
    /// write-ahead log, as a ``backup(to:)``, or the index of its log is there, as beside an agent where only that may write.
    package static func mayBeReadAlone(_ path: String) -> Bool {
        if !isAtRest(path), access(path + OpenFile.Role.logIndex.rawValue, R_OK) == 0 { return true }
        // The version of the format that a reader needs (SQLite's database file format §1.3.3).
        let header = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 20)
        return header?.count == 20 && header?[19] == 1
    }
}
