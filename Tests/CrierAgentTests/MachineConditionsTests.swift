import CrierFetch
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

@Suite("What the machine runs on, and what it is connected by")
struct MachineConditionsTests {
    /// Folders as the kernel has them.
    private func folder(_ supplies: [String: [String: String]]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, files) in supplies {
            for (file, text) in files { try folder.write(text + "\n", to: "\(name)/\(file)") }
        }
        return folder
    }

    @Test(
        "a battery that is used up while no plug gives power",
        arguments: [
            ("laptop on battery", ["AC": "Mains,0", "BAT0": "Battery,Discharging"], true),
            ("laptop at its plug", ["AC": "Mains,1", "BAT0": "Battery,Charging"], false),
            ("a plug that gives too little", ["ucsi": "USB,1", "BAT0": "Battery,Discharging"], false),
            ("an empty port", ["ucsi": "USB,0", "BAT0": "Battery,Full"], false),
            ("one of two batteries", ["BAT0": "Battery,Unknown", "BAT1": "Battery,Discharging"], true),
            ("no battery", ["AC": "Mains,0"], false),
            ("a computer behind a battery of its own", ["ups": "UPS,Discharging"], true),
            ("nothing is known", [:], false),
        ])
    func power(_ machine: (name: String, supplies: [String: String], isOnBattery: Bool)) throws {
        var supplies: [String: [String: String]] = [:]
        for (name, text) in machine.supplies {
            let parts = text.split(separator: ",").map(String.init)
            supplies[name] = [
                "type": parts[0], parts[0] == "Battery" || parts[0] == "UPS" ? "status" : "online": parts[1],
            ]
        }
        let folder = try folder(supplies)
        #expect(PowerSupply(folder: folder.path).isOnBattery == machine.isOnBattery, "\(machine.name)")
    }

    @Test func theBatteryOfAMouseIsNotTheMachines() throws {
        let files = ["type": "Battery", "scope": "Device", "status": "Discharging"]
        let folder = try folder(["mouse": files])
        #expect(!PowerSupply(folder: folder.path).isOnBattery)
        try folder.write("System\n", to: "mouse/scope")
        #expect(PowerSupply(folder: folder.path).isOnBattery, "this one is")
        #expect(!PowerSupply(folder: "/nowhere").isOnBattery)
    }

    @Test(
        "the answers of busctl, gdbus and dbus-send",
        arguments: [
            ("v u 1\n", true), ("v u 3\n", true), ("v u 0\n", false), ("v u 2\n", false), ("v u 4\n", false),
            ("(<uint32 1>,)\n", true), ("(<uint32 4>,)\n", false), ("(<uint32 13>,)\n", false),
            ("method return time=1.5 sender=:1.1 -> destination=:1.3\n   variant       uint32 3\n", true),
            ("", false), ("nonsense", false),
        ])
    func answers(_ answer: String, isMetered: Bool) {
        #expect(MeteredConnection.isMetered(answer: answer) == isMetered)
    }

    @Test func onlyWhatIsAskedForIsLookedAt() async throws {
        let folder = try folder(["BAT0": ["type": "Battery", "status": "Discharging"]])
        let conditions = MachineConditions.system(
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"], powerSupplies: folder.path)
        #expect(await conditions.unmet([.acPower, .unmetered]) == [.acPower])
        #expect(await conditions.unmet([.unmetered]).isEmpty, "nobody knows, so it is fine")
    }
}
