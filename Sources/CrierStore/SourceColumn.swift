import Foundation

/// The columns of what is remembered of a source, in the order in which they are read and written: by place, since a look for
/// their names costs more than all the rest of a row.
enum SourceColumn: Int, CaseIterable, CodingKey {
    case name, fingerprint, visited, etag, lastModified, bodyHash, lastWhole, family, lastFetched, lastURL, host
    case lastSucceeded, lastResult, lastStatus, failure, failureStage, failures, failingSince, failureTold, goneSince
    case move, nextFetch, nextFetchReason, upcoming, announcedDay, announcedOn, lastNew, silenceTold, timeZone, wishes
    case lastRead, knownUntil, knownSince, emptySince
    /// Moves when a sink accepts (``Store/finish``), and is not written with the others.
    case lastNotified

    /// Of the table `source`.
    static let written = allCases.dropLast().filter { !visit.contains($0) }

    /// Of the table `visit`: those that a visit changes which finds nothing changed (see ``SourceState/differsAtMostInVisit(from:)``).
    static let visit: [SourceColumn] = [
        .lastFetched, .lastSucceeded, .lastResult, .lastStatus, .nextFetch, .nextFetchReason,
    ]

    private static let joined = "LEFT JOIN visit ON visit.source = source.id"

    /// Both of them.
    static let tables = "source \(joined)"

    /// Half the work of the other, which looks for the source, too.
    static let updateVisit = """
        UPDATE visit SET \(list(visit) { "\($0) = ?" }) WHERE source = ?
        """

    /// No `REPLACE`, which takes the log of the source with it.
    static let upsertVisit = """
        INSERT INTO visit (\(list(visit)), source)
        VALUES (\(list(visit) { _ in "?" }), ?)
        ON CONFLICT (source) DO UPDATE SET \(list(visit) { "\($0) = excluded.\($0)" })
        """

    /// The last is the key of the row.
    static let select = "\(columns) FROM \(tables)"

    /// Of the names of a JSON array, one by one in their order: rows of one statement are half the work of a statement for
    /// each. Nothing but NULL where there is no such source.
    static let selectNamed =
        "\(columns) FROM json_each(?) AS asked LEFT JOIN source ON source.name = asked.value \(joined)"

    private static let columns = "SELECT \(list(allCases)), source.id"

    static let upsert = """
        INSERT INTO source (\(list(written)))
        VALUES (\(list(written) { _ in "?" }))
        ON CONFLICT (name) DO UPDATE SET \(list(written) { "\($0) = excluded.\($0)" })
        """

    /// The name, as the compiler gives it to coding keys: found by reflection it would have the runtime look through all types
    /// of the program four times.
    var description: String { stringValue }

    /// What is said of each of the columns, which is its name unless told, parted by commas. Not by `joined`, for whose first
    /// use the runtime looks through all conformances of the program.
    static func list(_ columns: [SourceColumn], _ say: (SourceColumn) -> String = \.description) -> String {
        columns.reduce(into: "") { list, column in
            if !list.isEmpty { list += ", " }
            list += say(column)
        }
    }
}

