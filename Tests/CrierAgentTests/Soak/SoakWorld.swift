import CrierAgent
import CrierHTTP
import CrierNotifications
import CrierTesting
import Foundation
import Synchronization

/// All origins and receivers of a simulated week: most of them in memory, some behind a real socket. Whatever they do is
/// decided by a seed.
final class SoakWorld: HTTPTransport {
    struct State {
        var random: SeededNumbers
        var manners = SoakManners()
        var isDown = false
        /// Everything answers as it should.
        var isHealed = false
        /// The items that were served, by source.
        var served: [Int: Set<Int>] = [:]
        var answers: [Int: Int] = [:]
        /// The identifier under which an item was told to the web hook, as a hash, and the items that have had two of them.
        var told: [String: Int] = [:]
        var repeated: Set<String> = []
        var calls = 0
        var isHookDown = false
    }

    let time: SimulatedTime
    let origin: ScriptedOrigin
    let sources: [SoakSource]
    let state: Mutex<State>
    private let byURL: [String: SoakSource]
    private let curl = CurlTransport()

    init(sources count: Int, slowness: Int, span: DateInterval, seed: UInt64) async throws {
        time = SimulatedTime(now: span.start)
        origin = try await ScriptedOrigin()
        var random = SeededNumbers(seed: seed)
        let port = origin.port
        sources = (0..<count).map {
            SoakSource($0, of: count, slowness: slowness, origin: port, span: span, random: &random)
        }
        byURL = Dictionary(sources.flatMap { [($0.url, $0), ($0.target, $0)] }) { first, _ in first }
        state = Mutex(State(random: random))
        await origin.handle { [weak self] request in self?.answerOverSocket(request) ?? ScriptedAnswer(status: 500) }
    }

    /// Any number that the seed gives, 0..<1.
    func chance() -> Double { state.withLock { Double.random(in: 0..<1, using: &$0.random) } }

    // MARK: - Transport

    func send(
        _ request: HTTPRequest, beforeRedirect: RedirectObserver
    ) async throws(HTTPError) -> HTTPResponse {
        if request.url.hasPrefix("https://hook.example") { return try await receive(request) }
        guard let source = byURL[request.url] else { throw HTTPError(.badURL, request.url) }
        let begun = time.now
        let host = Self.host(of: request.url)
        state.withLock { state in
            state.manners.begin(at: host, now: begun)
            state.manners.visit(
                source, etag: request.fields["If-None-Match"], now: begun)
        }
        if state.withLock({ $0.isDown }) {
            state.withLock { $0.manners.end(at: host) }
            throw HTTPError(.resolve, "could not resolve \(host)")
        }
        if source.kind == .real {
            defer { state.withLock { $0.manners.end(at: host) } }
            return try await time.outside { () async throws(HTTPError) in
                try await curl.send(request, beforeRedirect: beforeRedirect)
            }
        }
        if request.url != source.target {
            try await wait(for: source, at: host, since: begun)
            state.withLock { $0.manners.end(at: host) }
            try await beforeRedirect(source.target)
            if Task.isCancelled { throw HTTPError(.cancelled, "cancelled") }
            let next = Self.host(of: source.target)
            state.withLock { $0.manners.begin(at: next, now: time.now) }
            return try await answer(request, source, at: next, since: begun)
        }
        return try await answer(request, source, at: host, since: begun)
    }

    /// Its answer takes its time; where the visit is ended meanwhile, it was its own time budget or the process.
    private func wait(
        for source: SoakSource, at host: String, since begun: Date, isForever: Bool = false
    ) async throws(HTTPError) {
        let latency = 0.02 + 3 * pow(chance(), 4)
        do {
            try await time.sleep(until: isForever ? .distantFuture : time.now.addingTimeInterval(latency))
        } catch {
            state.withLock { state in
                state.manners.end(at: host)
                if time.now.timeIntervalSince(begun) >= 30 { state.manners.fail(source, now: time.now) }
            }
            throw HTTPError(.cancelled, "cancelled")
        }
    }

