/// What a status means, in the words of RFC 9110 §15 and RFC 6585.
enum HTTPStatus {
    static func words(_ status: Int) -> String {
        guard let phrase = phrases[status] else { return "HTTP status \(status)" }
        return "HTTP status \(status), \(phrase)"
    }

    /// RFC 9110 §15.4: those that lead elsewhere.
    static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    private static let phrases: [Int: String] = [
        204: "no content", 206: "partial content", 300: "multiple choices", 301: "moved permanently", 302: "found",
        303: "see other", 307: "temporary redirect", 308: "permanent redirect", 400: "bad request", 401: "unauthorized",
        402: "payment required", 403: "forbidden", 404: "not found", 405: "method not allowed", 406: "not acceptable",
        407: "proxy authentication required", 408: "request timeout", 409: "conflict", 410: "gone",
        421: "misdirected request", 425: "too early", 429: "too many requests", 451: "unavailable for legal reasons",
        500: "internal server error", 501: "not implemented", 502: "bad gateway", 503: "service unavailable",
        504: "gateway timeout", 505: "HTTP version not supported",
    ]
}
