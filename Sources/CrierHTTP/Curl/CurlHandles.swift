import CCurl

/// Easy handles, each used for one transfer after another; TLS sessions to resume stay with them. Used on the curl thread only.
struct CurlHandles {
    /// Ready for the next transfer.
    private var idle: [UnsafeMutableRawPointer] = []

    /// As many as a run has under way.
    private static let maximumIdle = 32

    mutating func take() throws(HTTPError) -> UnsafeMutableRawPointer {
        if let easy = idle.popLast() { return easy }
        guard let easy = curl_easy_init() else { throw HTTPError(.transfer, "libcurl has no memory") }
        if let failure = prepare(easy) {
            curl_easy_cleanup(easy)
            throw failure
        }
        return easy
    }

    /// - Parameter isUnchanged: Whether the transfer has left nothing in it but what points to itself; else all is set anew.
    mutating func giveBack(_ easy: UnsafeMutableRawPointer, isUnchanged: Bool) {
        let failure = isUnchanged ? forgetTransfer(easy) : reset(easy)
        guard failure == nil, idle.count < Self.maximumIdle else { return curl_easy_cleanup(easy) }
        idle.append(easy)
    }

    mutating func end() {
        for easy in idle { curl_easy_cleanup(easy) }
        idle = []
    }

    private func prepare(_ easy: UnsafeMutableRawPointer) -> HTTPError? {
        var options = CurlOptions(easy: easy)
        options.setConstants()
        return options.failure
    }

    private func forgetTransfer(_ easy: UnsafeMutableRawPointer) -> HTTPError? {
        var options = CurlOptions(easy: easy)
        options.forgetTransfer()
        return options.failure
    }

    private func reset(_ easy: UnsafeMutableRawPointer) -> HTTPError? {
        curl_easy_reset(easy)
        return prepare(easy)
    }
}
