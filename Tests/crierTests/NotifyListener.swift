import CrierTesting
import Foundation

/// The end of the service manager (sd_notify(3)): keeps what a process tells of itself.
final class NotifyListener {
    private let descriptor: Int32

    /// - Parameter path: Of the socket.
    init(_ path: String) throws {
        descriptor = try LocalSocket.bound(to: path, SOCK_DGRAM)
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

extension BuiltCrier {
    /// Has it tell what it is at, as systemd does.
    mutating func underServiceManager() throws -> NotifyListener {
        let path = folder.file("notify")
        environment["NOTIFY_SOCKET"] = path
        return try NotifyListener(path)
    }
}
