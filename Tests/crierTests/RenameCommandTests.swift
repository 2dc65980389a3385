import CrierTesting
import Foundation
import GRDB
import Testing

/// Sources that get other names in the configuration, with the built program.
@Suite(.timeLimit(.minutes(5))) struct RenameCommandTests {
    private let crier: BuiltCrier

    init() async throws {
        crier = try BuiltCrier()
        try await crier.authorize()
    }

    /// - Parameter sources: The names of feeds, by those of the sources.
    private func configure(_ sources: KeyValuePairs<String, String>, updates: String = "ignore") throws {
        let lines = sources.map { name, feed in
            "  \(name): {url: 'file://\(crier.folder.file(feed))', first: all, updates: \(updates)}\n"
        }
        try crier.folder.write(
            """
            sinks:
              told: {kind: file, path: '\(crier.folder.file("told"))'}
            sources:
            \(lines.joined())
            """, to: "crier.yaml")
    }

    /// What a run tells: identifier and revision of each.
    private func tellings(status: Int32 = 0) async throws -> [String] {
        try? FileManager.default.removeItem(atPath: crier.folder.file("told"))
        #expect(try await crier.run("fetch", "--force", "--quiet").status == status)
        return try (crier.folder.read("told") ?? "").split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return "\(object?["identifier"] ?? "") \(object?["revision"] ?? "")"
        }.sorted()
    }

    @Test func sourcesThatSwapTheirNamesLoseNothingAndRepeatNothing() async throws {
        try crier.folder.write(atomFeed(1...2), to: "one")
        try crier.folder.write(atomFeed(11...12), to: "two")
        try configure(["a": "one", "b": "two"])
        #expect(try await tellings().count == 4)
        // Dated before the last visit: no date tells that it is new.
        try crier.folder.write(atomFeed(1...3), to: "one")
        try crier.folder.write(atomFeed(11...13), to: "two")
        try configure(["a": "two", "b": "one"])
        #expect(try await tellings() == ["a/urn:item:13 1", "b/urn:item:3 1"])
        #expect(try await tellings().isEmpty)
    }

    @Test func aSourceThatIsRemovedIsForgottenAfterAYear() async throws {
        for name in ["one", "two", "three"] { try crier.folder.write(atomFeed(1...2), to: name) }
        try configure(["a": "one", "b": "two", "c": "three"])
        #expect(try await tellings().count == 6)
        let list = crier.folder.read("crier.yaml")?.replacing("two', first: all", with: "two', enabled: false")
        try crier.folder.write(try #require(list), to: "crier.yaml")
        #expect(try await crier.run("remove", "c").status == 0)
        for days in [1, 399, 405, 406] {
            var later = crier
            later.environment["CRIER_CLOCK_OFFSET"] = "\(days * 86_400)"
            #expect(try await later.run("fetch", "--force", "--quiet").status == 0)
        }
        let state = try DatabaseQueue(path: crier.statePath)
        let names = try await state.read { db in try String.fetchAll(db, sql: "SELECT name FROM source ORDER BY name") }
        #expect(names == ["a", "b"], "disabled is not removed")
    }

    @Test func aNameThatGoesToANewSourceTakesNoMemoryWithIt() async throws {
        try crier.folder.write(atomFeed(1...2), to: "one")
        try crier.folder.write(atomFeed(11...12), to: "two")
        try configure(["a": "one"])
        #expect(try await tellings().count == 2)
        try crier.folder.write(atomFeed(1...3), to: "one")
        try configure(["z": "one", "a": "two"])
        #expect(try await tellings() == ["a/urn:item:11 1", "a/urn:item:12 1", "z/urn:item:3 1"])
        #expect(try await tellings().isEmpty)
    }

    @Test func aMistakeInAnEntryLosesNothingToAnotherOfItsAddress() async throws {
        try crier.folder.write(atomFeed(1...2), to: "one")
        try crier.folder.write(atomFeed(11...12), to: "two")
        try configure(["a": "one", "b": "two"])
        #expect(try await tellings().count == 4)
        let text = try #require(crier.folder.read("crier.yaml"))
        let other = "  z: {url: 'file://\(crier.folder.file("one"))', first: none}\n"
        try crier.folder.write(
            text.replacingOccurrences(of: "  a: {", with: "  a: {every: soon, ") + other, to: "crier.yaml")
        #expect(try await crier.run("fetch", "--quiet").status == 78)
        // Dated before the last visit: no date tells that it is new.
        try crier.folder.write(atomFeed(1...3), to: "one")
        try crier.folder.write(text + other, to: "crier.yaml")
        #expect(try await tellings() == ["a/urn:item:3 1", "z/urn:item:3 1"])
    }

    @Test func sourcesThatSwapTheirNamesLoseNothingByAMistakeInOneOfThem() async throws {
        try crier.folder.write(atomFeed(1...2), to: "one")
        try crier.folder.write(atomFeed(11...12), to: "two")
        try configure(["a": "one", "b": "two"])
        #expect(try await tellings().count == 4)
        // Dated before the last visit: no date tells that it is new.
        try crier.folder.write(atomFeed(1...3), to: "one")
        try crier.folder.write(atomFeed(11...13), to: "two")
        try configure(["a": "two", "b": "one"])
        let text = try #require(crier.folder.read("crier.yaml"))
        try crier.folder.write(text.replacingOccurrences(of: "  a: {", with: "  a: {every: soon, "), to: "crier.yaml")
        #expect(try await tellings(status: 78) == ["b/urn:item:3 1"])
        try crier.folder.write(text, to: "crier.yaml")
        #expect(try await tellings() == ["a/urn:item:13 1"])
    }

    @Test func anUpdateAfterARenameReplacesWhatWasTold() async throws {
        try crier.folder.write(atomFeed(1...2), to: "one")
        try crier.folder.write(atomFeed(2...2), to: "two")
        try configure(["a": "one", "b": "two"], updates: "replace")
        #expect(try await tellings().count == 3)
        try configure(["b": "one", "a": "two"], updates: "replace")
        try update("one")
        #expect(try await tellings() == ["a/urn:item:1 2", "a/urn:item:2 2"])
        // Its notification is found again, and what is new to the name has one of its own.
        try crier.folder.write(atomFeed(1...3), to: "one")
        try crier.folder.write(atomFeed(2...3), to: "two")
        #expect(try await tellings() == ["a/urn:item:1 3", "a/urn:item:2 3", "a/urn:item:3 1", "b/urn:item:3 1"])
        try configure(["a": "one", "b": "two"], updates: "replace")
        try update("one")
        #expect(try await tellings() == ["a/urn:item:1 4", "a/urn:item:2 4", "b/urn:item:3 2"])
    }

    @Test func whoOnlyLooksSeesARenameAsTheNextFetchWill() async throws {
        try crier.folder.write(atomFeed(1...2), to: "one")
        try crier.folder.write(atomFeed(11...12), to: "two")
        try configure(["a": "one", "b": "two"])
        #expect(try await tellings().count == 4)
        try configure(["new": "one", "a": "two"])
        let status = try await crier.run("status", "--format", "json").objects
        #expect(status.dropLast().allSatisfy { $0["lastResult"] as? String == "newData" })
        #expect(try await crier.run("why", "new").output.contains("Known         2 items"))
        #expect(try await crier.run("try", "a", "--format", "json").objects.map { $0["reason"] as? String } == known)
        #expect(try await crier.run("fetch", "--dry-run", "--force", "--format", "json").output == "")
        let names = try await DatabaseQueue(path: crier.statePath).read { db in
            try String.fetchAll(db, sql: "SELECT name FROM source ORDER BY name")
        }
        #expect(names == ["a", "b"], "nothing is written")
        #expect(try await tellings().isEmpty)
    }

    /// Also as those who only look see it.
    @Test func aShorterIntervalHoldsFromTheLastVisitOn() async throws {
        try crier.folder.write(atomFeed(1...2), to: "one")
        func follow(every: String) throws {
            let url = "file://\(crier.folder.file("one"))"
            try crier.folder.write("sources:\n  a: {url: '\(url)', every: \(every)}\n", to: "crier.yaml")
        }
        try follow(every: "12h")
        #expect(try await crier.run("fetch", "--quiet").status == 0)
        var later = crier
        later.environment["CRIER_CLOCK_OFFSET"] = "3600"
        #expect(try await later.run("why", "a").output.contains("set by its interval of 12 h"))
        try follow(every: "15m")
        #expect(try await later.run("why", "a").output.contains("set by its interval of 15 min"))
        #expect(try await later.run("fetch", "--quiet", "--format", "json").status == 0)
        #expect(try await later.run("why", "a").output.contains("read (200), nothing new"))
    }

    private let known = ["it is known", "it is known"]

    /// Gives the items of a feed other titles.
    private func update(_ feed: String) throws {
        let text = try #require(crier.folder.read(feed))
        try crier.folder.write(text.replacingOccurrences(of: "<title>Item", with: "<title>Updated"), to: feed)
    }
}
