import CCurl

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension CurlOptions {
    /// Sets the functions that libcurl calls. They are C functions: a context leads them to the transfer.
    mutating func setFunctions() {
        check(crier_easy_set_header_function(easy, receiveHeader, nil), CURLOPT_HEADERFUNCTION)
        check(crier_easy_set_body_function(easy, receiveBody, nil), CURLOPT_WRITEFUNCTION)
        // The one way to see a compressed body before libcurl has unpacked it. It is called from the end of the header on.
        check(crier_easy_set_debug_function(easy, receiveWire, nil), CURLOPT_DEBUGFUNCTION)
        // The one place to end a transfer whose bytes reach no other function, such as endless chunk extensions.
        check(crier_easy_set_progress_function(easy, goOn, nil), CURLOPT_XFERINFOFUNCTION)
        // The first sees each address before it is connected to, the second a connection that is used again.
        check(crier_easy_set_socket_function(easy, openSocket, nil), CURLOPT_OPENSOCKETFUNCTION)
        check(crier_easy_set_prerequest_function(easy, beginAttempt, nil), CURLOPT_PREREQFUNCTION)
    }

    /// - Parameter context: Of the transfer that is about to begin; nil when it is over.
    mutating func setContext(_ context: UnsafeMutableRawPointer?) {
        for option in Self.contexts { check(crier_easy_set_pointer(easy, option, context), option) }
    }

    private static let contexts = [
        CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_DEBUGDATA, CURLOPT_XFERINFODATA, CURLOPT_OPENSOCKETDATA,
        CURLOPT_PREREQDATA,
    ]
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private let receiveHeader: curl_write_callback = { bytes, size, count, context in
    let isTaken = transfer(context)?.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? false
    return isTaken ? size * count : Int(CURL_WRITEFUNC_ERROR)
}

private let receiveBody: curl_write_callback = { bytes, size, count, context in
    let isTaken = transfer(context)?.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? false
    return isTaken ? size * count : Int(CURL_WRITEFUNC_ERROR)
}

private let receiveWire: curl_debug_callback = { _, kind, bytes, count, context in
    if kind == CURLINFO_DATA_IN { transfer(context)?.receiveWire(UnsafeRawBufferPointer(start: bytes, count: count)) }
    return 0
}

private let goOn: curl_xferinfo_callback = { context, _, _, _, _ in
    transfer(context)?.isAtItsEnd ?? true ? 1 : 0
}

private let openSocket: curl_opensocket_callback = { context, _, address in
    guard let address, let transfer = transfer(context) else { return CURL_SOCKET_BAD }
    guard transfer.mayVisit(withUnsafePointer(to: &address.pointee.addr) { NetworkAddress($0) }) else {
        return CURL_SOCKET_BAD
    }
    let (family, kind, wireProtocol) = (address.pointee.family, address.pointee.socktype, address.pointee.protocol)
    let descriptor = socket(family, kind, wireProtocol)
    // No program that is started meanwhile is to hold the connection open.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
}

private let beginAttempt: curl_prereq_callback = { context, peer, _, _, port in
    let mayVisit = transfer(context)?.beginAttempt(
        from: Int(port), at: peer.flatMap { NetworkAddress(String(cString: $0)) })
    return mayVisit ?? false ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}