    private func answer(
        _ request: HTTPRequest, _ source: SoakSource, at host: String, since begun: Date
    ) async throws(HTTPError) -> HTTPResponse {
        let fate = state.withLock { $0.isHealed } ? 1 : chance()
        let isFlaky = source.kind == .flaky
        try await wait(for: source, at: host, since: begun, isForever: isFlaky && fate < 0.03)
        let now = time.now
        var status = 200
        var fields = HTTPFields()
        switch fate {
        case ..<0.06 where isFlaky:
            state.withLock { $0.manners.end(at: host) }
            throw HTTPError(.connect, "no connection to \(host)")
        case ..<0.10 where isFlaky: status = 500
        case ..<0.13 where isFlaky: (status, fields) = (503, ["Retry-After": "\(Int(3600 + 14_400 * chance()))"])
        case ..<0.14 where isFlaky: status = 404
        case ..<0.05 where source.kind == .busy:
            (status, fields) = (429, fate < 0.03 ? ["Retry-After": "\(Int(1800 + 7200 * chance()))"] : [:])
        default: break
        }
        let wait = fields["Retry-After"].flatMap { Double($0) } ?? 0
        let redirects =
            request.url == source.target
            ? [] : [HTTPRedirect(status: source.kind == .moved ? 301 : 302, from: request.url, to: source.target)]
        return state.withLock { state in
            state.manners.end(at: host)
            guard status == 200 else {
                state.manners.fail(source, wait: wait, least: status == 404 ? 4 * 3600 : 0, now: now)
                if status == 429 { state.manners.pause(host, until: now.addingTimeInterval(wait > 0 ? wait : 600)) }
                return HTTPResponse(status: status, fields: fields, url: source.target, redirects: redirects)
            }
            let items = source.items(at: now)
            let etag = source.kind == .mute ? nil : "\"\(items.upperBound)\""
            let isKnown = etag != nil && request.fields["If-None-Match"] == etag
            let lifetime = source.kind == .polite && source.number % 3 == 0 ? 7200.0 : 0
            state.answers[source.number, default: 0] += 1
            if !isKnown { state.served[source.number, default: []].formUnion(items) }
            state.manners.succeed(source, wait: lifetime, etag: etag, now: now)
            if let etag { fields["ETag"] = etag }
            if lifetime > 0 { fields["Cache-Control"] = "max-age=\(Int(lifetime))" }
            return HTTPResponse(
                status: isKnown ? 304 : 200, fields: fields, body: isKnown ? [] : Array(source.document(items).utf8),
                url: source.target, redirects: redirects)
        }
    }

    /// On the server's thread; the simulated time stands still meanwhile.
    private func answerOverSocket(_ request: ReceivedRequest) -> ScriptedAnswer {
        guard let source = byURL["http://127.0.0.1:\(origin.port)\(request.target)"] else {
            return ScriptedAnswer(status: 404)
        }
        let now = time.now
        return state.withLock { state in
            let fate = state.isHealed ? 1 : Double.random(in: 0..<1, using: &state.random)
            switch fate {
            case ..<0.03:
                state.manners.fail(source, now: now)
                return .raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<feed")
            case ..<0.06:
                state.manners.fail(source, wait: 5000, now: now)
                return ScriptedAnswer(status: 503, fields: ["Retry-After": "5000"])
            default: break
            }
            let items = source.items(at: now)
            let etag = "\"\(items.upperBound)\""
            state.answers[source.number, default: 0] += 1
            state.manners.succeed(source, etag: etag, now: now)
            if request.fields["If-None-Match"] == etag { return ScriptedAnswer(status: 304) }
            state.served[source.number, default: []].formUnion(items)
            return ScriptedAnswer(fields: ["ETag": etag], body: source.document(items))
        }
    }

    // MARK: - The web hook

    /// Accepts, refuses, falls silent, or accepts and breaks off before it has said so.
    private func receive(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let (fate, isDown) = (chance(), state.withLock { ($0.isHealed ? false : $0.isHookDown, $0.isHealed) })
        let isWell = isDown.1
        if !isWell, isDown.0 { throw HTTPError(.connect, "no connection") }
        if !isWell, fate < 0.01 { return HTTPResponse(status: 503, url: request.url) }
        let body = try? JSONSerialization.jsonObject(with: Data(request.body ?? [])) as? [String: Any]
        let data = body?["data"] as? [String: Any]
        let items = (data?["items"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
        let identifier = request.fields["webhook-id"] ?? ""
        state.withLock { state in
            state.calls += 1
            for item in items {
                let known = state.told.updateValue(identifier.hashValue, forKey: item)
                if let known, known != identifier.hashValue { state.repeated.insert(item) }
            }
        }
        if !isWell, fate < 0.015 { throw HTTPError(.timeout, "no answer") }
        return HTTPResponse(status: 200, url: request.url)
    }

    static func host(of url: String) -> String { String(url.split(separator: "/")[1]) }
}
