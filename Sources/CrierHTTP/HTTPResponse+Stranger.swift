extension HTTPResponse {
    /// Whether anybody may have answered, as nobody vouches for who does, with a page: as networks do that want a login first. To be
    /// asked where no page is expected.
    ///
    /// - Parameter url: That was asked for.
    package static func isPageOfStranger(_ body: [UInt8], from url: String) -> Bool {
        guard url.prefix(5).lowercased() == "http:" else { return false }
        let start = String(decoding: body.prefix(200), as: UTF8.self)
            .drop { $0.isWhitespace || $0 == "\u{feff}" }.lowercased()
        return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
    }
}
