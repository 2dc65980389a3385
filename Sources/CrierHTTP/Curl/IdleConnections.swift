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
    /// The transfer that used each connection last and has not ended, by the connection's local port.
    private var users: [Int: ObjectIdentifier] = [:]
    private var sockets: [pollfd] = []
    /// The local ports of the sockets, in the same places: they tell whether a socket is still that connection's.
    private var ports: [Int] = []

    /// A request of a transfer is about to be sent.
    ///
    /// - Parameter port: From which; that of an attempt before is still the transfer's own.
    func take(_ port: Int, for transfer: CurlTransfer) {
        leave(transfer)
        users[port] = ObjectIdentifier(transfer)
        if let place = ports.firstIndex(of: port) { remove(at: place) }
    }

    /// Takes note of the connection of a transfer that has ended, if it is kept and no other has taken it already.
    func add(connectionOf transfer: CurlTransfer) {
        guard let port = transfer.localPort, users[port] == ObjectIdentifier(transfer) else { return }
        var descriptor = CURL_SOCKET_BAD
        guard CurlInfo(easy: transfer.easy).int(CURLINFO_HTTP_VERSION) <= Int(CURL_HTTP_VERSION_1_1),
            crier_easy_get_socket(transfer.easy, CURLINFO_ACTIVESOCKET, &descriptor) == CURLE_OK,
            descriptor != CURL_SOCKET_BAD
        else { return }
        // One that libcurl has closed meanwhile.
        if let place = sockets.firstIndex(where: { $0.fd == descriptor }) { remove(at: place) }
        sockets.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        ports.append(port)
    }

    /// The transfer is over, however it ended.
    func leave(_ transfer: CurlTransfer) {
        if let port = transfer.localPort, users[port] == ObjectIdentifier(transfer) { users[port] = nil }
    }

    /// Ends those on which something has arrived, so that libcurl finds them closed.
    func closeUnclean() {
        guard !sockets.isEmpty, poll(&sockets, nfds_t(sockets.count), 0) > 0 else { return }
        for place in sockets.indices.reversed() where sockets[place].revents != 0 {
            if Self.port(of: sockets[place].fd) == ports[place] { Self.close(sockets[place].fd) }
            remove(at: place)
        }
    }

    private func remove(at place: Int) {
        sockets.swapAt(place, sockets.count - 1)
        sockets.removeLast()
        ports.swapAt(place, ports.count - 1)
        ports.removeLast()
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
