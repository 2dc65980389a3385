import CrierContent
import CrierStore
import Foundation
import Testing

@testable import CrierFetch

@Suite struct SourceRenameTests {
    private let store: Store
    private let date = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws {
        store = try Store.inMemory()
        try remember(sources(["a": 1, "b": 2, "c": 3]))
    }

    /// By the numbers of their addresses.
    private func sources(_ numbers: [String: Int]) -> [Source] {
        numbers.sorted { $0.key < $1.key }.map { Source(name: $0, address: .url("https://\($1).example/")) }
    }

    /// Each has had an item that is called as its address is numbered.
    private func remember(_ sources: [Source]) throws {
        for source in sources {
            var state = SourceState(name: source.name)
            state.fingerprint = source.fingerprint
            state.lastSucceeded = date
            guard case .url(let url) = source.address else { continue }
            try store.commit(FetchCommit(state: state, items: [ContentItem(identifier: url)], date: date))
        }
    }

    /// What sources have had after a change of the configuration, by the numbers of their addresses.
    private func remembered(as numbers: [String: Int]) throws -> [String: Int] {
        try SourceRename.adopt(try SourceRename.among(sources(numbers), in: store), in: store, at: date)
        var found: [String: Int] = [:]
        for name in numbers.keys {
            for number in 1...4 {
                let known = try store.knownIdentifiers(of: name, among: ["https://\(number).example/"])
                if !known.isEmpty { found[name] = number }
            }
        }
        return found
    }

    @Test func namesMayChangePlaces() throws {
        #expect(try remembered(as: ["a": 2, "b": 1, "c": 3]) == ["a": 2, "b": 1, "c": 3])
        #expect(try remembered(as: ["a": 3, "b": 2, "c": 1]) == ["a": 3, "b": 2, "c": 1])
        #expect(try store.states().count == 3)
    }

    @Test func aNameMayGoOnToAnother() throws {
        #expect(try remembered(as: ["b": 1, "c": 2, "d": 3]) == ["b": 1, "c": 2, "d": 3])
        #expect(try store.states().count == 3)
    }

    @Test func theNameOfASourceThatIsGoneMayBeTaken() throws {
        #expect(try remembered(as: ["b": 1, "c": 3]) == ["b": 1, "c": 3])
        // What was called so stays, and is found again.
        #expect(try remembered(as: ["b": 2, "c": 3, "new": 1]) == ["b": 2, "c": 3, "new": 1])
    }

    @Test func anotherAddressIsNoOtherSource() throws {
        #expect(try remembered(as: ["a": 4, "b": 2, "c": 3]) == ["a": 1, "b": 2, "c": 3])
    }

    @Test func aNameMayGoToANewSource() throws {
        #expect(try remembered(as: ["a": 4, "b": 2, "c": 3, "d": 1]) == ["b": 2, "c": 3, "d": 1])
        #expect(try store.states()["a"] == nil)
    }

    @Test func whatWasNeverReadIsTakenForNoMemory() throws {
        // It has failed before the name that its memory stands under was given up.
        var state = SourceState(name: "d")
        state.visited = sources(["d": 1])[0].fingerprint
        try store.commit(FetchCommit(state: state, date: date))
        #expect(try remembered(as: ["d": 1, "b": 2, "c": 3]) == ["b": 2, "c": 3, "d": 1])
        #expect(try remembered(as: ["d": 1, "b": 2, "c": 3]) == ["b": 2, "c": 3, "d": 1])
        // Alone it keeps what it has, and hands it on.
        state.name = "e"
        state.visited = sources(["e": 4])[0].fingerprint
        try store.commit(FetchCommit(state: state, date: date))
        #expect(try SourceRename.among(sources(["e": 4]), in: store).isEmpty)
        #expect(try SourceRename.among(sources(["f": 4]), in: store).map(\.from) == ["e"])
    }

    @Test func whereANameWasGivenUpRenamesAreLookedForAgain() throws {
        try store.noteConfiguration([1])
        var commit = FetchCommit(state: try store.state(of: "a"), date: date)
        commit.startsAnew = true
        try store.commit(commit)
        #expect(try store.lastConfiguration() == nil)
    }

