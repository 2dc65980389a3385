import CrierTesting
import Foundation
import Testing

@Suite struct AuthorizationCommandTests {
    private func news() async throws -> (ScriptedOrigin, BuiltCrier) {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...2)), ScriptedAnswer(body: atomFeed(1...3))])
        return (origin, try BuiltCrier("sources:\n  news: {url: '\(origin.url("/feed"))'}\n"))
    }

    @Test func unattendedRunsHoldAndSayHowToAllow() async throws {
        let (origin, crier) = try await news()
        let run = try await crier.run("fetch")
        #expect(run.status == 77)
        #expect(!run.output.contains("Item 2"))
        #expect(run.errors == "crier: 1 notification waits for your permission: run `crier authorize`\n")
        #expect(
            try await crier.run("deliveries", "list", "--format", "json").objects.map { $0["state"] as? String } == [
                "held"
            ])
        try await crier.authorize()
        #expect(
            try await crier.run("status").output.contains("1 that waited for it comes with the next `crier fetch`.\n"))
        let later = try await crier.run("fetch")
        #expect(later.output.hasPrefix("Item 2\n"))
        #expect(later.output.hasSuffix("\nRaised 1 notification (stdout).\n"))
        await origin.stop()
    }

    @Test(arguments: ["--deny", "--reset"]) func whatWaitedWhileItWasQuietIsToldAsItIsThen(answer: String) async throws
    {
        let (origin, crier) = try await news()
        try await crier.authorize()
        try await crier.run("mute", "1h")
        try await crier.run("fetch", "--quiet")
        let state = {
            try await crier.run("deliveries", "--all").output.split(separator: "\n").last.map(String.init) ?? ""
        }
        #expect(try await state().contains("pending (quiet)"))
        try await crier.run("authorize", answer)
        try await crier.run("fetch", "--quiet", "--scheduled")
        #expect(try await state().contains(answer == "--deny" ? " suppressed " : " held "))
        try await crier.run("unmute")
        #expect(try await !state().contains("quiet"))
        await origin.stop()
    }

    @Test func aNoIsRememberedAndSilent() async throws {
        let (origin, crier) = try await news()
        #expect(try await crier.run("authorize", "--deny").status == 0)
        let run = try await crier.run("fetch")
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(!run.output.contains("Item"))
        try await crier.authorize()
        let later = try await crier.run("fetch", "--force")
        #expect(later.output.hasPrefix("Item 3\n"))
        #expect(!later.output.contains("Item 2"))
        await origin.stop()
    }

    @Test func whatIsDeniedIsNotSaidToBeRaised() async throws {
        let crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...2), to: "feed.xml")
        try crier.folder.write("sources: {news: {url: 'file://\(feed)'}}\n", to: "crier.yaml")
        try await crier.run("authorize", "--deny")
        let reason = "would not notify: notifications are denied, `crier authorize` changes that"
        #expect(try await crier.run("try", "news").output.contains(reason))
        let planned = try await crier.run("fetch", "--dry-run")
        #expect(planned.output.hasPrefix("would not raise: Item 2  news/urn:item:2\n"), "\(planned)")
        #expect(planned.errors.hasPrefix("Notifications are denied: "))
        #expect(try await crier.run("fetch", "--dry-run", "--format", "json").output == "")
    }

    @Test func withATerminalItAsksWhenThereIsSomethingToShow() async throws {
        let (origin, crier) = try await news()
        let terminal = try PseudoTerminal()
        let process = crier.process(["fetch"], at: terminal)
        terminal.type("y\n")
        try await process.runToEnd()
        let screen = terminal.screen()
        #expect(process.terminationStatus == 0)
        #expect(screen.contains("Crier has something new for you: “Item 2”."))
        #expect(screen.contains("May Crier raise notifications? [y/n]"))
        #expect(screen.contains("https://e.example/2"))
        #expect(try await crier.run("status").output.contains("Notifications are authorized."))
        await origin.stop()
    }

    @Test func whoSaysNoAtTheTerminalIsToldWhatFollows() async throws {
        let crier = try BuiltCrier()
        let feed = try crier.folder.write(atomFeed(1...3), to: "feed.xml")
        try crier.folder.write("sources: {news: {url: 'file://\(feed)', first: all}}\n", to: "crier.yaml")
        let terminal = try PseudoTerminal()
        let process = crier.process(["fetch"], at: terminal)
        terminal.type("n\n")
        try await process.runToEnd()
        let screen = terminal.screen()
        #expect(screen.contains(/Crier has something new for you: “Item \d” and 2 more\./), "\(screen)")
        #expect(screen.contains("Then it stays silent. `crier authorize` changes that."))
        #expect(!screen.contains("https://e.example/"), "nothing is shown")
        #expect(try await crier.run("status").output.contains("Notifications are denied"))
    }

    @Test func authorizeAsksAtATerminal() async throws {
        let crier = try BuiltCrier("")
        for (answer, status, words) in [
            ("n", 77, "Crier stays silent and records what it would have said of what is fetched."),
            ("y", 0, "Crier may raise notifications."),
        ] {
            let terminal = try PseudoTerminal()
            let process = crier.process(["authorize"], at: terminal)
            terminal.type("\(answer)\n")
            try await process.runToEnd()
            #expect(process.terminationStatus == Int32(status))
            #expect(terminal.screen().contains(words))
        }
    }

    @Test func aSignalAtTheQuestionEndsTheRunAndDecidesNothing() async throws {
        let (origin, crier) = try await news()
        let terminal = try PseudoTerminal()
        let process = crier.process(["fetch"], at: terminal)
        async let ended: Void = process.runToEnd()
        await Task.detached { terminal.waitFor("[y/n]") }.value
        kill(process.processIdentifier, SIGTERM)
        try await ended
        #expect(process.terminationStatus == 128 + SIGTERM)
        #expect(try await crier.run("status").output.contains("Notifications are not authorized yet"))
        try await crier.authorize()
        #expect(try await crier.run("fetch").output.hasPrefix("Item 2\n"))
        await origin.stop()
    }

    @Test func aSignalTakesTheLineOfProgressAway() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...1))])
        await origin.script("/hang", [.hang])
        let crier = try BuiltCrier(
            "sources:\n  a: {url: '\(origin.url("/feed"))'}\n  b: {url: '\(origin.url("/hang"))'}\n")
        let terminal = try PseudoTerminal()
        let process = crier.process(["fetch"])
        process.standardOutput = FileHandle.nullDevice
        process.standardError = terminal.slave
        async let ended: Void = process.runToEnd()
        await Task.detached { terminal.waitFor("1 of 2 sources") }.value
        kill(process.processIdentifier, SIGINT)
        try await ended
        #expect(process.terminationStatus == 128 + SIGINT)
        #expect(terminal.screen().hasSuffix("\r\u{1b}[K"))
        await origin.stop()
    }

    @Test func authorizeWithoutATerminalNeedsAWord() async throws {
        let crier = try BuiltCrier("")
        let run = try await crier.run("authorize")
        #expect(run.status == 77)
        #expect(run.errors == "crier: no answer, nothing changed; in a script use --allow or --deny\n")
        #expect(try await crier.run("authorize", "--allow", "--deny").status == 64)
    }
}

/// A pair of pseudo-terminal ends (pty(7)).
final class PseudoTerminal: Sendable {
    private let master: FileHandle
    let slave: FileHandle

    init() throws {
        var ends: (master: Int32, slave: Int32) = (-1, -1)
        guard openpty(&ends.master, &ends.slave, nil, nil, nil) == 0 else { throw CocoaError(.fileReadUnknown) }
        master = FileHandle(fileDescriptor: ends.master, closeOnDealloc: true)
        slave = FileHandle(fileDescriptor: ends.slave, closeOnDealloc: true)
    }

    func type(_ text: String) {
        master.write(Data(text.utf8))
    }

    /// Reads until the text is shown; blocks its thread.
    func waitFor(_ text: String) { _ = shown(upTo: text) }

    /// The same, and gives what was shown.
    func shown(upTo text: String) -> String {
        var shown = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !shown.contains(text), case let count = read(master.fileDescriptor, &buffer, buffer.count), count > 0 {
            shown += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        return shown
    }

    /// What was shown; to be read once, when the program has ended.
    func screen() -> String {
        let descriptor = master.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
