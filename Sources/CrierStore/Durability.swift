import GRDB
import Synchronization

/// What a transaction outlives once it is committed.
package enum Durability: Sendable, Hashable {
    /// The end of the process, however it ends. It is on the disk with the next transaction that outlives more, or when the
    /// file is closed, and in its order: a power cut takes it only together with all that was written after it.
    case process
    /// A power cut, too: it waits for the disk.
    case powerCut

    /// https://www.sqlite.org/pragma.html#pragma_synchronous, with a write-ahead log.
    var pragma: String {
        switch self {
        case .process: "PRAGMA synchronous = NORMAL"
        case .powerCut: "PRAGMA synchronous = FULL"
        }
    }
}

/// That of a connection's next transactions. To be used in its queue only.
final class CurrentDurability: Sendable {
    private let current = Mutex(Durability.powerCut)

    /// Not to be called within a transaction.
    func become(_ durability: Durability, in db: Database) throws {
        guard current.withLock({ $0 }) != durability else { return }
        try RawStatement.runOnce(durability.pragma, in: db)
        current.withLock { $0 = durability }
    }
}
