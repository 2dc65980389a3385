import CrierContent
import Foundation

/// What says when a source is due. It is read of every source for each run, and so is little.
public struct SourceSchedule: Sendable {
    /// As in ``SourceState``.
    public let nextFetch: Date?
    /// As in ``SourceState``.
    public let visited: SourceFingerprint?
    /// As in ``SourceState``.
    public let possibleCauses: [UInt8]?
    /// As in ``SourceState``.
    public let goneSince: Date?
    /// As in ``SourceState``.
    public let lastFetched: Date?
    private let stored: Wishes

    private enum Wishes {
        case read(OriginWishes)
        case json(String?)
    }

    /// What the origin has asked for. Few want to know, and reading it takes longer than all the rest.
    public var wishes: OriginWishes {
        switch stored {
        case .read(let wishes): wishes
        case .json(let text): text.flatMap(OriginWishes.init(json:)) ?? OriginWishes()
        }
    }

    fileprivate static let select = """
        SELECT \(SourceColumn.list([.name, .nextFetch, .visited, .goneSince, .wishes, .lastFetched]))
        FROM \(SourceColumn.tables)
        """

    /// - Parameter row: Of ``select``.
    fileprivate init(_ row: RawRow) {
        nextFetch = row.date(1)
        let last = row.fingerprintAndRest(2)
        (visited, possibleCauses) = (last?.fingerprint, last?.rest)
        goneSince = row.date(3)
        stored = .json(row.text(4))
        lastFetched = row.date(5)
    }

    fileprivate init(_ state: SourceState) {
        nextFetch = state.nextFetch
        visited = state.visited
        possibleCauses = state.possibleCauses
        goneSince = state.goneSince
        stored = .read(state.wishes)
        lastFetched = state.lastFetched
    }
}

extension SourceState {
    public var schedule: SourceSchedule { SourceSchedule(self) }
}

extension Store {
    /// Puts the schedule of every source that was ever fetched into something, one by one, with its name.
    package func schedules<Result: Sendable>(
        into start: Result, _ note: @Sendable (inout Result, String, SourceSchedule) -> Void
    ) throws(StoreError) -> Result {
        try read { db in
            var result = start
            var statement = try RawStatement(SourceSchedule.select, in: db)
            try statement.rows { row in note(&result, row.text(0) ?? "", SourceSchedule(row)) }
            return result
        }
    }
}
