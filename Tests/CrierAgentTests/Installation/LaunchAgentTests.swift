import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

/// What is installed on a Mac, seen from here.
struct LaunchAgentTests {
    private let folder: TemporaryFolder
    private let installation: Installation
    private let command = InstalledCommand(binary: "/opt/crier")

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("#!/bin/sh\nexit 1\n", to: "bin/crontab", isExecutable: true)
        installation = Installation(
            environment: ["HOME": folder.path, "PATH": folder.file("bin")], manager: .launchd)
    }

    private var path: String { folder.file("Library/LaunchAgents/io.github.crier.agent.plist") }

    private func perform(_ steps: [InstallationStep]) async throws {
        for step in steps {
            if case .run = step { continue }
            try await step.perform(crontab: installation.crontab)
        }
    }

    @Test func theAgentIsWrittenOnceStartedIfAskedAndRemoved() async throws {
        let steps = try await installation.steps(toInstall: .agent, running: command)
        #expect(steps.map(\.description) == ["write \(path)"])
        #expect(!FileManager.default.fileExists(atPath: path), "to tell a step is not to take it")
        try await perform(steps)
        #expect(try await installation.steps(toInstall: .agent, running: command) == [])
        let domain = "gui/\(getuid())"
        #expect(installation.startCommand("") == "launchctl bootstrap \(domain) \(path)")
        let started = try await installation.steps(toInstall: .agent, running: command, enables: true)
        #expect(started == [.run(["launchctl", "bootstrap", domain, path], isNeeded: true)])
        let found = await installation.found()
        #expect(found.ways == [.agent] && found.starts.map(\.program) == ["/opt/crier"])
        #expect(found.troubles.map(\.kind) == [.unavailable], "the crontab cannot be read")
        let removal = await installation.steps(toRemove: [.agent]).steps
        #expect(
            removal.map(\.description) == ["run launchctl bootout \(domain)/io.github.crier.agent", "remove \(path)"])
        try await perform(removal)
        #expect(!FileManager.default.fileExists(atPath: path))
        let rest = await installation.steps(toRemove: [.agent, .timer])
        #expect(rest.steps == [] && rest.troubles == [])
    }

    @Test func whatTheUserHasChangedIsNotTouched() async throws {
        try await perform(try await installation.steps(toInstall: .agent, running: command))
        let text = try readText(path)
        try folder.write(text.replacing("30", with: "60"), to: "Library/LaunchAgents/io.github.crier.agent.plist")
        await #expect(throws: InstallationError.self) {
            try await installation.steps(toInstall: .agent, running: InstalledCommand(binary: "/new"))
        }
        let (steps, troubles) = await installation.steps(toRemove: [.agent])
        #expect(steps == [] && troubles.map(\.kind) == [.refused])
        #expect(await installation.steps(toRemove: [.agent], overwrites: true).steps.last == .remove(path))
    }

    @Test func thereIsNoTimerOfSystemd() async throws {
        await #expect(throws: InstallationError.self) {
            try await installation.steps(toInstall: .timer, running: command)
        }
    }
}