    @Test func aNewNameTakesOverOnlyWhereItIsClearWhose() throws {
        #expect(try remembered(as: ["a": 1, "b": 2, "c": 3, "d": 3]) == ["a": 1, "b": 2, "c": 3])
        #expect(try store.states()["d"] == nil)
        #expect(try remembered(as: ["a": 1, "b": 2, "e": 3]) == ["a": 1, "b": 2, "e": 3])
    }

    @Test func whereOneBecomesSeveralTheFirstTakesOverAndTheOthersBeginThere() throws {
        let numbers = ["a": 1, "b": 2, "d": 3, "e": 3]
        #expect(try remembered(as: numbers) == numbers)
        #expect(try store.states()["c"] == nil)
        var begun = try store.state(of: "e")
        begun.name = "d"
        #expect(try begun == store.state(of: "d"))
        #expect(try SourceRename.among(sources(numbers), in: store).isEmpty)
    }

    @Test func aBranchMayGetTheNameOfASourceThatGetsAnother() throws {
        #expect(try remembered(as: ["b": 1, "c": 1, "d": 2]) == ["b": 1, "c": 1, "d": 2])
        let numbers = ["a": 2, "b": 1, "c": 3, "d": 3, "e": 1]
        #expect(try remembered(as: numbers) == numbers)
    }

    @Test func branchesMayCross() throws {
        let numbers = ["a": 2, "b": 1, "d": 1, "e": 2]
        #expect(try remembered(as: numbers) == numbers)
    }

    @Test func severalOfAnAddressMayHaveOtherNamesAtOnce() throws {
        try remember(sources(["d": 3]))
        let renames = try SourceRename.among(sources(["x": 3, "a": 1, "y": 3, "b": 2]), in: store)
        #expect(Set(renames) == [SourceRename(from: "c", to: "x"), SourceRename(from: "d", to: "y")])
        // One of several that are gone is the one that was read last.
        var state = try store.state(of: "d")
        state.lastSucceeded = date.addingTimeInterval(60)
        try store.commit(FetchCommit(state: state, date: date))
        #expect(try SourceRename.among(sources(["x": 3, "a": 1, "b": 2]), in: store).map(\.from) == ["d"])
    }

    @Test func ofSeveralMemoriesOfAnAddressTheLatestGoesOn() throws {
        var state = SourceState(name: "f")
        state.fingerprint = sources(["f": 2])[0].fingerprint
        for (days, number) in [(-1.0, 3), (1, 4)] {
            state.lastSucceeded = date.addingTimeInterval(days * 86_400)
            let item = ContentItem(identifier: "https://\(number).example/")
            try store.commit(FetchCommit(state: state, items: [item], date: date))
            let numbers = ["a": 1, "g": 2, "c": 3]
            #expect(try remembered(as: numbers) == ["a": 1, "g": number == 4 ? 4 : 2, "c": 3])
            if number == 3 { try store.renameSources(["g": "b"], at: date) }
        }
    }

