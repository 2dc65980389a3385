import Foundation

/// Where the machine's power comes from, as the kernel says (Documentation/ABI/testing/sysfs-class-power).
struct PowerSupply: Sendable {
    /// One folder for each battery and each plug.
    static let folder = "/sys/class/power_supply"

    var folder = Self.folder

    /// Whether a battery is being used up, and no plug gives power; false also where nothing is known.
    var isOnBattery: Bool {
        var isDischarging = false
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            // The battery of a mouse or a headset says nothing of the machine.
            if text(name, "scope") == "Device" { continue }
            switch text(name, "type") {
            case "Mains", "USB", "Wireless": if text(name, "online") == "1" { return false }
            case "Battery", "UPS": if text(name, "status") == "Discharging" { isDischarging = true }
            default: continue
            }
        }
        return isDischarging
    }

    private func text(_ supply: String, _ file: String) -> String? {
        let text = try? String(contentsOfFile: "\(folder)/\(supply)/\(file)", encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
