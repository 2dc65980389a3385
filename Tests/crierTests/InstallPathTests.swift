import CrierTesting
import Foundation
import Testing

@Suite("Units and crontab lines have the paths that the user has")
struct InstallPathTests {
    private let home: Home

    /// The program is behind two links, as package managers put it there.
    init() throws {
        home = try Home()
        for (link, target) in [("1", BuiltCrier.binary), ("links", "../1/crier")] {
            try home.folder.write("", to: "\(link)/empty")
            try FileManager.default.createSymbolicLink(
                atPath: home.folder.file("\(link)/crier"), withDestinationPath: target)
        }
    }

    /// The command of the line that comes into the crontab, without its first arguments.
    private func installed(by script: String) async throws -> String {
        let run = try await home.crier.run(["-c", "cd '\(home.folder.path)'; \(script)"]) {
            $0.executableURL = URL(fileURLWithPath: "/bin/bash")
        }
        try #require(run.status == 0, "\(run.errors)")
        let lines = (home.folder.read("crontab") ?? "").split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("*/10 * * * * ") })
        return String(line.dropFirst("*/10 * * * * ".count)).replacing(" fetch --scheduled --quiet", with: "")
    }

    @Test(arguments: [
        "links/crier", ".//./links/crier", "cd 1; ../links/crier", "PATH=$PWD/links:$PATH; crier", "$PWD/links/crier",
    ])
    func aLinkByWhichItIsCalledStays(_ call: String) async throws {
        #expect(try await installed(by: "\(call) install --cron") == home.folder.file("links/crier"))
    }

    @Test(arguments: ["crier", "bin/crier", "links/none", ""])
    func whereTheNameIsNotThatOfWhatRunsItIsThePathBehindAllLinks(_ name: String) async throws {
        try home.folder.write("#!/bin/sh\n", to: "bin/crier", isExecutable: true)
        let binary = URL(fileURLWithPath: BuiltCrier.binary).resolvingSymlinksInPath().path
        #expect(try await installed(by: "exec -a '\(name)' links/crier install --cron") == binary)
    }

    @Test func filesAreTheSameFromEverywhere() async throws {
        try home.folder.write("sources: {}\n", to: "dotfiles/sub/crier.yaml")
        for (link, target) in [("folder", "dotfiles/sub"), ("mine.yaml", "dotfiles/sub/crier.yaml")] {
            try FileManager.default.createSymbolicLink(atPath: home.folder.file(link), withDestinationPath: target)
        }
        for (path, expected) in [
            ("mine.yaml", "mine.yaml"), ("./folder//crier.yaml", "folder/crier.yaml"),
            ("folder/../crier.yaml", "dotfiles/crier.yaml"), ("bin/../crier.yaml", "crier.yaml"),
            ("'~/crier.yaml'", "~/crier.yaml"),
        ] {
            let words = try await installed(by: "links/crier install --cron --config \(path) --state /s")
            let file = home.folder.file(expected)
            let quoted = file.contains("~") ? "'\(file)'" : file
            #expect(words == "\(home.folder.file("links/crier")) --config \(quoted) --state /s")
        }
    }
}
