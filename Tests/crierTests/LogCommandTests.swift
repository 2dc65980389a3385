import CrierTesting
import Foundation
import Testing

@Suite struct LogCommandTests {
    @Test func visitsAndDeliveriesAreToldWithWhatLedToThem() async throws {
        let origin = try await ScriptedOrigin()
        let feed = atomFeed(1...2)
        await origin.script("/feed", [ScriptedAnswer(body: feed), ScriptedAnswer(status: 500)])
        let crier = try BuiltCrier("sources:\n  news: {url: '\(origin.url("/feed"))'}\n")
        #expect(try await crier.run("log").output == "Nothing is written down yet.\n")
        try await crier.authorize()
        _ = try await crier.run("fetch")
        _ = try await crier.run("fetch", "--force")
        let lines = try await crier.run("log", "news").lines
        #expect(lines.count == 3)
        #expect(lines[0].contains(/news: visited by its schedule: 2 new items \(200\), \d+ ms, \d/))
        #expect(lines[1].hasSuffix("  news: stdout: delivered “Item 2”"))
        #expect(lines[2].contains(/news: visited on request: .*500.*, \d+ ms$/))
        let objects = try await crier.run("log", "--format", "json", "--lines", "2").objects
        #expect(objects.map { $0["type"] as? String } == ["delivery", "fetch"])
        #expect(objects[0]["state"] as? String == "delivered")
        #expect(objects[1]["trigger"] as? String == "request")
        #expect(objects[1]["result"] as? String == "failed")
        #expect(objects[1]["status"] as? Int == 500)
        #expect(objects[1]["bytes"] as? Int == 0)
        for (command, lines) in [(["log"], "0"), (["log"], "\(Int.max)"), (["simulate", "plan"], "\(Int.max)")] {
            let run = try await crier.run(command + ["--lines", lines])
            #expect(run.status == 64)
            #expect(run.errors.contains("--lines takes a number from 1 to 1000000\n"), "\(run.errors)")
        }
        await origin.stop()
    }

    @Test func changedItemsAreTold() async throws {
        let crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...1), to: "feed.xml")
        try crier.folder.write("sources: {news: {url: 'file://\(feed)', updates: replace}}\n", to: "crier.yaml")
        try await crier.authorize()
        try await crier.run("fetch", "--quiet")
        try crier.folder.write(atomFeed(1...1).replacing("Item 1", with: "Changed"), to: "feed.xml")
        let run = try await crier.run("fetch", "--force")
        #expect(run.output.hasSuffix("Changed items in 1 source; raised 1 notification (stdout).\n"), "\(run)")
        let log = try await crier.run("log").output
        #expect(log.contains("  news: visited on request: changed items") && !log.contains("0 new items"), "\(log)")
    }

    @Test func thatOneOfSeveralTargetsDidNotTakeItIsSaidAtOnceAndInTheLog() async throws {
        var crier = try BuiltCrier()
        try crier.folder.write(atomFeed(1...2), to: "feed.xml")
        try crier.folder.write(
            """
            sinks: {team: {kind: apprise, targets: {env: TARGETS}}}
            sources: {news: {url: 'file://\(crier.folder.file("feed.xml"))', first: all}}
            """, to: "crier.yaml")
        try crier.folder.write("#!/bin/sh\ntest \"$APPRISE_URLS\" != bad\n", to: "apprise", isExecutable: true)
        crier.environment["PATH"] = "\(crier.folder.path):/usr/bin:/bin"
        crier.environment["TARGETS"] = "good\nbad"
        try await crier.authorize()
        let run = try await crier.run("fetch", "--quiet")
        #expect(run.errors.hasPrefix("crier: team: 2 raised with remarks: not taken by 1 of 2 targets: "), "\(run)")
        let log = try await crier.run("log").output
        #expect(log.split(separator: "\n").count { $0.contains("”: not taken by 1 of 2 targets: ") } == 2, "\(log)")
    }
}
