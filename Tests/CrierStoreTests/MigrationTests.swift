import CrierTesting
import Foundation
import Testing

@testable import CrierStore

@Suite struct MigrationTests {
    @Test func aStateOfTheFirstVersionIsReadOn() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("crier.sqlite")
        let first = try type(of: Store.inMemory().writer).init(path: path)
        try Schema.migrator.migrate(first, upTo: "1 sources, items and the outbox")
        try first.write { db in
            try db.execute(
                sql: """
                    INSERT INTO source (name, etag, lastSucceeded, failures) VALUES ('news', x'22', 5000, 2), ('empty', NULL, 6000, 0);
                    INSERT INTO item (source, identifier, firstSeen, lastSeen) VALUES (1, 'a', 3000, 5000), (1, 'b', 4000, 5000)
                    """)
        }
        try first.close()
        let states = try Store(path: path).states()
        let news = try #require(states["news"])
        #expect(news.etag == [0x22])
        #expect(news.failures == 2)
        #expect(news.lastWhole == Date(milliseconds: 5000), "the document is not asked for anew at once")
        #expect(news.lastNew == Date(milliseconds: 4000))
        #expect(states["empty"]?.lastNew == Date(milliseconds: 6000))
        #expect(news.move == nil)
        #expect(news.goneSince == nil)
    }
}
