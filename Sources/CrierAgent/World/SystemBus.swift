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

    /// No message of interest is longer, in bytes.
    private static let longest = 64 << 10

    let address: BusAddress

    init(environment: [String: String]) {
        address = BusAddress.ofSystem(environment: environment)
    }

    /// The first argument, a boolean, of each signal that comes. Ends where there is no bus, or when it goes.
    func booleans(of signal: Signal) -> AsyncStream<Bool> {
        guard let descriptor = address.connection() else { return DescriptorEvents.none() }
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
}
