import class Foundation.Thread

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The socket calls that a server needs.
enum LoopbackSocket {
    /// A listening socket on 127.0.0.1, and its port.
    static func listen() throws(OriginError) -> (descriptor: Int32, port: Int) {
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw failure("socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        #if canImport(Darwin)
            let isListening = isBound && Darwin.listen(descriptor, 1024) == 0
        #else
            let isListening = isBound && Glibc.listen(descriptor, 1024) == 0
        #endif
        guard isListening else {
            defer { close(descriptor) }
            throw failure("listen")
        }
        setNonblocking(descriptor)
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Serves the first who connects, on a thread of its own, and then nobody.
    ///
    /// - Parameter serve: Called with the connection, which is closed afterwards.
    /// - Returns: The port.
    static func serveFirst(
        as name: String, _ serve: @escaping @Sendable (_ client: Int32) -> Void
    ) throws(OriginError) -> Int {
        let (listener, port) = try listen()
        let thread = Thread {
            defer { close(listener) }
            var polled = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            poll(&polled, 1, -1)
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            defer { close(client) }
            serve(client)
        }
        thread.name = name
        thread.start()
        return port
    }

    static func setNonblocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// Both ends of a pipe, reading end first.
    static func makePipe() throws(OriginError) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw failure("pipe") }
        for end in ends { setNonblocking(end) }
        return (ends[0], ends[1])
    }

    /// Bytes sent, 0 when the socket is full, nil when the peer is gone.
    static func send(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int? {
        #if canImport(Darwin)
            let flags: Int32 = 0
            let count = bytes.withUnsafeBytes { Darwin.send(descriptor, $0.baseAddress, $0.count, flags) }
        #else
            let flags = Int32(MSG_NOSIGNAL)
            let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
        #endif
        return count >= 0 ? count : errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    private static func failure(_ call: String) -> OriginError {
        OriginError(description: "\(call): \(String(cString: strerror(errno)))")
    }
}
