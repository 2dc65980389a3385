import CCurl

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The HTTP/1 connections that libcurl keeps for later requests. Used on the curl thread only.
///
/// What arrives on one meanwhile belongs to the answer before: a body behind a 304, or more of one than its length says. libcurl
/// 7.88 would take it for the answer to the next request. HTTP/2 may speak at any time, and says to whom.
final class IdleConnections {
    /// The local port of each socket: it tells whether the socket is still that connection's.
    private var ports: [Int32: Int] = [:]

    /// Takes note of the connection of a transfer that has ended, if it is kept.
    ///
    /// - Parameter port: From which its request was sent.
    func add(connectionOf easy: UnsafeMutableRawPointer, from port: Int) {
        var descriptor = CURL_SOCKET_BAD
        guard CurlInfo(easy: easy).int(CURLINFO_HTTP_VERSION) <= Int(CURL_HTTP_VERSION_1_1),
            crier_easy_get_socket(easy, CURLINFO_ACTIVESOCKET, &descriptor) == CURLE_OK, descriptor != CURL_SOCKET_BAD
        else { return }
        ports[descriptor] = port
    }

    /// A request is about to be sent from a port.
    func remove(from port: Int) {
        if let descriptor = ports.first(where: { $0.value == port })?.key { ports[descriptor] = nil }
    }

    /// Ends those on which something has arrived, so that libcurl finds them closed.
    func closeUnclean() {
        guard !ports.isEmpty else { return }
        var polls = ports.keys.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&polls, nfds_t(polls.count), 0) > 0 else { return }
        for descriptor in polls.lazy.filter({ $0.revents != 0 }).map(\.fd) {
            if let port = ports.removeValue(forKey: descriptor), Self.port(of: descriptor) == port {
                Self.close(descriptor)
            }
        }
    }

    /// For both sides; the descriptor is libcurl's own.
    private static func close(_ descriptor: Int32) {
        shutdown(descriptor, Int32(SHUT_RDWR))
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            while recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
        }
    }

    /// Nil where it is no socket of the Internet any more.
    private static func port(of descriptor: Int32) -> Int? {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
        guard isKnown, [AF_INET, AF_INET6].contains(Int32(address.sin6_family)) else { return nil }
        // In the same place for both families.
        return Int(UInt16(bigEndian: address.sin6_port))
    }
}
