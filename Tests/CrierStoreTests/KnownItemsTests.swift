import CrierContent
import Foundation
import GRDB
import Testing

@testable import CrierStore

/// Of what a document's items are when they are looked up, before anything of it is written.
@Suite struct KnownItemsTests {
    let store: Store

    init() throws {
        store = try Store.inMemory()
    }

    private let stored = [
        ContentItem(
            identifier: "a", declaredIdentifier: "a", title: "A", url: "https://e.example/a", published: noon,
            authors: ["Ann"]),
        ContentItem(identifier: "b", title: "B"),
    ]

    @Test func whatWasHadBeforeIsKnown() throws {
        #expect(try store.known(stored, of: "news", at: noon) == KnownItems())
        try store.commit(commit(items: stored))
        let known = try store.known(stored + [ContentItem(identifier: "c")], of: "news", at: noon)
        #expect(known.identifiers == ["a", "b"])
        #expect(try store.known(stored, of: "other", at: noon) == KnownItems())
    }

    @Test func anItemThatIsAsItWasNeedNotBeWritten() throws {
        try store.commit(commit(items: stored))
        #expect(try unchanged(stored) == [true, true])
        #expect(try unchanged([ContentItem(identifier: "c"), stored[1]]) == [false, true])
        let ways: [(inout ContentItem) -> Void] = [
            { $0.title = "Another" }, { $0.url = nil }, { $0.published = noon + 1 }, { $0.updated = noon },
            { $0.summary = "More" }, { $0.authors = ["Bob"] },
        ]
        for change in ways {
            var item = stored[0]
            change(&item)
            #expect(try unchanged([item, stored[1]]) == [false, true], "\(item)")
        }
    }

    /// Many are asked for at once.
    @Test func whereverAnItemStandsInALongDocumentItIsKnown() throws {
        let items = (0..<101).map { ContentItem(identifier: "\($0)", title: "\($0)") }
        try store.commit(commit(items: items.filter { Int($0.identifier)! % 3 > 0 }))
        try store.commit(commit("other", items: items))
        let (copies, flags) = (items.reversed(), items.map { Int($0.identifier)! % 3 > 0 })
        #expect(try unchanged(items + copies) == flags + copies.map { _ in true }, "a copy need not be written")
        let names = items.map(\.identifier)
        let known = Set(zip(names, flags).filter(\.1).map(\.0))
        #expect(try store.known(items, of: "news", at: noon).identifiers == known)
        #expect(try store.knownIdentifiers(of: "news", among: names) == known)
        #expect(try Set(store.owners(of: Set(names), in: "news").keys) == known)
        #expect(try Set(store.owners(of: ["100", "x"], in: "news").keys) == ["100"])
    }

    @Test func whatIsToldByItsAddressIsWrittenWheneverItIsSeen() throws {
        let item = ContentItem(identifier: "a", title: "A", url: "https://e.example/a", published: noon)
        try store.commit(commit(items: [item]))
        #expect(try unchanged([item]) == [false])
    }

    @Test func onceADayItIsWrittenThatAnItemWasSeen() throws {
        try store.commit(commit(items: stored))
        #expect(try unchanged(stored, at: noon + 86_399) == [true, true])
        #expect(try unchanged(stored, at: noon + 86_400) == [false, false])
        #expect(try unchanged(stored, at: noon - 1) == [false, false], "the clock was set back")
    }

    @Test func whereUpdatesAreFollowedTheHashIsKnownToo() throws {
        var fetch = commit(items: stored)
        fetch.contentHashes = ["a": [1]]
        try store.commit(fetch)
        #expect(try unchanged(stored) == [false, true], "it is followed no longer")
        let hash: @Sendable (ContentItem) -> [UInt8]? = { $0.identifier == "a" ? [1] : [2] }
        let known = try store.known(stored, of: "news", at: noon, contentHash: hash)
        #expect(known.contents == ["a": KnownContent(hash: [1], updates: 0, url: "https://e.example/a")])
        #expect(known.unchanged?.flags == [true, false])
    }

    @Test func whereUpdatesWereNotFollowedTheHashIsMadeOfWhatIsStored() throws {
        try store.commit(commit(items: stored))
        let known = try store.known(stored, of: "news", at: noon) { _ in
            [2]
        } formerHash: { item, before in
            [item.title, item.url] == [before.title, before.url] ? [1] : nil
        }
        #expect(known.formerHashes == ["a": [1], "b": [1]])
        let addresses = ["a": "https://e.example/a", "b": nil]
        #expect(known.contents == addresses.mapValues { KnownContent(hash: [1], updates: 0, url: $0) })
        #expect(known.unchanged?.flags == [false, false], "the new one is to be written")
        var fetch = commit(items: stored)
        fetch.contentHashes = ["a": [2], "b": [1]]
        fetch.formerHashes = known.formerHashes
        try store.commit(fetch)
        #expect(try store.known(stored, of: "news", at: noon).contents.mapValues(\.updates) == ["a": 1, "b": 0])
    }

    /// A text ends at a NUL, in the file as here.
    @Test func textsAreComparedAsTheyAreWritten() throws {
        let odd = [
            ContentItem(identifier: "nul", title: "A\0B", url: "", summary: "\0"),
            ContentItem(identifier: "é", title: "é"),
        ]
        try store.commit(commit(items: odd))
        #expect(try unchanged(odd) == [true, true])
        #expect(try unchanged([odd[0], ContentItem(identifier: "é", title: "e\u{301}")]) == [true, false])
        #expect(try unchanged([ContentItem(identifier: "nul", title: "A"), odd[1]]) == [false, true])
    }

    @Test func whatNeedNotBeWrittenIsNot() throws {
        try store.commit(commit(items: stored))
        let later = stored.map { ContentItem(identifier: $0.identifier, title: "Later") }
        var fetch = commit(items: later + [ContentItem(identifier: "c", title: "C")])
        fetch.unchanged = try store.known(stored + [ContentItem(identifier: "c")], of: "news", at: noon).unchanged
        try store.commit(fetch)
        #expect(try titles() == ["a": "A", "b": "B", "c": "C"])
    }

    /// In each process a dictionary has its keys in another order.
    @Test func theDetailsOfAnItemAreTheSameTextInEveryRun() throws {
        var item = ContentItem(identifier: "a")
        item.attachments = [
            ContentAttachment(url: "https://e.example/a", type: "audio/mpeg", length: 7, duration: 60, title: "A")
        ]
        let names = ["duration", "length", "title", "type", "url"]
        let keys = try #require(ItemDetails(item)).json().split(separator: "\"").map(String.init).filter(names.contains)
        #expect(keys == names)
    }

    /// Else the next document would be full of news.
    @Test func aSourceThatWasMadeAnewMeanwhileGetsAllItsItems() throws {
        try store.commit(commit("before"))
        try store.commit(commit(items: stored))
        var fetch = commit(items: stored)
        fetch.unchanged = try store.known(stored, of: "news", at: noon).unchanged
        try store.write { db in try db.execute(sql: "UPDATE source SET name = 'renamed' WHERE name = 'news'") }
        try store.commit(fetch)
        #expect(try store.knownIdentifiers(of: "news", among: ["a", "b"]) == ["a", "b"])
    }

    private func unchanged(_ items: [ContentItem], at date: Date = noon) throws -> [Bool] {
        let known = try store.known(items, of: "news", at: date)
        return try #require(known.unchanged).flags
    }

    private func titles() throws -> [String: String] {
        try store.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT identifier, title FROM item")
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["identifier"], $0["title"]) })
        }
    }
}
