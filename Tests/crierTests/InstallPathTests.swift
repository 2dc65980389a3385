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

    /// The program of the line that comes into the crontab, and its arguments but for the first.
    private func installed(by script: String) async throws -> String {
        let run = try await home.crier.run(["-c", "cd '\(home.folder.path)'; \(script)"]) {
            $0.executableURL = URL(fileURLWithPath: "/bin/bash")
        }
        try #require(run.status == 0, "\(run.errors)")
        let lines = (home.folder.read("crontab") ?? "").split(separator: "\n")
        let minutes = try #require(home.minutes)
        let line = try #require(lines.first { $0.hasPrefix("\(minutes) * * * * ") })
        let command = try #require(line.firstRange(of: " ] || ")).upperBound
        return String(line[command...]).replacing(" fetch --scheduled --quiet", with: "")
            .replacing(" \(home.options)", with: "")
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

    /// As package managers write it; the shell finds it by `PATH`, and by a link.
    @Test(arguments: ["wrapped/crier", "PATH=$PWD/wrapped:$PATH; crier", "./profile"])
    func aScriptThatRunsItUnderItsOwnNameIsWhatIsInstalled(_ call: String) async throws {
        let binary = URL(fileURLWithPath: BuiltCrier.binary).resolvingSymlinksInPath().path
        try home.folder.write(
            "#!/bin/bash -e\nexport CRIER_A=b\nexec -a \"$0\" \"\(binary)\" \"$@\"\n", to: "wrapped/crier",
            isExecutable: true)
        try FileManager.default.createSymbolicLink(
            atPath: home.folder.file("profile"), withDestinationPath: "wrapped/crier")
        let name = call.hasSuffix("profile") ? "profile" : "wrapped/crier"
        #expect(try await installed(by: "\(call) install --cron") == home.folder.file(name))
    }

    @Test func aLineWhoseProgramIsGoneSaysNothing() async throws {
        _ = try await installed(by: "links/crier install --cron")
        let minutes = try #require(home.minutes)
        let line = try #require(home.folder.read("crontab")?.split(separator: "\n").first { $0.hasPrefix(minutes) })
        let command = String(line.dropFirst("\(minutes) * * * * ".count))
        let run = try await home.crier.run(shell: command)
        #expect(run.status == 66 && run.errors.contains("no configuration"), "\(run)")
        try FileManager.default.removeItem(atPath: home.folder.file("links/crier"))
        let quiet = try await home.crier.run(shell: command)
        #expect(quiet.status == 0 && quiet.output + quiet.errors == "", "\(quiet)")
        #expect(try await home.crier.run("install", "--cron").status == 0)
    }

    /// Cron and systemd give a process that of the account, and other files with it.
    @Test func filesWhereTheAccountsHomeHasThemAreNotNamed() async throws {
        let account = String(cString: try #require(getpwuid(geteuid())?.pointee.pw_dir))
        let run = try await home.crier.run(
            "install", "--cron", "--dry-run", "--config", "\(account)/.config/crier/crier.yaml", "--state",
            "\(account)/.local/state/crier/crier.sqlite")
        #expect(run.lines.first?.hasSuffix("|| \(BuiltCrier.binary) fetch --scheduled --quiet") == true, "\(run)")
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
