import Foundation

/// The end of the service manager (sd_notify(3)): keeps what a process tells of itself.
final class NotifyListener {
    private let descriptor: Int32

    /// - Parameter path: Of the socket.
    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL) }
        // A process that tells nothing ends the test, not only its time limit.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Waits for the next datagram that begins so; nil where none comes.
    func next(_ beginning: String) -> String? {
        while let text = receive(0) { if text.hasPrefix(beginning) { return text } }
        return nil
    }

    /// Those that have come.
    func all() -> [String] {
        var texts: [String] = []
        while let text = receive(Int32(MSG_DONTWAIT)) { texts.append(text) }
        return texts
    }

    private func receive(_ flags: Int32) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, flags)
        return count <= 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
