import CrierContent
import CrierTesting
import Foundation
import GRDB
import Testing

@testable import CrierStore

@Suite struct CommitTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.file("crier.sqlite"))
    }

    /// For `RETURNING`, and for a check against a list, SQLite sets up a table at each run: several times the work of the row.
    @Test func whatEachVisitWritesNeedsNoTableInMemory() throws {
        let codes = try store.writer.read { db in
            try [SourceColumn.updateVisit, SourceColumn.upsertVisit, Store.insertVisit, Store.saveItem].flatMap {
                sql in
                try Row.fetchAll(
                    db, sql: "EXPLAIN \(sql)", arguments: .init(Array(repeating: nil as Int?, count: count(sql)))
                )
                .map { $0["opcode"] as String }
            }
        }
        #expect(codes.contains("Insert"))
        #expect(!codes.contains("OpenEphemeral"))
        func count(_ sql: String) -> Int { sql == Store.saveItem ? 13 : sql.count { $0 == "?" } }
    }

    @Test func whatTheCheckOfAResultRefusesItStillRefuses() throws {
        try store.commit(commit("news"))
        for sql in [
            "UPDATE visit SET lastResult = 'other'",
            """
            INSERT INTO fetch (source, begun, cause, result, newItems, duration, bytes) VALUES (1, 0, 'schedule', 'other', 0, 0, 0)
            """,
        ] {
            #expect(throws: DatabaseError.self) { try store.writer.write { db in try db.execute(sql: sql) } }
        }
    }

    @Test func anItemIsWrittenAgainWhereItHasChangedAndOnceADay() throws {
        func writes(_ title: String, at date: Date) throws -> Int {
            let before = try store.writer.read { db in db.totalChangesCount }
            let item = ContentItem(identifier: "a", title: title, summary: "S")
            var fetch = commit(items: [item], at: date)
            fetch.unchanged = try store.known([item], of: "news", at: date).unchanged
            try store.commit(fetch)
            return try store.writer.read { db in db.totalChangesCount } - before
        }
        let source = try writes("A", at: noon) - 1
        #expect(try writes("A", at: noon + 60) == source, "as it was")
        #expect(try writes("B", at: noon + 120) == source + 1)
        #expect(try writes("B", at: noon + 86_519) == source)
        #expect(try writes("B", at: noon + 86_520) == source + 1, "seen again after a day")
        #expect(try writes("B", at: noon) == source + 1, "the clock was set back")
        #expect(try store.items(of: ["news"], seenSince: noon).map(\.item.title) == ["B"])
    }

    @Test func itemsComeInTheOrderOfTheirVisitsAndDocuments() throws {
        func items(_ names: [String]) -> [ContentItem] { names.map { ContentItem(identifier: $0) } }
        try store.commit(commit(items: items(["z", "m", "a"])))
        try store.commit(commit(items: items(["y", "b", "z"]), at: noon.addingTimeInterval(60)))
        let all = try store.items(of: ["news"], seenSince: noon).map(\.item.identifier)
        #expect(all == ["z", "m", "a", "y", "b"])
    }

    @Test func whatCannotBeWrittenLeavesItsCompanyAlone() async throws {
        try store.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER no BEFORE INSERT ON source WHEN NEW.name = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END
                    """)
        }
        let fetches = ["one", "bad", "two", "three"].map { CommitEntry(commit($0, requests: ["\($0)/1"])) }
        #expect(store.commit(each: fetches).map { $0 == nil } == [true, false, true, true])
        #expect(Set(try store.states().keys) == ["one", "two", "three"])
        #expect(throws: StoreError.self) { try store.commit([commit("four"), commit("bad")]) }
        #expect(try store.states()["four"] == nil)
    }

    /// Both have told what is new apart from what there was when they began.
    @Test(arguments: [true, false]) func ofTwoVisitsAtOnceTheSecondLeavesNothingBehind(isFirst: Bool) throws {
        if !isFirst { try store.commit(commit("news", items: [ContentItem(identifier: "old")])) }
        let before = try store.states()["news"]
        func visit(_ hash: UInt8, at date: Date) -> FetchCommit {
            var state = before ?? SourceState(name: "news")
            (state.bodyHash, state.lastFetched) = ([hash], date)
            var fetch = commit(
                "news", items: [ContentItem(identifier: "\(hash)")], requests: ["news/\(hash)"], at: date)
            fetch.state = state
            fetch.compare(with: before)
            return fetch
        }
        try store.commit(visit(1, at: noon + 1))
        let after = try store.state(of: "news")
        // At the same moment, too.
        for date in [noon + 1, noon + 2] {
            let error = #expect(throws: StoreError.self) { try store.commit(visit(2, at: date)) }
            #expect(error?.kind == .overtaken)
        }
        // So does one that found nothing, unless it writes no more than that it was made.
        var whole = FetchCommit(state: visit(2, at: noon + 2).state, date: noon + 2)
        whole.compare(with: before)
        #expect(throws: StoreError.self) { try store.commit(whole) }
        let both = [visit(2, at: noon + 2), commit("other")].map { CommitEntry($0) }
        #expect(store.commit(each: both).map { $0?.kind } == [.overtaken, nil])
        #expect(try store.state(of: "news") == after)
        #expect(try store.deliveries(in: Set(Delivery.State.allCases)).map(\.request.identifier) == ["news/1"])
        #expect(try store.itemCount(of: "news") == (isFirst ? 1 : 2))
    }

    /// Nothing else of the source has changed: an item, a notification or an issue of a digest is not told beside another visit.
    @Test(arguments: 0..<3) func aVisitThatTellsOfSomethingIsOvertakenThoughItsSourceIsAsItWas(what: Int) throws {
        try store.commit(commit("news", items: [ContentItem(identifier: "a")]))
        let before = try #require(try store.states()["news"])
        func visit(at date: Date) -> FetchCommit {
            var fetch = commit("news", at: date)
            fetch.state = before
            (fetch.state.lastFetched, fetch.state.lastSucceeded) = (date, date)
            fetch.visit = FetchVisit(trigger: .schedule, begun: date)
            fetch.compare(with: before)
            return fetch
        }
        try store.commit(visit(at: noon + 1))
        var second = visit(at: noon + 2)
        switch what {
        case 0: second.items = [ContentItem(identifier: "b")]
        case 1: second.requests = commit(requests: ["news/b"]).requests
        default: second.waiting = ["a"]
        }
        #expect(store.commit(each: [CommitEntry(second)]).map { $0?.kind } == [.overtaken])
        #expect(store.commit(each: [CommitEntry(visit(at: noon + 2))]).map { $0?.kind } == [nil])
    }

    @Test func aHostThatWantsToBeLeftAloneIsAlsoWhereTheVisitWasOvertaken() throws {
        var visit = commit("news", items: [ContentItem(identifier: "a")])
        visit.compare(with: nil)
        visit.host = HostState(name: "e.example")
        visit.host?.pausedUntil = noon + 600
        try store.commit(commit("news"))
        #expect(store.commit(each: [CommitEntry(visit)]).map { $0?.kind } == [.overtaken])
        #expect(try store.hosts()["e.example"]?.pausedUntil == noon + 600)
    }

    /// Of a machine whose clock has begun anew, or in 2038, a date may be a millisecond less once it is read.
    @Test(arguments: [0.0, 1_700_000_000, 2_150_000_000]) func aVisitIsOvertakenByNoneWhateverTheDate(
        _ second: TimeInterval
    ) throws {
        for millisecond in 0..<100 {
            let before = try store.states()["news"]
            let date = Date(timeIntervalSince1970: second + Double(millisecond) / 1000)
            var fetch = commit("news", items: [ContentItem(identifier: "\(millisecond)")], at: date)
            fetch.compare(with: before)
            try store.commit(fetch)
        }
        #expect(try store.itemCount(of: "news") == 100)
    }

    @Test func statesComeInTheOrderOfTheNamesWhateverTheseAre() throws {
        let names = ["\u{1}", "a\"b", "", "\\", "新闻", "[1]", "a"]
        for name in names.dropLast() {
            try store.commit(FetchCommit(state: SourceState(name: name), date: noon))
        }
        let asked = names + ["a"] + names.reversed()
        let read = try store.states(of: asked) { (place: $0, name: $1?.name) }
        #expect(read.map(\.place) == Array(asked.indices))
        #expect(read.map(\.name) == asked.map { $0 == "a" ? nil : $0 })
        #expect(try store.states(of: []) { _, _ in 0 }.isEmpty)
    }

    @Test func aSourceIsReadAsItWasWritten() throws {
        var state = SourceState(name: "all")
        (state.fingerprint, state.visited, state.possibleCauses) = (.filled(1), .filled(2), [3])
        (state.etag, state.lastModified, state.bodyHash) = ([0x57, 0x2f, 0xff, 0x22], [4], [5])
        (state.lastWhole, state.lastFetched, state.lastSucceeded) = (noon, noon + 1, noon + 2)
        (state.family, state.lastURL, state.host) = ("xml", "https://a.example/", "a.example")
        (state.lastResult, state.lastStatus, state.failure) = (.failed, 500, FetchFailure(.decode, "why"))
        (state.failures, state.failingSince, state.failureTold, state.goneSince) = (7, noon + 3, noon + 4, noon + 5)
        var move = SourceMove(configured: "https://b.example/")
        (move.adopted, move.adoptedOn, move.target) = ("https://c.example/", noon + 13, "https://d.example/")
        (move.family, move.sightings, move.lastSighting) = ("feed", 2, noon + 14)
        state.move = move
        (state.nextFetch, state.nextFetchReason, state.upcoming) = (noon + 6, "a reason", noon + 7)
        (state.announcedDay, state.lastNew, state.silenceTold) = ("2026-01-02", noon + 8, noon + 9)
        (state.announcedOn, state.emptySince) = (noon + 11, noon + 12)
        state.timeZone = "Asia/Shanghai"
        state.wishes.refusedUntil = noon + 10
        try store.commit(FetchCommit(state: state, date: noon))
        #expect(try store.state(of: "all") == state)
        #expect(try store.states() == ["all": state])
        #expect(try store.states(of: ["all", "none"]) { ["\($0)": $1] } == [["0": state], ["1": nil]])

        // What is equal to what was read is not written, and all else is.
        let before = try store.state(of: "all")
        var visited = before
        (visited.lastFetched, visited.lastSucceeded, visited.nextFetch) = (noon + 20, noon + 21, noon + 22)
        (visited.lastResult, visited.lastStatus, visited.nextFetchReason) = (.noData, 304, "another")
        #expect(try !isWrittenWhole(visited, after: before))
        #expect(try store.state(of: "all") == visited)
        var changed = visited
        changed.etag = [9]
        #expect(try isWrittenWhole(changed, after: visited))
        #expect(try store.state(of: "all") == changed)
    }

    @Test func whatIsWrittenAnewKeepsItsLog() throws {
        for number in 0..<3 {
            var fetch = commit("news", at: noon + Double(number))
            fetch.visit = FetchVisit(trigger: .schedule, begun: noon + Double(number))
            fetch.state.etag = [UInt8(number)]
            try store.commit(fetch)
        }
        #expect(try store.log(of: "news").map(\.date) == [noon, noon + 1, noon + 2])
    }

    @Test func aSourceWhoseRowIsGoneMeanwhileIsWrittenWhole() throws {
        try store.commit(commit("gone") { $0.etag = [1] })
        let state = try store.state(of: "gone")
        var fetch = FetchCommit(state: state, date: noon)
        fetch.visit = FetchVisit(trigger: .schedule, begun: noon)
        fetch.compare(with: state)
        try store.write { db in try db.execute(sql: "DELETE FROM source") }
        try store.commit(fetch)
        #expect(try store.state(of: "gone") == state)
    }

    private func isWrittenWhole(_ state: SourceState, after before: SourceState) throws -> Bool {
        try store.write { db in
            try db.execute(
                sql: """
                    CREATE TEMP TABLE updated (id INTEGER);
                    CREATE TEMP TRIGGER onUpdate AFTER UPDATE ON source BEGIN INSERT INTO updated VALUES (NEW.id); END
                    """)
        }
        var fetch = FetchCommit(state: state, date: noon)
        fetch.compare(with: before)
        try store.commit(fetch)
        return try store.write { db in
            defer { try? db.execute(sql: "DROP TRIGGER onUpdate; DROP TABLE updated") }
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM updated") ?? 0 > 0
        }
    }
}
