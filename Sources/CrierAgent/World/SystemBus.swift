import CrierHashing
import CrierProcess
import Foundation

/// Listens on the system bus to one signal. One descriptor and no process: the tools that make calls (``BusCall``) would have to
/// stay, each with a wake-up for every line.
///
/// D-Bus Specification 0.43, "Authentication Protocol" and "Message Format".
struct SystemBus: Sendable {
    /// Before the machine sleeps logind says true, and false when it is awake again (org.freedesktop.login1(5)).
    static let prepareForSleep = Signal(
        sender: "org.freedesktop.login1", path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager",
        member: "PrepareForSleep")

    /// What is asked for; the bus sends nothing else but answers.
    struct Signal: Sendable {
        let sender: String
        let path: String
        let interface: String
        let member: String

        fileprivate var rule: String {
            "type='signal',sender='\(sender)',path='\(path)',interface='\(interface)',member='\(member)'"
        }
    }

    private static let usual = "/run/dbus/system_bus_socket"
    /// No message of interest is longer, in bytes.
    private static let longest = 64 << 10

    /// Of its socket; nil where the address is of another kind.
    let path: String?

    init(environment: [String: String]) {
        guard let address = environment["DBUS_SYSTEM_BUS_ADDRESS"] else {
            path = Self.usual
            return
        }
        path =
            address.split(separator: ";").lazy.compactMap { part in
                part.hasPrefix("unix:path=") ? String(part.dropFirst("unix:path=".count).prefix { $0 != "," }) : nil
            }.first
    }

    /// The first argument, a boolean, of each signal that comes. Ends where there is no bus, or when it goes.
    func booleans(of signal: Signal) -> AsyncStream<Bool> {
        guard let path, let descriptor = Self.connected(to: path) else { return DescriptorEvents.none() }
        var bytes = Array("\0AUTH EXTERNAL \("\(geteuid())".utf8.hexadecimal)\r\nBEGIN\r\n".utf8)
        bytes += BusMessage.call("Hello", serial: 1) + BusMessage.call("AddMatch", serial: 2, argument: signal.rule)
        guard Self.hasSent(bytes, to: descriptor) else {
            close(descriptor)
            return DescriptorEvents.none()
        }
        nonisolated(unsafe) var rest: [UInt8] = []  // of one queue
        nonisolated(unsafe) var isGreeted = false
        return DescriptorEvents.stream(of: descriptor) { descriptor in
            let before = rest.count
            DescriptorEvents.drain(descriptor) { rest += $0 }
            guard rest.count > before, rest.count <= Self.longest else { throw DescriptorEvents.End() }
            if !isGreeted {
                guard let end = rest.firstIndex(of: 0x0a) else { return nil }
                guard rest.starts(with: "OK ".utf8) else { throw DescriptorEvents.End() }
                rest.removeFirst(end + 1)
                isGreeted = true
            }
            var last: Bool?
            while let message = BusMessage(first: &rest) {
                if message.isSignal(signal.member), let value = message.boolean { last = value }
            }
            return last
        }
    }

    /// A bus that has hung up, as one that takes no more connections does, is no signal to this process.
    static func hasSent(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        #if os(Linux)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        return send(descriptor, bytes, bytes.count, flags) == bytes.count
    }

    private static func connected(to path: String) -> Int32? {
        #if os(Linux)
            guard let address = LocalAddress(Array(path.utf8)) else { return nil }
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let descriptor = socket(AF_UNIX, kind, 0)
            guard descriptor >= 0 else { return nil }
            let status = address.pass { connect(descriptor, $0, $1) }
            if status == 0 { return descriptor }
            close(descriptor)
        #endif
        return nil
    }
}
