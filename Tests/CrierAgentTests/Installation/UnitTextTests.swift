import CrierFetch
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
            let path = Checkout.file("config/systemd/\(unit.name)")
            let command = (["%h/.local/bin/crier"] + unit.words).joined(separator: " ")
            let text = unit.text(command)
            if ProcessInfo.processInfo.environment["CRIER_UPDATE_GENERATED"] == "1" { try writeText(text, path) }
            #expect(try readText(path) == text)
            #expect(text.contains("\nExecStart=\(command)\n") == !unit.words.isEmpty)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: Checkout.file("config/systemd"))
        #expect(Set(files) == Set(Self.units.map(\.name)))
    }

    /// Names that units have to write otherwise, and every kind of time.
    private static func digests() throws -> [CrierAgent.Unit] {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        return try [
            ("morning", "mon..fri 08:30", berlin), ("早报", "Sat *-*-1..7 18:00", .gmt),
            ("a@b%h$x;(é)", "fri..mon *:5/60", berlin),
            ("zoned", "*-*~1 20:00 Asia/Shanghai", berlin), (String(repeating: "报", count: 64), "weekly", berlin),
        ].flatMap { name, at, zone in
            InstalledDigest(Digest(name: name, at: try CalendarExpression(at), timeZone: zone)).units
        }
    }

    @Test func aDigestsTimerHasItsTimeAndZone() throws {
        let units = try Self.digests()
        #expect(units[0].name == "crier-digest-morning.service" && units[1].name == "crier-digest-morning.timer")
        #expect(units[1].text("").contains("\nOnCalendar=mon,tue,wed,thu,fri *-*-* 8:30:0 Europe/Berlin\n"))
        #expect(units[1].text("").contains("\nPersistent=true\n"))
        #expect(units[3].name == #"crier-digest-\xe6\x97\xa9\xe6\x8a\xa5.timer"#)
        #expect(units[3].text("").contains("\nOnCalendar=sat *-*-1..7 18:0:0 UTC\n"))
        #expect(units[7].text("").contains("\nOnCalendar=*-*~1 20:0:0 Asia/Shanghai\n"))
        #expect(units.allSatisfy { $0.name.utf8.count < 256 } && Set(units.map(\.name)).count == 10)
        #expect(units[4].text("").contains("Description=Crier: the digest a@b%%h$x;(é)\n"))
    }

    @Test(arguments: [
        ("08:30", "Europe/Berlin", "30"), ("*-*-* 07:10,40", "Asia/Kathmandu", "25,55"), ("*:0/5", "UTC", "*/5"),
        ("2020-01-01", "UTC", "0"), ("02:30", "Australia/Lord_Howe", "0,30"),
        // At the next minute where it is due within one.
        ("08:30:45", "UTC", "31"), ("08:59:01", "UTC", "0"), ("*:00:*", "UTC", "0,1"),
    ])
    func cronLooksAtTheMinutesAtWhichADigestCanBeDue(_ at: String, _ zone: String, _ minutes: String) throws {
        let digest = Digest(
            name: "d", at: try CalendarExpression(at), timeZone: try #require(TimeZone(identifier: zone)))
        let start = try Date("2026-11-21T00:00:00Z", strategy: .iso8601)
        #expect(InstalledDigest(digest, machineZone: .gmt, from: start).minutes == minutes)
    }

    @Test(arguments: [
        ("02:30", "Europe/Berlin", ["*-*-* 2:30:0 Europe/Berlin", "Sun *-*-* 03:00:00 Europe/Berlin"]),
        ("03:30", "Europe/Berlin", ["*-*-* 3:30:0 Europe/Berlin"]),
        ("Mon 02:30", "Europe/Berlin", ["mon *-*-* 2:30:0 Europe/Berlin"]),
        ("daily", "Africa/Cairo", ["*-*-* 0:0:0 Africa/Cairo", "Fri *-*-* 01:00:00 Africa/Cairo"]),
        (
            "02:15 Australia/Lord_Howe", "UTC",
            ["*-*-* 2:15:0 Australia/Lord_Howe", "Sun *-*-* 02:30:00 Australia/Lord_Howe"]
        ),
        ("02:30", "UTC", ["*-*-* 2:30:0 UTC"]), (" fri..mon  2/24:5/60 ", "UTC", ["mon,fri,sat,sun *-*-* 2:5:0 UTC"]),
        ("*-*-15/30 *:0/20", "UTC", ["*-*-15 *:0/20:0 UTC"]), ("*-*~15/30 9:00", "UTC", ["*-*~15 9:0:0 UTC"]),
        ("Mon *-*~8..14 08:00", "UTC", ["mon *-*~8..14 8:0:0 UTC"]), ("*-*~28/7 8:00", "UTC", ["*-*~28/7 8:0:0 UTC"]),
        ("*-*~7/7 8..16/4:00", "UTC", ["*-*~7 8..16/4:0:0 UTC"]),
        ("2027..2040-1,5-3 8:00", "UTC", ["2027..2040-1,5-3 8:0:0 UTC"]),
    ])
    func aTimerComesAlsoAtTheEndOfWhatTheClocksLeaveOut(_ at: String, _ zone: String, _ calendars: [String]) throws {
        let digest = Digest(
            name: "d", at: try CalendarExpression(at), timeZone: try #require(TimeZone(identifier: zone)))
        let start = try Date("2026-11-21T00:00:00Z", strategy: .iso8601)
        let installed = InstalledDigest(digest, machineZone: .gmt, from: start)
        #expect(installed.calendars == calendars)
        let lines = installed.units[1].text("").split(separator: "\n").filter { $0.hasPrefix("OnCalendar=") }
        #expect(lines.map { $0.dropFirst(11) } == calendars.map { $0[...] })
    }

    private static let analyzer = ProgramPath.of("systemd-analyze", environment: ProcessInfo.processInfo.environment)

    @Test(.enabled(if: analyzer != nil, "systemd-analyze is not installed: the units are not verified"))
    func systemdUnderstandsThem() async throws {
        let folder = try TemporaryFolder()
        // The binary has to be there, also at a path that needs every escape.
        let binary = try folder.write("#!/bin/sh\n", to: "50% of $HOME/crier", isExecutable: true)
        let command = InstalledCommand(binary: binary, options: ["--config", "/a b/\"c\"\\%h$HOME.yaml"])
        var paths: [String] = []
        for unit in Self.units + (try Self.digests()) {
            paths.append(try folder.write(unit.text(try command.unitText(unit.words)), to: unit.name))
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
        let readme = try Checkout.read("README.md")
        #expect(readme.contains("`systemd-analyze security --user` says about 5 "))
        let analyzer = try #require(Self.analyzer)
        for unit in Self.units where unit.name.hasSuffix(".service") {
            let path = Checkout.file("config/systemd/\(unit.name)")
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
        let usual = LaunchAgent.text(InstalledCommand(binary: "/usr/local/bin/crier"))
        #expect(try Checkout.read("config/launchd/io.github.crier.agent.plist") == usual)
        let command = InstalledCommand(binary: "/a <b> & c/crier", options: ["--config", "/d"])
        let data = Data(Seal.markup.sealed(LaunchAgent.text(command)).utf8)
        let list = try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        #expect(list["Label"] as? String == "io.github.crier.agent")
        #expect(list["ProgramArguments"] as? [String] == ["/a <b> & c/crier", "agent", "--config", "/d"])
        #expect(list["RunAtLoad"] as? Bool == true)
        #expect((list["KeepAlive"] as? [String: Bool]) == ["SuccessfulExit": false])
    }
}
