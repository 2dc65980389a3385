import CCurl

/// Easy handles, each used for one transfer after another; TLS sessions to resume stay with them. Used on the curl thread only.
struct CurlHandles {
    private let trust: TrustStore
    /// Ready for the next transfer.
    private var idle: [UnsafeMutableRawPointer] = []

    /// As many as a run has under way.
    private static let maximumIdle = 32

    init(trust: TrustStore) {
        self.trust = trust
    }

    mutating func take() throws(HTTPError) -> UnsafeMutableRawPointer {
        if let easy = idle.popLast() { return easy }
        guard let easy = curl_easy_init() else { throw HTTPError(.transfer, "libcurl has no memory") }
        if let failure = prepare(easy) {
            curl_easy_cleanup(easy)
            throw failure
        }
        return easy
    }

    /// - Parameter hop: The last that it was used for: what it had of its own is forgotten.
    mutating func giveBack(_ easy: UnsafeMutableRawPointer, after hop: CurlHop) {
        guard idle.count < Self.maximumIdle, clear(easy, after: hop) == nil else { return curl_easy_cleanup(easy) }
        idle.append(easy)
    }

    mutating func end() {
        for easy in idle { curl_easy_cleanup(easy) }
        idle = []
    }

    private func prepare(_ easy: UnsafeMutableRawPointer) -> HTTPError? {
        var options = CurlOptions(easy: easy)
        options.setConstants(trust: trust)
        return options.failure
    }

    private func clear(_ easy: UnsafeMutableRawPointer, after hop: CurlHop) -> HTTPError? {
        var options = CurlOptions(easy: easy)
        options.forgetTransfer()
        guard options.failure == nil, !hop.isPlain else { return options.failure }
        curl_easy_reset(easy)
        return prepare(easy)
    }
}
