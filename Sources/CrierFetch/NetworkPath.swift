import Foundation

/// Whether this machine has a way to other networks at all.
public struct NetworkPath: Sendable {
    /// Whether there is a default route.
    public let isSatisfied: @Sendable () -> Bool

    public init(isSatisfied: @escaping @Sendable () -> Bool) {
        self.isSatisfied = isSatisfied
    }

    /// Asks the kernel's routing tables (`/proc/net/route`, `/proc/net/ipv6_route`); true where there are none to ask.
    public static let system = NetworkPath {
        guard let v4 = try? String(contentsOfFile: "/proc/net/route", encoding: .utf8) else { return true }
        // Interface, destination, gateway, flags…; a default route has the destination 0.
        let hasV4 = v4.split(separator: "\n").dropFirst().contains { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            return columns.count > 1 && columns[1] == "00000000"
        }
        if hasV4 { return true }
        let v6 = (try? String(contentsOfFile: "/proc/net/ipv6_route", encoding: .utf8)) ?? ""
        let zero = String(repeating: "0", count: 32)
        return v6.split(separator: "\n").contains { line in
            let columns = line.split(separator: " ")
            return columns.count > 9 && columns[0] == zero && columns[1] == "00" && columns[9] != "lo"
        }
    }
}
