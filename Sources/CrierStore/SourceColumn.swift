import Foundation
import GRDB

/// The columns of a source's row, in the order in which they are read and written: by place, since a look for their names
/// costs more than all the rest of a row.
enum SourceColumn: Int, CaseIterable {
    case name, fingerprint, visited, etag, lastModified, bodyHash, lastWhole, family, lastFetched, lastURL, host
    case lastSucceeded, lastResult, lastStatus, failure, failureStage, failures, failingSince, failureTold, goneSince
    case move, nextFetch, nextFetchReason, upcoming, announcedDay, lastNew, silenceTold, timeZone, wishes
    /// Moves when a sink accepts (``Store/finish(_:with:at:)``), and is not written with the others.
    case lastNotified

    static let written = allCases.dropLast()

    /// Those that a visit changes which finds nothing changed (see ``SourceState/differsInVisit(from:)``).
    static let visit: [SourceColumn] = [
        .lastFetched, .lastSucceeded, .lastResult, .lastStatus, .nextFetch, .nextFetchReason,
    ]

    static let updateVisit = """
        UPDATE source SET \(visit.map { "\($0) = ?" }.joined(separator: ", ")) WHERE name = ? RETURNING id
        """

    static let list = names(of: allCases).joined(separator: ", ")

    static let upsert = """
        INSERT INTO source (\(names(of: written).joined(separator: ", ")))
        VALUES (\(written.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (name) DO UPDATE SET \(names(of: written).map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        RETURNING id
        """

    private static func names(of columns: some Collection<SourceColumn>) -> [String] { columns.map { "\($0)" } }
}

extension SourceState {
    /// - Parameter row: Of ``SourceColumn/list``.
    init(_ row: Row) {
        func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: SourceColumn) -> Value? {
            row[column.rawValue]
        }
        func date(_ column: SourceColumn) -> Date? { (row[column.rawValue] as Int64?).map(Date.init(milliseconds:)) }
        func bytes(_ column: SourceColumn) -> [UInt8]? {
            // Not as `Data?`, which would be a copy to copy from.
            (try? row.withUnsafeData(atIndex: column.rawValue) { $0.map { [UInt8]($0) } }) ?? nil
        }
        func json<Value: Decodable>(_ column: SourceColumn) -> Value? {
            value(column).flatMap { (text: String) in try? JSONDecoder().decode(Value.self, from: Data(text.utf8)) }
        }

        self.init(name: row[SourceColumn.name.rawValue])
        fingerprint = bytes(.fingerprint)
        visited = bytes(.visited)
        etag = bytes(.etag)
        lastModified = bytes(.lastModified)
        bodyHash = bytes(.bodyHash)
        lastWhole = date(.lastWhole)
        family = value(.family)
        lastFetched = date(.lastFetched)
        lastURL = value(.lastURL)
        host = value(.host)
        lastSucceeded = date(.lastSucceeded)
        lastResult = value(.lastResult).flatMap { (text: String) in BackgroundFetchResult(rawValue: text) }
        lastStatus = value(.lastStatus)
        if let cause: String = value(.failure), let stage: String = value(.failureStage) {
            failure = FetchFailure(FetchFailure.Stage(rawValue: stage) ?? .fetch, cause)
        }
        failures = value(.failures) ?? 0
        failingSince = date(.failingSince)
        failureTold = date(.failureTold)
        goneSince = date(.goneSince)
        move = json(.move)
        nextFetch = date(.nextFetch)
        nextFetchReason = value(.nextFetchReason)
        upcoming = date(.upcoming)
        announcedDay = value(.announcedDay)
        lastNew = date(.lastNew)
        silenceTold = date(.silenceTold)
        timeZone = value(.timeZone)
        wishes = json(.wishes) ?? OriginWishes()
        lastNotified = date(.lastNotified)
    }

    /// In the order of the columns.
    func values(of columns: some Sequence<SourceColumn>) throws -> [(any DatabaseValueConvertible)?] {
        try columns.map { try value(of: $0) }
    }

    /// Whether nothing else differs from another state of the same source than ``SourceColumn/visit``.
    func differsInVisit(from other: SourceState) -> Bool {
        var other = other
        other.lastFetched = lastFetched
        other.lastSucceeded = lastSucceeded
        other.lastResult = lastResult
        other.lastStatus = lastStatus
        other.nextFetch = nextFetch
        other.nextFetchReason = nextFetchReason
        return self == other
    }

    private func value(of column: SourceColumn) throws -> (any DatabaseValueConvertible)? {
        switch column {
        case .name: name
        case .fingerprint: fingerprint.map { Data($0) }
        case .visited: visited.map { Data($0) }
        case .etag: etag.map { Data($0) }
        case .lastModified: lastModified.map { Data($0) }
        case .bodyHash: bodyHash.map { Data($0) }
        case .lastWhole: lastWhole?.milliseconds
        case .family: family
        case .lastFetched: lastFetched?.milliseconds
        case .lastURL: lastURL
        case .host: host
        case .lastSucceeded: lastSucceeded?.milliseconds
        case .lastResult: lastResult?.rawValue
        case .lastStatus: lastStatus
        case .failure: failure?.cause
        case .failureStage: failure?.stage.rawValue
        case .failures: failures
        case .failingSince: failingSince?.milliseconds
        case .failureTold: failureTold?.milliseconds
        case .goneSince: goneSince?.milliseconds
        case .move: try move.map { try Self.json($0) }
        case .nextFetch: nextFetch?.milliseconds
        case .nextFetchReason: nextFetchReason
        case .upcoming: upcoming?.milliseconds
        case .announcedDay: announcedDay
        case .lastNew: lastNew?.milliseconds
        case .silenceTold: silenceTold?.milliseconds
        case .timeZone: timeZone
        case .wishes: try wishes == OriginWishes() ? nil : Self.json(wishes)
        case .lastNotified: lastNotified?.milliseconds
        }
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
}
