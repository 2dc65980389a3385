import Foundation
import Synchronization

/// The zone of a machine whose /etc/localtime is a copy and no link, as containers have it. The link is all that tells Foundation
/// the zone's name: without it Asia/Shanghai, by its abbreviation, is taken for America/Chicago.
public enum MachineZone {
    static let localTime = "/etc/localtime"
    private static let isAdopted = Mutex(false)

    /// Has `TZ` name the machine's zone where nothing else does. To be called again when that may have changed.
    ///
    /// - Parameter isAlone: Whether no other thread has begun. A variable that is added moves the others, which another may be reading;
    ///   one that is changed does not.
    public static func adopt(isAlone: Bool) {
        guard isAlone ? getenv("TZ") == nil && !isLink(localTime) : isAdopted.withLock({ $0 }) else { return }
        guard let name = name(of: localTime) else { return }
        setenv("TZ", name, 1)
        isAdopted.withLock { $0 = true }
    }

    /// Whether the machine has a zone of which nobody knows the name.
    static var isNameless: Bool {
        FileManager.default.fileExists(atPath: localTime) && name(of: localTime) == nil
    }

    /// Whether a file is a link that names a zone.
    static func isLink(_ path: String) -> Bool {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { target in
            let count = readlink(path, target.baseAddress!, Int(PATH_MAX))
            guard count > 0 else { return false }
            target[count] = 0
            return strstr(target.baseAddress!, "/zoneinfo/") != nil
        }
    }

    /// The zone of a file, by what it holds or where it leads; nil where none is known.
    ///
    /// - Parameters:
    ///   - note: Where Debian says its name, which may be out of date.
    ///   - zones: The folder of all.
    static func name(
        of path: String, note: String = "/etc/timezone", zones: String = "/usr/share/zoneinfo"
    ) -> String? {
        let files = FileManager.default
        if isLink(path), let target = try? files.destinationOfSymbolicLink(atPath: path),
            let folder = target.range(of: "/zoneinfo/")
        {
            return String(target[folder.upperBound...])
        }
        guard let rules = files.contents(atPath: path), !rules.isEmpty else { return nil }
        func lines(_ path: String) -> [Substring] {
            String(decoding: files.contents(atPath: path) ?? Data(), as: UTF8.self).split(separator: "\n")
        }
        func isIt(_ name: String) -> Bool { files.contents(atPath: "\(zones)/\(name)") == rules }
        // No country has UTC. Those that have had one time since 1970 are one in the first table.
        let names = lines(note).prefix(1).map(String.init) + ["UTC"]
        let columns = ["zone1970.tab", "zone.tab"].flatMap { lines("\(zones)/\($0)") }.filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t") }
        return (names + columns.filter { $0.count > 2 }.map { String($0[2]) }).first(where: isIt)
    }
}