extension SourceState {
    /// - Parameter row: Of ``SourceColumn/select``; nil where it is nothing but NULL.
    init?(_ row: RawRow) {
        func text(_ column: SourceColumn) -> String? { row.text(column.rawValue) }
        func number(_ column: SourceColumn) -> Int? { row.number(column.rawValue).map { Int($0) } }
        func date(_ column: SourceColumn) -> Date? { row.date(column.rawValue) }
        func bytes(_ column: SourceColumn) -> [UInt8]? { row.bytes(column.rawValue) }

        guard let name = text(.name) else { return nil }
        self.init(name: name)
        fingerprint = row.fingerprint(SourceColumn.fingerprint.rawValue)
        let last = row.fingerprintAndRest(SourceColumn.visited.rawValue)
        (visited, possibleCauses) = (last?.fingerprint, last?.rest)
        etag = bytes(.etag)
        lastModified = bytes(.lastModified)
        bodyHash = bytes(.bodyHash)
        lastWhole = date(.lastWhole)
        family = text(.family)
        lastFetched = date(.lastFetched)
        lastURL = text(.lastURL)
        host = text(.host)
        lastSucceeded = date(.lastSucceeded)
        lastResult = text(.lastResult).flatMap(BackgroundFetchResult.init)
        lastStatus = number(.lastStatus)
        if let cause = text(.failure), let stage = text(.failureStage) {
            failure = FetchFailure(FetchFailure.Stage(rawValue: stage) ?? .fetch, cause)
        }
        failures = number(.failures) ?? 0
        failingSince = date(.failingSince)
        failureTold = date(.failureTold)
        goneSince = date(.goneSince)
        move = text(.move).flatMap(SourceMove.init(json:))
        nextFetch = date(.nextFetch)
        nextFetchReason = text(.nextFetchReason)
        upcoming = date(.upcoming)
        announcedDay = text(.announcedDay)
        announcedOn = date(.announcedOn)
        lastNew = date(.lastNew)
        silenceTold = date(.silenceTold)
        timeZone = text(.timeZone)
        wishes = text(.wishes).flatMap(OriginWishes.init(json:)) ?? OriginWishes()
        lastRead = date(.lastRead)
        knownUntil = date(.knownUntil)
        knownSince = date(.knownSince)
        emptySince = date(.emptySince)
        lastNotified = date(.lastNotified)
        self.row.id = row.number(SourceColumn.allCases.count)
    }

    /// Binds the values of columns in their order.
    func bind(_ columns: some Sequence<SourceColumn>, to statement: inout RawStatement) throws {
        for column in columns { try bind(column, to: &statement) }
    }

    /// Whether nothing else differs from another state of the same source than ``SourceColumn/visit``. It is as it was when that is known.
    mutating func differsAtMostInVisit(from other: SourceState) -> Bool {
        // Without a copy of all.
        let own = (lastFetched, lastSucceeded, lastResult, lastStatus, nextFetch, nextFetchReason)
        (lastFetched, lastSucceeded, lastResult) = (other.lastFetched, other.lastSucceeded, other.lastResult)
        (lastStatus, nextFetch, nextFetchReason) = (other.lastStatus, other.nextFetch, other.nextFetchReason)
        defer { (lastFetched, lastSucceeded, lastResult, lastStatus, nextFetch, nextFetchReason) = own }
        return self == other
    }

    private func bind(_ column: SourceColumn, to statement: inout RawStatement) throws {
        switch column {
        case .name: statement.bind(name)
        case .fingerprint: statement.bind(fingerprint)
        case .visited: statement.bind(visited, possibleCauses)
        case .etag: statement.bind(etag)
        case .lastModified: statement.bind(lastModified)
        case .bodyHash: statement.bind(bodyHash)
        case .lastWhole: statement.bind(lastWhole)
        case .family: statement.bind(family)
        case .lastFetched: statement.bind(lastFetched)
        case .lastURL: statement.bind(lastURL)
        case .host: statement.bind(host)
        case .lastSucceeded: statement.bind(lastSucceeded)
        case .lastResult: statement.bind(lastResult?.rawValue)
        case .lastStatus: statement.bind(lastStatus)
        case .failure: statement.bind(failure?.cause)
        case .failureStage: statement.bind(failure?.stage.rawValue)
        case .failures: statement.bind(failures)
        case .failingSince: statement.bind(failingSince)
        case .failureTold: statement.bind(failureTold)
        case .goneSince: statement.bind(goneSince)
        case .move: try statement.bind(move.map { try Self.json($0) })
        case .nextFetch: statement.bind(nextFetch)
        case .nextFetchReason: statement.bind(nextFetchReason)
        case .upcoming: statement.bind(upcoming)
        case .announcedDay: statement.bind(announcedDay)
        case .announcedOn: statement.bind(announcedOn)
        case .lastNew: statement.bind(lastNew)
        case .silenceTold: statement.bind(silenceTold)
        case .timeZone: statement.bind(timeZone)
        case .wishes: try statement.bind(wishes == OriginWishes() ? nil : Self.json(wishes))
        case .lastRead: statement.bind(lastRead)
        case .knownUntil: statement.bind(knownUntil)
        case .knownSince: statement.bind(knownSince)
        case .emptySince: statement.bind(emptySince)
        case .lastNotified: statement.bind(lastNotified)
        }
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
}

extension Decodable {
    /// Nil where it is not the JSON of one.
    init?(json: String) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
        self = value
    }
}
