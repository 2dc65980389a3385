import Foundation

/// The network that is down, as runs and agents find it.
extension Store {
    /// Since when no host beyond this machine's own network could be reached; nil where one was, or none was asked.
    public var outageSince: Date? {
        get throws(StoreError) { try date(of: .outageSince) }
    }

    /// Takes note of whether a host beyond this machine's own network can be reached. It costs a write where that has changed.
    package func noteNetwork(isDown: Bool, at date: Date) throws(StoreError) {
        _ = try note(.outageSince, isDown, at: date, for: .infinity)
    }

    /// Since when a digest that is due is held for its sources; nil where none is.
    package var digestsHeldSince: Date? {
        get throws(StoreError) { try date(of: .digestsHeldSince) }
    }

    /// Takes note of whether one is.
    package func noteHeldDigests(_ areHeld: Bool, at date: Date) throws(StoreError) {
        _ = try note(.digestsHeldSince, areHeld, at: date, for: .infinity)
    }

    /// What was told so many seconds ago is to be told again: it lasts for long, or another has ended it that takes no note.
    private static let longestOutage: TimeInterval = 86_400

    /// Takes note of a network that is down and is told, until one is that is not.
    ///
    /// - Returns: Whether it was noted before, less than a day ago.
    package func noteOutage(_ isDown: Bool, at date: Date) throws(StoreError) -> Bool {
        try note(.outageTold, isDown, at: date, for: Self.longestOutage)
    }

    /// - Parameter time: How long a note counts, in seconds. One of a clock that was ahead does not.
    /// - Returns: Whether it was noted before.
    private func note(
        _ mark: Mark, _ isDown: Bool, at date: Date, for time: TimeInterval
    ) throws(StoreError) -> Bool {
        let noted = try self.date(of: mark)
        let isNoted = noted.map { !isDown || (0..<time).contains(date.timeIntervalSince($0)) } ?? false
        guard isDown != isNoted else { return isNoted }
        // Where that is lost, it is noted again.
        try write(.process) { db in
            if isDown {
                try Self.set(mark, to: date, in: db)
            } else {
                try Self.remove(mark, in: db)
            }
        }
        return isNoted
    }
}
