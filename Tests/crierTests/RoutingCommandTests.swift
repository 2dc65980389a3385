import CrierTesting
import Foundation
import Testing

/// Where notifications go by their sources' tags and by rules, with the built program.
@Suite(.timeLimit(.minutes(5))) struct RoutingCommandTests {
    private func crier(_ more: String = "") throws -> BuiltCrier {
        let crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...3), to: "feed.xml")
        try crier.folder.write(
            """
            \(more)
            sinks:
              work: {kind: file, path: '\(crier.folder.file("work"))'}
              home: {kind: file, path: '\(crier.folder.file("home"))'}
            rules:
              - {when: '.title == "Item 3"', skip: true}
              - {tags: work, to: work}
              - {when: '.title == "Item 2"', level: critical}
            sources:
              team: {url: 'file://\(feed)', tags: work/team, first: all}
              blog: {url: 'file://\(feed)', tags: [reading], to: home, first: all}
              both: {url: 'file://\(feed)', first: all, rules: [{level: passive}]}
            """, to: "crier.yaml")
        return crier
    }

    /// Source, title and level of each line of a file.
    private func told(_ name: String, _ crier: BuiltCrier) throws -> [String] {
        try (crier.folder.read(name) ?? "").split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return ["source", "title", "level"].map { object?[$0] as? String ?? "" }.joined(separator: " ")
        }.sorted()
    }

    @Test func tagsAndRulesSayWhereAndHowUrgently() async throws {
        let crier = try crier()
        #expect(try await crier.run("check").status == 0)
        #expect(try await crier.run("try", "team").output.contains("a rule skips it"))
        try await crier.authorize()
        #expect(try await crier.run("fetch", "--quiet").status == 0)
        let both = ["both Item 1 passive", "both Item 2 passive"]
        #expect(try told("work", crier) == both + ["team Item 1 active", "team Item 2 critical"])
        #expect(try told("home", crier) == ["blog Item 1 active", "blog Item 2 critical"] + both)
    }

    @Test func whileMutedOnlyWhatARuleCallsCriticalIsRaised() async throws {
        let crier = try crier()
        try await crier.authorize()
        try await crier.run("mute", "1h")
        try await crier.run("fetch", "--quiet")
        #expect(try told("work", crier) == ["team Item 2 critical"])
        #expect(try told("home", crier) == ["blog Item 2 critical"])
    }

    @Test func anAddressOfSeveralSourcesIsToldOnceAtEachSink() async throws {
        let crier = try crier("unique: url")
        try await crier.authorize()
        // By one source after the other: which of several is first, is not said.
        try await crier.run("fetch", "team", "--quiet")
        let atOne = ["would raise: Item 1  both/urn:item:1", "would raise: Item 2  both/urn:item:2"]
        #expect(try await crier.run("fetch", "both", "--dry-run").lines.prefix(2) == atOne[...])
        #expect(
            try await crier.run("try", "both", "--format", "json").objects.count { $0["notifies"] as? Bool == true }
                == 2)
        try await crier.run("fetch", "blog", "--quiet")
        let atBoth = [
            "would not raise: Item 1  told in team/urn:item:1", "would not raise: Item 2  told in team/urn:item:2",
        ]
        #expect(try await crier.run("fetch", "both", "--dry-run").lines.prefix(2) == atBoth[...])
        #expect(try await crier.run("fetch", "both", "--dry-run", "--format", "json").output == "")
        let reasons = try await crier.run("try", "both", "--format", "json").objects.map { $0["reason"] as? String }
        #expect(reasons == ["told in team/urn:item:1", "told in team/urn:item:2", "a rule skips it"])
        try await crier.run("fetch", "both", "--quiet")
        #expect(try told("work", crier) == ["team Item 1 active", "team Item 2 critical"])
        #expect(try told("home", crier) == ["blog Item 1 active", "blog Item 2 critical"])
        let list = try await crier.run("deliveries", "list", "--all", "--source", "both").output
        #expect(list.contains("(told in team/urn:item:1)"))
    }

    /// Which of them is first, is not said.
    @Test func oneDryRunTellsOfAnAddressOnceAtEachSink() async throws {
        let crier = try crier("unique: url")
        try await crier.authorize()
        let apart = try await crier.run("fetch", "team", "blog", "--dry-run", "--format", "json")
        #expect(apart.objects.count == 4, "\(apart)")
        let feed = crier.folder.file("feed.xml")
        try crier.folder.write(
            """
            unique: url
            sources:
              a: {url: 'file://\(feed)', first: all}
              b: {url: 'file://\(feed)', first: all}
            """, to: "crier.yaml")
        let planned = try await crier.run("fetch", "--dry-run", "--format", "json").objects
        #expect(planned.map { $0["title"] as? String } == ["Item 1", "Item 2", "Item 3"])
        #expect(Set(planned.map { $0["source"] as? String }).count == 1)
        let lines = try await crier.run("fetch", "--dry-run").lines
        let told = lines.filter { $0.wholeMatch(of: #/would not raise: Item \d  told in [ab]/urn:item:\d/#) != nil }
        #expect(told.count == 3 && lines.count { $0.hasPrefix("would raise: ") } == 3, "\(lines)")
    }

    @Test func aDigestTellsOfAnAddressForOneSourceOnly() async throws {
        let crier = try BuiltCrier()
        let files = ["a", "b", "page"].map { "  \($0): {url: 'file://\(crier.folder.file($0))', first: all}" }
        try crier.folder.write(
            """
            unique: url
            sinks: {told: {kind: file, path: '\(crier.folder.file("told"))'}}
            digests: {all: {at: '08:30', order: document}}
            sources:
            \(files.joined(separator: "\n"))
            """, to: "crier.yaml")
        try crier.folder.write(atomFeed(1...2), to: "a")
        try crier.folder.write(atomFeed(2...3), to: "b")
        let page = atomFeed(11...12)
        try crier.folder.write(
            page.replacingOccurrences(of: "e.example/1[12]", with: "e.example", options: .regularExpression), to: "page"
        )
        try await crier.authorize()
        for source in ["a", "b", "page"] { try await crier.run("fetch", source, "--quiet") }
        func preview() async throws -> [String] {
            let digest = try await crier.run("digest", "all", "--preview", "--format", "json").objects.first
            let groups = digest?["groups"] as? [[String: Any]] ?? []
            return groups.flatMap { group in
                (group["items"] as? [[String: Any]] ?? []).map { "\(group["title"] ?? "") \($0["title"] ?? "")" }
            }
        }
        let told = ["a Item 1", "a Item 2", "b Item 3", "page Item 11", "page Item 12"]
        #expect(try await preview() == told)
        #expect(try await crier.run("digest", "all", "--now").status == 0)
        try crier.folder.write(atomFeed(1...4), to: "a")
        try await crier.run("fetch", "a", "--force", "--quiet")
        #expect(try await preview() == ["a Item 4"], "the other source has told of its companion")
    }
}
