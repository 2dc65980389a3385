import CrierContent
import Foundation

/// What says when a source is due. It is read of every source for each run, and so is little.
public struct SourceSchedule: Sendable {
    /// As in ``SourceState``.
    public let nextFetch: Date?
    /// As in ``SourceState``.
    public let visited: [UInt8]?
    /// As in ``SourceState``.
    public let goneSince: Date?
    private let wishes: @Sendable () -> OriginWishes

    /// What the origin's last document said of visits. Few ask for it, and reading it takes longer than all the rest.
    public var hints: PollingHints { wishes().hints }

    static let list = [SourceColumn.name, .nextFetch, .visited, .goneSince, .wishes]
        .map { "\($0)" }.joined(separator: ", ")

    /// - Parameter row: Of ``list``.
    fileprivate init(_ row: RawRow) {
        nextFetch = row.date(1)
        visited = row.bytes(2)
        goneSince = row.date(3)
        let text = row.text(4)
        wishes = { text.flatMap(OriginWishes.init(json:)) ?? OriginWishes() }
    }

    fileprivate init(_ state: SourceState) {
        nextFetch = state.nextFetch
        visited = state.visited
        goneSince = state.goneSince
        wishes = { [wishes = state.wishes] in wishes }
    }
}

extension SourceState {
    public var schedule: SourceSchedule { SourceSchedule(self) }
}

extension Store {
    /// Puts the schedule of every source that was ever fetched into something, one by one, with its name.
    public func schedules<Result: Sendable>(
        into start: Result, _ note: @Sendable (inout Result, String, SourceSchedule) -> Void
    ) throws(StoreError) -> Result {
        try read { db in
            var result = start
            var statement = try RawStatement("SELECT \(SourceSchedule.list) FROM \(SourceColumn.tables)", in: db)
            try statement.rows { row in note(&result, row.text(0) ?? "", SourceSchedule(row)) }
            return result
        }
    }
}