    @Test func whatAnEntryWithAMistakeRemembersGoesToNobody() throws {
        let others = sources(["b": 2, "c": 3, "d": 1])
        #expect(try SourceRename.among(others, broken: ["a": nil], in: store).isEmpty)
        #expect(try SourceRename.among(others, broken: ["a": .url("https://1.example/")], in: store).isEmpty)
        #expect(try SourceRename.among(others, in: store) == [SourceRename(from: "a", to: "d")])
        let moved = SourceAddress.url("https://4.example/")
        #expect(
            try SourceRename.among(others, broken: ["a": moved], in: store) == [SourceRename(from: "a", to: "d")],
            "whose address is another by now is no longer the one")
        // When the entry is taken out, nothing else has changed.
        let digests: [Digest] = []
        #expect(
            SourceRename.fingerprint(of: others, broken: ["a": nil], digests)
                != SourceRename.fingerprint(of: others, digests))
        #expect(
            SourceRename.fingerprint(of: others, broken: ["a": moved], digests)
                != SourceRename.fingerprint(of: others, broken: ["a": nil], digests))
    }

    /// Under the name "a" the first address was read, and since then something has happened.
    private func change(_ change: (inout SourceState) -> Void) throws {
        var state = try store.state(of: "a")
        state.visited = state.fingerprint
        change(&state)
        try store.commit(FetchCommit(state: state, date: date))
    }

    @Test func anAddressThatHasFailedSoFarMayGetAnotherName() throws {
        try change { $0.visited = sources(["a": 4])[0].fingerprint }
        // It is still the source of its name, be that at another address.
        #expect(try SourceRename.among(sources(["a": 5, "b": 2, "c": 3, "d": 4]), in: store) == [])
        #expect(try SourceRename.among(sources(["b": 2, "d": 4]), broken: ["a": nil], in: store) == [])
        #expect(
            try SourceRename.among(sources(["a": 3, "b": 2, "d": 4]), in: store)
                == [SourceRename(from: "c", to: "a"), SourceRename(from: "a", to: "d")],
            "unless the name is another's by now")
        // What knows the address by having read it goes before, and what is remembered of another is not given up.
        #expect(try SourceRename.among(sources(["b": 4, "c": 3]), in: store) == [])
        #expect(
            try SourceRename.among(sources(["b": 2, "c": 3, "d": 1, "e": 4]), in: store)
                == [SourceRename(from: "a", to: "d")])
        #expect(try remembered(as: ["b": 2, "c": 3, "d": 4]) == ["b": 2, "c": 3, "d": 1])
        #expect(try remembered(as: ["b": 2, "c": 3, "e": 4, "f": 4]) == ["b": 2, "c": 3, "e": 1, "f": 1])
    }

    @Test(arguments: [true, false])
    func theAddressThatARedirectToldOfMayGetAnotherName(isAdopted: Bool) throws {
        try change { state in
            var move = SourceMove(configured: "https://1.example/")
            if isAdopted { move.adopted = "https://4.example/" } else { move.target = "https://4.example/" }
            state.move = move
        }
        var other = sources(["b": 2, "c": 3, "d": 4])
        other[2].mapping = ContentMapping(items: ".items[]")
        #expect(try SourceRename.among(other, in: store) == [], "what is read otherwise is another")
        #expect(try SourceRename.among(sources(["a": 5, "b": 2, "c": 3, "d": 4]), in: store) == [])
        #expect(try remembered(as: ["b": 2, "c": 3, "d": 4]) == ["b": 2, "c": 3, "d": 1])
    }

    @Test func onlyOtherNamesAddressesAndIntervalsAreAReasonToLook() throws {
        func digest(_ name: String) throws -> Digest {
            Digest(name: name, at: try CalendarExpression("08:00"), timeZone: .gmt)
        }
        func fingerprint(_ sources: [Source], _ digests: [String] = ["morning"]) throws -> [UInt8] {
            SourceRename.fingerprint(of: sources, try digests.map(digest))
        }
        let a = Source(name: "a", address: .url("https://1.example/"))
        let b = Source(name: "b", address: .url("https://2.example/"))
        var titled = a
        titled.title = "A"
        #expect(try fingerprint([a, b]) == fingerprint([titled, b]))
        var (renamed, moved, read, told, quick) = (a, a, a, a, a)
        quick.every = .seconds(60)
        renamed.name = "c"
        moved.address = .url("https://3.example/")
        read.mapping = ContentMapping(items: ".items[]")
        told.digests = ["morning"]
        let all = try [[a, b], [renamed, b], [moved, b], [read, b], [told, b], [quick, b], [a], [b], []]
            .map { try fingerprint($0) }
        #expect(Set(all).count == all.count)
        #expect(try fingerprint([a], []) != fingerprint([a], ["morning"]))
        #expect(try fingerprint([a], ["evening"]) != fingerprint([a], ["morning"]))
    }
}
