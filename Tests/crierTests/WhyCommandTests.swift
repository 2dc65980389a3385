import CrierStore
import CrierTesting
import Foundation
import Testing

@Suite struct WhyCommandTests {
    @Test func whyTellsTheLastAnswerAndWhatPostponesTheNext() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script(
            "/feed",
            [ScriptedAnswer(fields: ["Cache-Control": "max-age=7200", "ETag": "\"1\""], body: atomFeed(1...2))])
        let crier = try BuiltCrier("sources:\n  news: {url: '\(origin.url("/feed"))', expect-every: 14d}\n")
        try await crier.authorize()
        _ = try await crier.run("fetch")
        let why = try await crier.run("why", "news").output
        #expect(why.contains("Answer        read (200), new\n"))
        #expect(why.contains("Address       \(origin.url("/feed"))\n"))
        #expect(why.contains("expected every 14 d"))
        #expect(why.contains("set by the origin's Cache-Control: max-age=7200"))
        #expect(why.contains(/Postponed +from .* \(its interval of 1 h\) until .* by the origin's Cache-Control/))
        let json = try #require(try await crier.run("why", "news", "--format", "json").objects.first)
        let status = try #require(try await crier.run("status", "--format", "json").objects.first)
        #expect(Set(json.keys).isSuperset(of: status.keys))
        #expect(json["lastStatus"] as? Int == 200)
        #expect(json["lastURL"] as? String == origin.url("/feed"))
        #expect(json["nextFetchReason"] as? String == "the origin's Cache-Control: max-age=7200")
        #expect(json["postponedFrom"] is String)
        #expect(json["items"] as? Int == 2)
        #expect(json["expectEvery"] as? Int == 14 * 86_400)
        #expect((json["deliveries"] as? [[String: Any]])?.first?["state"] as? String == "delivered")
        await origin.stop()
    }

    /// A run of a timer says it to nobody.
    @Test func whyTellsWhatHasChangedTooOften() async throws {
        let crier = try BuiltCrier()
        let feed = crier.folder.file("feed.xml")
        try crier.folder.write("sources: {news: {url: 'file://\(feed)', updates: notify}}\n", to: "crier.yaml")
        for change in 0...24 {
            try crier.folder.write(atomFeed(1...1).replacing("</title>", with: " \(change)</title>"), to: "feed.xml")
            try await crier.run("fetch", "--force", "--quiet")
            if change == 23 { #expect(try await !crier.run("why", "news").output.contains("Changes")) }
        }
        #expect(
            try await crier.run("why", "news").output.contains(
                "\nChanges       1 item has changed 24 times; no more are told of it\n"))
        let json = try #require(try await crier.run("why", "news", "--format", "json").objects.first)
        #expect(json["toldNoMore"] as? Int == 1)
    }

    @Test func whyNamesTheDigestsThatTell() async throws {
        let crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...1), to: "feed.xml")
        let source = "news: {url: 'file://\(feed)', notify: none}"
        try crier.folder.write("digests: {all: {at: '08:30'}}\nsources: {\(source)}\n", to: "crier.yaml")
        try await crier.run("fetch", "--quiet")
        #expect(try await crier.run("why", "news").output.contains("\nTold in       the digest all\n"))
    }

    @Test func aSourceOfAnotherAddressIsDueAtOnce() async throws {
        let crier = try BuiltCrier()
        for name in ["one", "other"] {
            try crier.folder.write(atomFeed(1...1), to: name)
            try crier.folder.write(
                "sources: {news: {url: 'file://\(crier.folder.file(name))', every: 6h}}", to: "crier.yaml")
            if name == "one" { try await crier.run("fetch", "--quiet") }
            let status = try #require(try await crier.run("status", "--format", "json").objects.first)
            let next = try Date(#require(status["nextFetch"] as? String), strategy: .iso8601)
            #expect((next > Date().addingTimeInterval(3600)) == (name == "one"))
        }
        let why = try await crier.run("why", "news").output
        #expect(why.contains("due now, set by an edit of the source") && !why.contains("Postponed"), "\(why)")
        try await crier.run("fetch", "--quiet")
        #expect(try await crier.run("why", "news").output.contains("set by its interval of 6 h"))
    }

    @Test func whyAndStatusTellOfAnAdoptedAddressAndHowToMakeItLast() async throws {
        let crier = try BuiltCrier("sources:\n  news: {url: 'https://old.example/feed'}\n")
        var state = SourceState(name: "news")
        state.lastFetched = Date()
        var move = SourceMove(configured: "https://old.example/feed")
        move.adopted = "https://new.example/feed"
        move.adoptedOn = Date()
        state.move = move
        try Store(path: crier.statePath).commit(FetchCommit(state: state, date: Date()))
        let why = try await crier.run("why", "news").output
        #expect(why.contains("https://new.example/feed is visited instead of https://old.example/feed"))
        #expect(why.contains("to make it last, write that as the url of news"))
        #expect(try await crier.run("status").output.contains("news has moved to https://new.example/feed"))
        let json = try await crier.run("why", "news", "--format", "json").objects.first
        #expect(json?["adoptedURL"] as? String == "https://new.example/feed")
        #expect(json?["url"] as? String == "https://old.example/feed")
        move.adopted = nil
        move.target = "https://next.example/"
        move.sightings = 2
        state.move = move
        try Store(path: crier.statePath).commit(FetchCommit(state: state, date: Date()))
        #expect(try await crier.run("why", "news").output.contains("to https://next.example/, seen 2 of 3 times"))
        try crier.folder.write("sources:\n  news: {url: 'https://third.example/feed'}\n", to: "crier.yaml")
        #expect(try await !crier.run("why", "news").output.contains("instead of"))
    }

    @Test func aNoticePassesTheGateAndAGoneSourceIsVisitedOnRequest() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(status: 410)])
        let crier = try BuiltCrier("sources:\n  news: {url: '\(origin.url("/feed"))'}\n")
        let first = try await crier.run("fetch")
        #expect(!first.output.contains("news is gone"))
        #expect(first.errors.contains("1 notification waits for your permission"))
        try await crier.authorize()
        #expect(try await crier.run("fetch").output.contains("news is gone"))
        #expect(try await crier.run("why", "news").output.contains("asked once more after a week"))

        let store = try Store(path: crier.statePath)
        var state = try store.state(of: "news")
        state.goneSince = Date(timeIntervalSinceNow: -8 * 86_400)
        state.nextFetch = nil
        try store.commit(FetchCommit(state: state, date: Date()))
        #expect(try await crier.run("status").output.contains("stopped"))
        #expect(
            try await crier.run("why", "news").output.contains("stopped: `crier fetch news --force` asks for it again"))
        for arguments in [["fetch"], ["fetch", "news"], ["fetch", "--force"]] {
            try await crier.process(arguments).runToEnd()
        }
        #expect(await origin.requests.count == 1)
        _ = try await crier.run("fetch", "news", "--force")
        #expect(await origin.requests.count == 2)
        await origin.stop()
    }

    @Test func aDocumentWithoutItemsIsToldAsSuch() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/page", [ScriptedAnswer(body: "<!doctype html><section><h2>One</h2></section>")])
        let crier = try BuiltCrier(
            "sources:\n  page: {url: '\(origin.url("/page"))', format: html, items: //article, fields: {title: h2}}\n")
        try await crier.authorize()
        _ = try await crier.run("fetch")
        let why = try await crier.run("why", "page").output
        #expect(why.contains("Answer        read (200), no items\n"))
        #expect(why.contains(/Empty +no items since .*: `crier try page` shows what is read/))
        #expect(why.contains("Last new      never\n"))
        let json = try #require(try await crier.run("why", "page", "--format", "json").objects.first)
        #expect(json["emptySince"] is String && json["lastNew"] is NSNull)
        #expect(try await crier.run("status").output.contains("no items"))
        await origin.stop()
    }

    @Test func whatASummaryTellsOfIsShownWithWhatBecameOfIt() async throws {
        let crier = try BuiltCrier()
        try crier.folder.write(
            """
            sinks: {team: {kind: webhook, url: 'http://127.0.0.1:1/in'}}
            sources:
              news: {url: 'file://\(crier.folder.file("feed.xml"))', first: all, every: 1s}
            """, to: "crier.yaml")
        // More at once would be a summary of the source's own.
        for last in [6, 12] {
            try crier.folder.write(atomFeed(1...last), to: "feed.xml")
            try await crier.run("fetch", "--force", "--quiet")
        }
        try await crier.authorize()
        try await crier.run("fetch", "--quiet")
        let deliveries = try await crier.run("deliveries", "list", "--all", "--format", "json").objects
        let summary = try #require(deliveries.first { $0["state"] as? String == "pending" }?["id"] as? Int)
        let told = try #require(deliveries.first { $0["state"] as? String == "suppressed" }?["id"] as? Int)
        func expectShown(as state: String) async throws {
            for command in [["deliveries", "list", "--all"], ["deliveries", "show", "\(told)"], ["why", "news"]] {
                let output = try await crier.run(command).output
                #expect(output.contains(": the delivery \(summary), which is \(state)"), "\(output)")
            }
        }
        try await expectShown(as: "pending")
        try await crier.run("deliveries", "drop", "\(summary)")
        try await expectShown(as: "suppressed")
    }
}
