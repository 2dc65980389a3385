import CrierHTTP
import CrierNotifications

/// What an answer, or none, means for a delivery (Standard Webhooks, "Delivery success and failure").
enum WebOutcome {
    static func outcome(of answer: WebAnswer) -> DeliveryOutcome {
        let response = answer.response
        let words = "\(answer.host) answered HTTP \(response.status)"
        switch response.status {
        case 200...299 where answer.isPageOfStranger:
            // There are web hooks that say so.
            return .unanswered(reason: "\(words): it is a page, as of a network that wants a login first")
        case 200...299: return .delivered()
        case let status where HTTPRedirect.isStatus(status): return answer.failure(nil)
        case 300...399: return answer.failure("it does not say that it took the notification")
        case 410: return .gone(reason: "\(words): the web hook is gone")
        // With a time to come back it is temporary (RFC 9110 §15.5.14).
        case 413 where response.fields["Retry-After"] == nil:
            return .rejected(reason: "\(words): the notification is too large")
        default: return answer.failure(nil)
        }
    }

    /// In words of our own: what the transport says may hold the whole address.
    static func outcome(of error: HTTPError, host: String) -> DeliveryOutcome {
        switch error.kind {
        case .cancelled: .deferred(reason: "the call to \(host) was stopped before an answer came")
        case .badURL: .failed(reason: "the address is not an http or https URL")
        case .badRequest: .failed(reason: "a header field for \(host) is none, or has a line break in it")
        case .resolve:
            unreached(host, error, "\(host) has no address: the name is wrong or the network is down")
        case .connect:
            unreached(
                host, error,
                "no connection to \(host)" + (error.proxyTrouble.map { ": \(HarmlessText.line($0))" } ?? ""))
        case .tls:
            unreached(host, error, "no secure connection to \(host): its certificate or the handshake was refused")
        case .timeout: .unanswered(reason: "\(host) did not answer in time")
        case .tooLarge: .unanswered(reason: "the answer of \(host) is too large")
        case .badResponse: .unanswered(reason: "\(host) gave no answer that can be read")
        case .refusedRedirect: .failed(reason: "\(host) redirects, which is not followed")
        case .refusedAddress: .failed(reason: "the address of \(host) may not be visited")
        case .file: .failed(reason: "no secure connection to \(host): the certificate authorities cannot be read")
        case .transfer:
            .unanswered(reason: "the call to \(host) failed: the connection broke, or libcurl cannot be used")
        }
    }

    /// What a proxy refuses, or that there is none, is no word of the network.
    private static func unreached(_ host: String, _ error: HTTPError, _ reason: String) -> DeliveryOutcome {
        let isInside = error.hasReachedHost || error.proxyTrouble != nil || NetworkAddress.isPrivate(host: host)
        return isInside ? .failed(reason: reason) : .unreached(reason: reason)
    }
}
