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
}
