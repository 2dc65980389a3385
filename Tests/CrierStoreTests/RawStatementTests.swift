import GRDB
import Testing

@testable import CrierStore

/// Values on their way to SQLite and back.
@Suite struct RawStatementTests {
    @Test(arguments: [
        ("", ""), ("a", "a"), ("漢字 👩‍👩‍👧", "漢字 👩‍👩‍👧"), ("a\0b", "a"), ("\0", ""),
        (String(repeating: "ü", count: 5000), String(repeating: "ü", count: 5000)),
    ]) func textsAreTextUpToANul(text: String, kept: String) throws {
        try Store.inMemory().writer.write { db in
            var statement = try RawStatement("SELECT ?1, typeof(?1)", in: db)
            statement.bind(text)
            let found = try statement.first { [$0.text(0), $0.text(1)] }
            #expect(found == [kept, "text"])
        }
    }

    @Test func nothingIsNull() throws {
        try Store.inMemory().writer.write { db in
            var statement = try RawStatement("SELECT typeof(?), typeof(?), typeof(?), typeof(?)", in: db)
            statement.bind(nil as String?)
            statement.bind(nil as [UInt8]?)
            statement.bind(nil as Int64?)
            statement.bind([])
            let found = try statement.first { row in (0..<4).map { row.text($0) } }
            #expect(found == ["null", "null", "null", "blob"])
        }
    }

    @Test func aFingerprintIsReadAsItWasWrittenAndNothingElseIsOne() throws {
        let bytes = (0..<32).map { UInt8($0 * 7) }
        let fingerprint = bytes.withUnsafeBytes { SourceFingerprint($0) }
        try Store.inMemory().writer.write { db in
            var statement = try RawStatement("SELECT ?1, substr(?1, 2), ?2, zeroblob(0)", in: db)
            statement.bind(fingerprint)
            statement.bind(nil as SourceFingerprint?)
            let found = try statement.first { row in (row.bytes(0), (0..<4).map { row.fingerprint($0) }) }
            #expect(found?.0 == bytes && found?.1 == [fingerprint, nil, nil, nil])
        }
        #expect(fingerprint != .filled(7) && Set([fingerprint, .filled(7), .filled(7)]).count == 2)
    }
}
