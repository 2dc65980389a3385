import protocol Foundation.LocalizedError

/// Why there is no answer: a kind for decisions, a sentence for the user.
public struct HTTPError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// Not a URL, or not http, https or file.
        case badURL
        /// A method or a header field that HTTP does not have; nothing was sent.
        case badRequest
        /// The host name has no address.
        case resolve
        /// No connection: refused, unreachable, timed out while connecting, or not made by the proxy.
        case connect
        /// The certificate or the handshake.
        case tls
        /// The time budget is used up, or the transfer is too slow.
        case timeout
        /// Body or header fields beyond the limits.
        case tooLarge
        /// Not HTTP, half a body, wrong length, bad encoding.
        case badResponse
        /// A redirect that is not followed: too many, a loop, https to http, another scheme, no URL at all, or one that would take a
        /// body to another server.
        case refusedRedirect
        /// The address may not be visited: a private network or a file that somebody else leads to, or a host that is to be left
        /// alone now.
        case refusedAddress
        /// The file cannot be read, or that of the certificate authorities.
        case file
        case cancelled
        /// Anything else libcurl reports.
        case transfer
    }

    public let kind: Kind
    public let description: String
    public var errorDescription: String? { description }
    /// Whether something beyond this machine has answered all the same: a redirect led to where the failure is, or a host of a
    /// private network has refused the connection.
    public var hasReachedHost: Bool
    /// What is the matter with the proxy, in words that hold neither its password nor anything of the address asked for; nil where
    /// the cause is another.
    public var proxyTrouble: String?

    public init(
        _ kind: Kind, _ description: String, hasReachedHost: Bool = false, proxyTrouble: String? = nil
    ) {
        self.kind = kind
        self.description = description
        self.hasReachedHost = hasReachedHost
        self.proxyTrouble = proxyTrouble
    }
}
