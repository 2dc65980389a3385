/// What a status means, in the words of RFC 9110 §15 and RFC 6585.
enum HTTPStatus {
    static func words(_ status: Int) -> String {
        guard let phrase = phrases[status] else { return "HTTP status \(status)" }
        return "HTTP status \(status), \(phrase)"
    }

    /// Whether an answer holds the whole of a document (RFC 9110 §15.3): of the successes, those without one, a part of one and
    /// what is to be applied to one (RFC 3229 §10.4.1) do not; what is new among them is read as 200.
    static func isWhole(_ status: Int) -> Bool { 200..<300 ~= status && ![204, 205, 206, 226].contains(status) }

    /// The network itself answers, whatever was asked, until somebody has logged in (RFC 6585 §6).
    static let ofNetwork = 511

    private static let phrases: [Int: String] = [
        201: "created", 202: "accepted", 203: "non-authoritative information", 204: "no content", 205: "reset content",
        206: "partial content", 226: "IM used", 300: "multiple choices", 301: "moved permanently", 302: "found",
        303: "see other", 307: "temporary redirect", 308: "permanent redirect", 400: "bad request", 401: "unauthorized",
        402: "payment required", 403: "forbidden", 404: "not found", 405: "method not allowed", 406: "not acceptable",
        407: "proxy authentication required", 408: "request timeout", 409: "conflict", 410: "gone",
        421: "misdirected request", 425: "too early", 429: "too many requests", 451: "unavailable for legal reasons",
        500: "internal server error", 501: "not implemented", 502: "bad gateway", 503: "service unavailable",
        504: "gateway timeout", 505: "HTTP version not supported", 511: "network authentication required",
    ]
}
