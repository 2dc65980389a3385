import Foundation

/// A system bus of its own for a test, on which something answers as NetworkManager does.
public struct FakeNetworkManager: Sendable {
    /// The environment of a program that is to find it.
    public let variables: [String: String]
    private let folder: TemporaryFolder

    /// Whether everything it takes is installed.
    public static let isPossible = {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon") else { return false }
        return FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/dbus")
            && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/gi")
    }()

    /// What NMMetered is from now on.
    public func become(metered: Int) throws { try folder.write("\(metered)", to: "metered") }

    /// Of a `dbus-daemon` that is a system bus at the socket `bus` in the folder, open to everybody.
    public static func configuration(in folder: TemporaryFolder) -> String {
        """
        <busconfig><type>system</type><listen>unix:path=\(folder.path)/bus</listen><auth>EXTERNAL</auth>
        <policy context="default"><allow user="*"/><allow own="*"/><allow send_type="*"/><allow receive_type="*"/></policy>
        </busconfig>
        """
    }

    /// Runs `body` while it answers.
    public static func run(
        metered: Int, in folder: TemporaryFolder, _ body: (FakeNetworkManager) async throws -> Void
    ) async throws {
        let configuration = try folder.write(Self.configuration(in: folder), to: "bus.conf")
        let script = try folder.write(
            """
            import dbus, dbus.service, sys
            from dbus.mainloop.glib import DBusGMainLoop
            from gi.repository import GLib
            DBusGMainLoop(set_as_default=True)
            bus = dbus.SystemBus()
            class Manager(dbus.service.Object):
                @dbus.service.method('org.freedesktop.DBus.Properties', in_signature='ss', out_signature='v')
                def Get(self, interface, name):
                    assert (interface, name) == ('org.freedesktop.NetworkManager', 'Metered')
                    return dbus.UInt32(int(open(sys.argv[1]).read()))
            owner = dbus.service.BusName('org.freedesktop.NetworkManager', bus)
            manager = Manager(bus, '/org/freedesktop/NetworkManager')
            print('ready', flush=True)
            GLib.MainLoop().run()
            """, to: "manager.py")
        let values = try folder.write("\(metered)", to: "metered")
        try await withProgram("dbus-daemon", ["--nofork", "--print-address", "--config-file", configuration]) { bus in
            _ = try await bus.firstLine()
            let variables = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/bus"]
            var own = variables
            own["PATH"] = ProcessInfo.processInfo.environment["PATH"]
            try await withProgram("/usr/bin/python3", [script, values], own) { manager in
                _ = try await manager.firstLine()
                try await body(FakeNetworkManager(variables: variables, folder: folder))
            }
        }
    }
}
