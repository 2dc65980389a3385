import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

@Suite("Commands are read as they were written")
struct InstalledCommandTests {
    private let paths = ["/opt/crier", "/a b/crier", "/50%/crier", "/100% of $HOME/%h/crier", "/早报/crier"]

    @Test func theProgramOfAUnit() throws {
        for path in paths {
            let command = InstalledCommand(binary: path, options: ["--config", "/a \"b\""])
            let unit = "[Service]\nExecStart=\(try command.unitText(["agent"]))\nRestart=no\n"
            #expect(InstalledCommand.program(inUnit: unit, home: "/h") == path)
        }
        for unit in Installation.Way.allCases.flatMap(\.units) where !unit.words.isEmpty {
            let text = unit.text("%h/.local/bin/crier agent")
            #expect(InstalledCommand.program(inUnit: text, home: "/50%") == "/50%/.local/bin/crier")
        }
    }

    @Test(arguments: [
        "", "ExecStart=\n", "ExecStart=crier agent\n", "ExecStart=-/opt/crier agent\n",
        "ExecStart=/opt/%u/crier agent\n", "ExecStart=\"/opt/crier\" agent\n", "ExecStart=/opt/cri\\x65r agent\n",
        "#ExecStart=/opt/crier\n",
    ])
    func whatTheUserWroteOtherwiseIsNotGuessed(_ unit: String) {
        #expect(InstalledCommand.program(inUnit: unit, home: "/h") == nil)
    }

    @Test func whatAnEarlierVersionWroteIsWrittenAnew() throws {
        let fetch = "/opt/crier fetch --scheduled --quiet"
        let visits = "7-59/10 * * * * [ ! -x /opt/crier ] || \(fetch)"
        #expect(CrontabBlock.renewed("*/10 * * * * \(fetch)", minute: 7) == visits)
        #expect(CrontabBlock.renewed("*/10 * * * * [ ! -x /opt/crier ] || \(fetch)", minute: 7) == visits)
        let digest = "'/a b/crier' digest m --quiet"
        let issues = "*/10 * * * * [ ! -x '/a b/crier' ] || \(digest)"
        #expect(CrontabBlock.renewed("*/10 * * * * \(digest)", minute: 7) == issues)
        for line in [visits, issues] { #expect(CrontabBlock.renewed(line, minute: 7) == line) }
    }

    @Test func theProgramOfACrontabLine() throws {
        for path in paths + ["/it's/crier", "/a\\ b/'/crier"] {
            let text = try InstalledCommand(binary: path).cronText(["fetch", "--quiet"])
            let line = CrontabBlock.fetchLine(text, minute: 7)
            let command = CrontabBlock.command(of: line)
            #expect(InstalledCommand.program(ofCron: command.program) == path)
            #expect(command.arguments == "fetch --quiet")
        }
        for word in ["", "'", "crier", "$HOME/crier", "/home/$USER/crier", "\"/opt/crier\"", "/a\\ b/crier"] {
            #expect(InstalledCommand.program(ofCron: Substring(word)) == nil)
        }
        // What the user wrote among them.
        for (line, program, arguments) in [
            ("@hourly /opt/crier fetch --quiet", "/opt/crier", "fetch --quiet"),
            ("@reboot /opt/crier", "/opt/crier", ""),
            ("MAILTO=me", "", ""), ("", "", ""),
        ] {
            let command = CrontabBlock.command(of: line)
            #expect(command.program == program && command.arguments == arguments, "\(line)")
        }
    }

    @Test func theProgramOfAPropertyList() {
        for path in paths + ["/a <b> &amp; c/crier"] {
            #expect(LaunchAgent.program(in: LaunchAgent.text(InstalledCommand(binary: path))) == path)
        }
        #expect(LaunchAgent.program(in: "<plist/>") == nil)
    }

    @Test func aDotDotBehindALinkLeadsOutOfItsTarget() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "real/sub/file")
        for (link, target) in [("link", "real/sub"), ("real/other", "sub")] {
            try FileManager.default.createSymbolicLink(atPath: folder.file(link), withDestinationPath: target)
        }
        let real = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
        #expect(InstalledPath.absolute(folder.file("link/file")) == folder.file("link/file"))
        #expect(InstalledPath.absolute(folder.file("link/../other/none")) == "\(real)/real/other/none")
        #expect(InstalledPath.absolute(folder.file("./link//./none/")) == folder.file("link/none"))
        let working = FileManager.default.currentDirectoryPath
        #expect(InstalledPath.absolute("~/a") == "\(working)/~/a")
        #expect(InstalledPath.absolute("/../..//a") == "/a")
        #expect(InstalledPath.absolute("/") == "/")
    }
}
