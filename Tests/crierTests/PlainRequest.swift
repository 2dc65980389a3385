import Foundation

/// One request over a plain socket, as a scraper makes it.
enum PlainRequest {
    struct Answer {
        /// The status line and the fields.
        let head: String
        let body: String
    }

    static func get(_ path: String, socket file: String) throws -> Answer { try send("GET \(path)", socket: file) }

    static func post(_ path: String, _ body: String, socket file: String) throws -> Answer {
        try send("POST \(path)", body, socket: file)
    }

    /// Waits for no answer.
    static func post(_ path: String, _ body: String, hangingUpAt file: String) throws {
        close(try request("POST \(path)", body, AF_UNIX, address(of: file)))
    }

    private static func send(_ line: String, _ body: String = "", socket file: String) throws -> Answer {
        try send(line, body, AF_UNIX, address(of: file))
    }

    private static func address(of file: String) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: file.utf8) }
        return address
    }

    /// - Parameter host: As it stands in the field; nil is none.
    static func get(_ path: String, port: Int, host: String? = "localhost") throws -> Answer {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return try send("GET \(path)", "", AF_INET, address, host: host)
    }

    /// Sends a request. Returns the descriptor to read the answer from.
    private static func request<Address>(
        _ line: String, _ body: String, _ family: Int32, _ address: Address, host: String? = "localhost"
    ) throws -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        let version = host.map { "HTTP/1.1\r\nHost: \($0)" } ?? "HTTP/1.0"
        let fields = "Connection: close\r\nContent-Length: \(body.utf8.count)"
        let request = Array("\(line) \(version)\r\n\(fields)\r\n\r\n\(body)".utf8)
        guard status == 0, Foundation.send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
        else {
            let code = POSIXErrorCode(rawValue: errno) ?? .EIO
            close(descriptor)
            throw POSIXError(code)
        }
        return descriptor
    }

    private static func send<Address>(
        _ line: String, _ body: String, _ family: Int32, _ address: Address, host: String? = "localhost"
    ) throws -> Answer {
        let descriptor = try request(line, body, family, address, host: host)
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 8192)
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 { bytes += buffer.prefix(count) }
        let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n\r\n")
        return Answer(head: parts[0], body: parts.dropFirst().joined(separator: "\r\n\r\n"))
    }
}
