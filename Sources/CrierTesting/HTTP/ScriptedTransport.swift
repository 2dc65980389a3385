import CrierHTTP
import Synchronization

/// A transport without a network: answers from memory, and a record of what was asked.
public final class ScriptedTransport: HTTPTransport {
    public typealias Answer = Result<HTTPResponse, HTTPError>

    private struct State {
        var answers: [String: [Answer]] = [:]
        var requests: [HTTPRequest] = []
    }

    private let state = Mutex(State())

    public init() {}

    /// Answers for a URL, in order; the last one stays. Any other URL gives an error of kind `resolve`.
    public func script(_ url: String, _ answers: [Answer]) {
        state.withLock { $0.answers[url] = answers }
    }

    /// One answer for a URL, again and again.
    public func script(_ url: String, status: Int = 200, fields: HTTPFields = [:], body: String = "") {
        script(url, [.success(HTTPResponse(status: status, fields: fields, body: Array(body.utf8), url: url))])
    }

    /// Every request so far.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    public func send(
        _ request: HTTPRequest, beforeRedirect: RedirectObserver
    ) async throws(HTTPError) -> HTTPResponse {
        if Task.isCancelled { throw HTTPError(.cancelled, "cancelled") }
        let answer = state.withLock { state in
            state.requests.append(request)
            guard var left = state.answers[request.url], let next = left.first else { return Answer?.none }
            if left.count > 1 { left.removeFirst() }
            state.answers[request.url] = left
            return next
        }
        return try (answer ?? .failure(HTTPError(.resolve, "nothing is scripted for \(request.url)"))).get()
    }
}
