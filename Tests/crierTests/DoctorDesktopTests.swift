import CrierTesting
import Foundation
import Testing

/// What the doctor says of the session bus and of what shows notifications there.
@Suite struct DoctorDesktopTests: DoctorSuite {
    @Test func withoutABusTheDesktopWaits() async throws {
        let crier = try machine(Self.desktopConfig, ["notify-send": "exit 0"])
        let run = try await crier.run("doctor", "--format", "json")
        #expect(run.status == 0)
        #expect(findings(run, "session bus").first?["verdict"] as? String == "warn")
        #expect(findings(run, "programs").first?["verdict"] as? String == "ok")
    }

    @Test(.enabled(if: FakeNetworkManager.isPossible, "dbus-daemon is not installed"))
    func aBusThatWasKilledIsNotTakenForOne() async throws {
        var crier = try BuiltCrier(Self.desktopConfig)
        crier.environment["HOME"] = crier.folder.path
        crier.environment["XDG_RUNTIME_DIR"] = crier.folder.path
        let bus = ChildProcess()
        bus.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
        let address = "unix:path=\(crier.folder.file("bus"))"
        bus.arguments = ["--session", "--nofork", "--nopidfile", "--print-address", "--address=\(address)"]
        let output = Pipe()
        bus.standardOutput = output
        async let ended: Void = bus.runToEnd()
        _ = try await withTaskExecutorPreference(OwnThreads.shared) { () async throws in
            try output.fileHandleForReading.read(upToCount: 1)
        }
        crier.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:abstract=/tmp/dbus-\(UUID())"
        let alive = findings(try await crier.run("doctor", "--format", "json"), "session bus")
        #expect(alive.map { $0["words"] as? String } == [address])
        #expect(alive.first?["verdict"] as? String == "ok")
        kill(bus.processIdentifier, SIGKILL)
        try await ended
        crier.environment["DBUS_SESSION_BUS_ADDRESS"] = nil
        let run = try await crier.run("doctor", "--format", "json")
        let finding = try #require(findings(run, "session bus").first)
        #expect(finding["verdict"] as? String == "warn")
        #expect((finding["words"] as? String)?.hasPrefix("\(address) cannot be reached: ") == true)
        #expect((finding["remedy"] as? String)?.hasPrefix("log in to a desktop anew; ") == true)
        #expect(findings(run, "notification daemon").isEmpty)
    }

    @Test(
        "daemons that show nothing for now",
        arguments: [
            ("mako", "makoctl", "echo default; echo do-not-disturb", "makoctl mode -r do-not-disturb"),
            ("SwayNotificationCenter", "swaync-client", "echo true", "swaync-client --dnd-off"),
            (
                "Xfce Notify Daemon", "xfconf-query", "echo true",
                "xfconf-query -c xfce4-notifyd -p /do-not-disturb -s false"
            ),
            (
                "gnome-shell", "gsettings", "echo false",
                "gsettings set org.gnome.desktop.notifications show-banners true"
            ),
            ("Plasma", "", "v b true", "switch it off in the settings of Plasma"),
        ])
    func disturbance(_ daemon: (name: String, program: String, script: String, remedy: String)) async throws {
        let inhibited = daemon.program.isEmpty ? daemon.script : ""
        var programs = [
            "notify-send": "exit 0",
            "busctl":
                "case $* in *ServerInformation) echo 'ssss \"\(daemon.name)\" \"x\" \"1\" \"1.2\"';; "
                + "*Capabilities) echo 'as 1 \"body\"';; *Inhibited) echo '\(inhibited)';; esac",
        ]
        if !daemon.program.isEmpty { programs[daemon.program] = daemon.script }
        var crier = try machine(Self.desktopConfig, programs)
        crier.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:abstract=/nowhere"
        let run = try await crier.run("doctor", "--format", "json")
        #expect(findings(run, "notification daemon").first?["words"] as? String == "\(daemon.name): body")
        let finding = try #require(findings(run, "do not disturb").first)
        #expect(finding["verdict"] as? String == "warn")
        #expect(finding["remedy"] as? String == daemon.remedy)
    }

    @Test func aDaemonThatShowsWhatItGetsIsWell() async throws {
        var crier = try machine(
            Self.desktopConfig,
            [
                "notify-send": "exit 0",
                "busctl":
                    "case $* in *ServerInformation) echo 'ssss \"Plasma\" \"x\" \"1\" \"1.2\"';; "
                    + "*Capabilities) echo 'as 1 \"body\"';; *Inhibited) echo 'v b false';; esac",
            ])
        crier.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:abstract=/nowhere"
        #expect(try await verdicts(crier, "do not disturb") == ["ok"])
    }

    @Test(.enabled(if: DesktopSession.isPossible, "a desktop cannot be started here"))
    func aRealDaemonIsAskedAlsoWhetherItIsPaused() async throws {
        var crier = try BuiltCrier(Self.desktopConfig)
        crier.environment["HOME"] = crier.folder.path
        _ = try await DesktopSession.run(in: crier.folder) { session in
            crier.environment.merge(session.variables) { $1 }
            let run = try await crier.run("doctor", "--format", "json")
            #expect(findings(run, "session bus").first?["verdict"] as? String == "ok")
            let daemon = try #require(findings(run, "notification daemon").first)
            #expect(daemon["verdict"] as? String == "ok")
            #expect((daemon["words"] as? String)?.hasPrefix("dunst: ") == true)
            #expect((daemon["words"] as? String)?.contains("body-markup") == true)
            #expect(findings(run, "do not disturb").first?["verdict"] as? String == "ok")
            let pause = ChildProcess()
            pause.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            pause.arguments = ["dunstctl", "set-paused", "true"]
            pause.environment = session.variables
            try await pause.runToEnd()
            let paused = try await crier.run("doctor", "--format", "json")
            #expect(findings(paused, "do not disturb").first?["verdict"] as? String == "warn")
        }
    }
}
