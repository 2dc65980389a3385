import CrierContent
import CrierNotifications
import CrierStore
import Foundation
import Testing

@testable import CrierFetch

@Suite struct DigestRenameTests {
    private let store: Store
    private let date = Date(timeIntervalSince1970: 1_700_000_000)

    /// An item of each source waits for each of its digests.
    init() throws {
        store = try Store.inMemory()
        for (source, digests) in ["a": ["old", "stays"], "b": ["old"], "c": ["other"]] {
            var commit = FetchCommit(
                state: SourceState(name: source), items: [ContentItem(identifier: "1")], date: date)
            commit.digests = digests
            commit.waiting = ["1"]
            try store.commit(commit)
        }
        for digest in ["old", "stays", "other"] { try store.account(digest, upTo: date) }
    }

    /// - Parameter digests: The names of their sources.
    private func renames(_ digests: [String: [String]], broken: Set<String> = []) throws -> [DigestRename] {
        let sources = Set(digests.values.joined()).subtracting(broken).map { name in
            var source = Source(name: name, address: .url("https://\(name).example/"))
            source.digests = digests.filter { $0.value.contains(name) }.map(\.key)
            return source
        }
        let at = try CalendarExpression("08:30")
        let all = digests.keys.map { Digest(name: $0, at: at, timeZone: .gmt) }
        return try DigestRename.among(all, of: sources, broken: broken, in: store).sorted { $0.from < $1.from }
    }

    @Test func aDigestOfTheSameSourcesIsTheSame() throws {
        let stays = ["stays": ["a"], "other": ["c"]]
        func renamed(_ digests: [String: [String]]) throws -> [DigestRename] {
            try renames(digests.merging(stays) { $1 })
        }
        let rename = [DigestRename(from: "old", to: "new")]
        #expect(try renamed(["new": ["a", "b"]]) == rename)
        #expect(try renamed(["new": ["a", "b", "c"]]) == rename)
        #expect(try renamed(["new": ["a"]]) == rename, "the other source is gone")
        #expect(try renamed(["old": ["a", "b"], "new": ["a", "b"]]).isEmpty)
        #expect(try renamed(["new": ["a", "b"], "newer": ["a", "b"]]).isEmpty, "either could be meant")
    }

    @Test func aDigestThatWasSeenOrHasOtherSourcesIsAnother() throws {
        #expect(try renames(["stays": ["a", "b"], "other": ["c"]]).isEmpty)
        #expect(try renames(["new": ["c"], "stays": ["a", "b"], "other": ["c"]]).isEmpty)
        #expect(try renames(["new": ["a", "b", "c"], "stays": ["a"]]).isEmpty, "both that are gone could be meant")
    }

    @Test func aMistakeInASourceHidesNoRename() throws {
        let stays = ["stays": ["a"], "other": ["c"]]
        func renamed(_ digests: [String: [String]]) throws -> [DigestRename] {
            try renames(digests.merging(stays) { $1 }, broken: ["a", "b"])
        }
        #expect(try renamed(["new": ["a", "b"]]) == [DigestRename(from: "old", to: "new")])
        #expect(try renamed(["new": ["a"], "newer": ["b"]]).isEmpty, "either could be meant")
        #expect(try renames(["new": [], "stays": [], "other": []]).isEmpty, "nothing is left that could be meant")
    }

    @Test func aDigestThatNothingWaitsForIsKnownByItsLastIssue() throws {
        try issue("old")
        let all = ["new": ["a", "b"], "stays": ["a"], "other": ["c"]]
        #expect(try renames(all) == [DigestRename(from: "old", to: "new")])
        #expect(try renames(["new": ["b"], "newer": ["a"], "stays": ["a"], "other": ["c"]]).isEmpty)
        let both = ["new": ["a", "b"], "other": ["c"]]
        #expect(try renames(both) == [DigestRename(from: "stays", to: "new")], "something waits for it")
        try issue("stays")
        #expect(try renames(both).isEmpty, "both that are gone could be meant")
        try store.forgetDigests(but: ["stays", "other"])
        #expect(try renames(both) == [DigestRename(from: "stays", to: "new")], "the other went before")
        try store.renameDigest("stays", to: "new")
        #expect(try store.lastIssue(of: "new")?.request.identifier == "digest/stays/1")
        #expect(try store.accountedSlot(of: "new")?.date == date)
    }

    private func issue(_ digest: String) throws {
        _ = try store.issue(
            DigestIssue(
                digest: digest, previous: date, slot: date, items: try store.waitingItems(of: digest), leftOut: [],
                content: NotificationContent(title: "T"), identifier: "digest/\(digest)/1", sinks: ["stdout"]),
            at: date)
    }

    @Test func whatIsRememberedGoesWithTheName() throws {
        var commit = FetchCommit(state: try store.state(of: "b"), items: [ContentItem(identifier: "1")], date: date)
        commit.digests = ["new"]
        commit.waiting = ["1"]
        try store.commit(commit)
        try store.renameDigest("old", to: "new")
        #expect(try store.waitingItems(of: "new").map(\.source).sorted() == ["a", "b"])
        #expect(try store.waitingItems(of: "old").isEmpty)
        #expect(try store.accountedSlot(of: "new")?.date == date && store.accountedSlot(of: "old") == nil)
    }
}
