import CrierContent
import Foundation

/// What says when a source is due. It is read of every source for each run, and so is little.
public struct SourceSchedule: Sendable {
    /// As in ``SourceState``.
    public let nextFetch: Date?
    /// As in ``SourceState``.
    public let visited: SourceFingerprint?
    /// As in ``SourceState``.
    public let goneSince: Date?
    private let wishes: Wishes

    private enum Wishes {
        case read(OriginWishes)
        case json(String?)
    }

    /// What the origin's last document said of visits. Few ask for it, and reading it takes longer than all the rest.
    public var hints: PollingHints {
        switch wishes {
        case .read(let wishes): wishes.hints
        case .json(let text): text.flatMap(OriginWishes.init(json:))?.hints ?? OriginWishes().hints
        }
    }

    fileprivate static let select =
        "SELECT \(SourceColumn.list([.name, .nextFetch, .visited, .goneSince, .wishes])) FROM \(SourceColumn.tables)"

    /// - Parameter row: Of ``select``.
    fileprivate init(_ row: RawRow) {
        nextFetch = row.date(1)
        visited = row.fingerprint(2)
        goneSince = row.date(3)
        wishes = .json(row.text(4))
    }

    fileprivate init(_ state: SourceState) {
        nextFetch = state.nextFetch
        visited = state.visited
        goneSince = state.goneSince
        wishes = .read(state.wishes)
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
