import CrierProcess
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

@Suite("The units of config/systemd are those that are installed, and systemd understands them")
struct UnitTextTests {
    private static let units = Installation.Way.allCases.flatMap(\.units)

    @Test func theFilesAreTheInstalledTexts() throws {
        for unit in Self.units {
            let path = "\(packageFolder)/config/systemd/\(unit.name)"
            if ProcessInfo.processInfo.environment["CRIER_UPDATE_GENERATED"] == "1" { try writeText(unit.text, path) }
            #expect(try readText(path) == unit.text)
            if !unit.words.isEmpty {
                #expect(unit.text.components(separatedBy: UnitText.binary + unit.arguments + "\n").count == 2)
            }
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(packageFolder)/config/systemd")
        #expect(Set(files) == Set(Self.units.map(\.name)))
    }

    private static let analyzer = ProgramPath.of("systemd-analyze", environment: ProcessInfo.processInfo.environment)

    @Test(.enabled(if: analyzer != nil, "systemd-analyze is not installed: the units are not verified"))
    func systemdUnderstandsThem() async throws {
        let folder = try TemporaryFolder()
        // The binary has to be there, also at a path that needs every escape.
        let binary = try folder.write("#!/bin/sh\n", to: "50% of $HOME/crier", isExecutable: true)
        let command = InstalledCommand(binary: binary, options: ["--config", "/a b/\"c\"\\%h$HOME.yaml"])
        var paths: [String] = []
        for unit in Self.units {
            let text = unit.text.replacing(UnitText.binary + unit.arguments, with: try command.unitText(unit.words))
            paths.append(try folder.write(text, to: unit.name))
        }
        var variables = ProcessInfo.processInfo.environment
        variables["XDG_RUNTIME_DIR"] = folder.path
        let analyzer = try #require(Self.analyzer)
        let verdict = try await BoundedProgram([analyzer, "--user", "verify"] + paths, variables: variables)
            .run(limit: .seconds(60))
        #expect(verdict.exitCode == 0)
        #expect(verdict.outputText + verdict.errorText == "")
    }

    @Test(.enabled(if: analyzer != nil, "systemd-analyze is not installed: the hardening is not measured"))
    func theHardeningIsAsTheReadmeSays() async throws {
        let readme = try readText("\(packageFolder)/README.md")
        #expect(readme.contains("`systemd-analyze security --user` says 5.1"))
        let analyzer = try #require(Self.analyzer)
        for unit in Self.units where unit.name.hasSuffix(".service") {
            let path = "\(packageFolder)/config/systemd/\(unit.name)"
            let folder = try TemporaryFolder()
            var variables = ProcessInfo.processInfo.environment
            variables["XDG_RUNTIME_DIR"] = folder.path
            let verdict = try await BoundedProgram(
                [analyzer, "--user", "--offline=true", "--threshold=51", "security", path], variables: variables
            ).run(limit: .seconds(60))
            #expect(verdict.exitCode == 0, "more exposed than 5.1: \(verdict.outputText.suffix(200))")
        }
    }

    @Test func thePropertyListIsOneThatLaunchdReads() throws {
        let data = try Data(
            contentsOf: URL(fileURLWithPath: "\(packageFolder)/config/launchd/io.github.crier.agent.plist"))
        let list = try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        #expect(list["Label"] as? String == "io.github.crier.agent")
        #expect((list["ProgramArguments"] as? [String])?.last == "agent")
        #expect(list["RunAtLoad"] as? Bool == true)
        #expect((list["KeepAlive"] as? [String: Bool]) == ["SuccessfulExit": false])
    }
}
