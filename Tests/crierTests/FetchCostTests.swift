import CrierTesting
import Foundation
import GRDB
import Testing

/// What a run may write and ask for, counted: so that what was won is not lost unseen.
@Suite struct FetchCostTests {
    private let count = 60

    @Test func sourcesThatHaveNotChangedCostOneNarrowRowAndOneLineOfTheLogEach() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script(
            "/feed",
            [ScriptedAnswer(fields: ["ETag": "\"1\""], body: atomFeed(1...3))]
                + Array(repeating: ScriptedAnswer(fields: ["ETag": "\"1\""], body: atomFeed(1...3)), count: count - 1)
                + [ScriptedAnswer(status: 304, fields: ["ETag": "\"1\""])])
        let lines = (0..<count).map { "  s\($0): {url: '\(origin.url("/feed"))', first: none}\n" }
        let crier = try BuiltCrier("sources:\n\(lines.joined())")
        try await crier.authorize()
        #expect(try await crier.run("fetch", "--quiet").status == 0)
        try await tally(crier)
        let second = try await crier.run("fetch", "--force")
        #expect(second.output == "Nothing new in \(count) sources.\n")
        let costs = try await DatabaseQueue(path: crier.statePath).read { db in
            try String.fetchAll(db, sql: "SELECT what || ' ' || count(*) FROM cost GROUP BY what ORDER BY what")
        }
        #expect(costs == ["log \(count)", "visit \(count)"])
        await origin.stop()
    }

    /// Notes each row that is written from here on.
    private func tally(_ crier: BuiltCrier) async throws {
        try await DatabaseQueue(path: crier.statePath).write { db in
            try db.execute(
                sql: """
                    CREATE TABLE cost (what TEXT NOT NULL);
                    CREATE TRIGGER visit AFTER UPDATE ON visit BEGIN INSERT INTO cost VALUES ('visit'); END;
                    CREATE TRIGGER whole AFTER UPDATE ON source BEGIN INSERT INTO cost VALUES ('whole'); END;
                    CREATE TRIGGER log AFTER INSERT ON fetch BEGIN INSERT INTO cost VALUES ('log'); END;
                    CREATE TRIGGER seen AFTER UPDATE ON item BEGIN INSERT INTO cost VALUES ('item'); END;
                    CREATE TRIGGER host AFTER INSERT ON host BEGIN INSERT INTO cost VALUES ('host'); END;
                    """)
        }
    }
}
