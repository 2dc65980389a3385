import CrierHTTP
import CrierStore
import CrierTesting
import Testing

@testable import CrierFetch

/// Whatever a hostile origin answers: a failure with its stage and cause, and the source's memory as it was.
@Suite struct HostileOriginTests {
    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let login =
        "<!DOCTYPE html><html><head><title>Sign in</title></head><body><form></form></body></html>"

    @Test(
        "What is learned stays, and the cause is told",
        arguments: [
            (ScriptedAnswer.endless("HTTP/1.1 200 OK\r\n\r\n", "a"), FetchFailure.Stage.fetch, "is larger than"),
            (.endless(chunked + "5", ";a=b"), .fetch, "takes more than"),
            (.endless(chunked + "0\r\n", "X: a\r\n"), .fetch, "header of the answer"),
            (.endless("HTTP/1.1 200 OK\r\n", "X: a\r\n"), .fetch, "header of the answer"),
            (.endless("", "HTTP/1.1 100 Continue\r\n\r\n"), .fetch, "header of the answer"),
            (.raw("<feed xmlns='http://www.w3.org/2005/Atom'/>"), .fetch, "does not answer in HTTP"),
            (.raw("HTTP/1.1 101 Switching Protocols\r\n\r\n"), .fetch, "changes to another protocol"),
            (.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<feed"), .fetch, "is cut off"),
            (.raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 9\r\n\r\nabc"), .fetch, "several lengths"),
            (.raw(chunked + "9\r\n<feed"), .fetch, "127.0.0.1"),
            (ScriptedAnswer(fields: ["Content-Encoding": "gzip"], body: "no gzip"), .fetch, "cannot be unpacked"),
            (.raw(""), .fetch, "without an answer"),
            (.hang, .fetch, "no answer from"),
            (
                ScriptedAnswer(fields: ["Content-Type": "text/html"], body: login), .decode,
                "an HTML page where a feed was expected"
            ),
            (ScriptedAnswer(body: "\u{89}PNG\r\n\u{1a}\n\u{0}\u{0}\u{0}\rIHDR"), .decode, "where a feed was expected"),
            (ScriptedAnswer(body: ""), .decode, "the document is empty"),
        ])
    func hostile(answer: ScriptedAnswer, stage: FetchFailure.Stage, words: String) async throws {
        let bench = try await FetchBench(transport: HastyTransport())
        await bench.publish([("a", 2)], fields: ["ETag": "\"1\"", "Last-Modified": "Tue, 14 Nov 2023 20:00:00 GMT"])
        _ = try await bench.fetch()
        let before = try bench.state()
        await bench.origin.script("/feed", [answer])
        let report = try await bench.fetch()
        #expect(report.result == .failed)
        #expect(report.failure?.stage == stage)
        #expect(report.failure?.cause.contains(words) == true, "\(report.failure?.cause ?? "")")
        let after = try bench.state()
        #expect(after.failures == 1)
        #expect(after.etag == before.etag && after.lastModified == before.lastModified)
        #expect(after.bodyHash == before.bodyHash && after.fingerprint == before.fingerprint)
        #expect(after.lastSucceeded == before.lastSucceeded)
        #expect(try bench.store.itemCount(of: "news") == 1)
        #expect(try bench.outbox() == ["news/urn:a"])
        await bench.origin.stop()
    }
}

/// Less patience than in earnest, so that tests need not wait.
private struct HastyTransport: HTTPTransport {
    private let transport = CurlTransport(environment: [:])

    func send(
        _ request: HTTPRequest, beforeRedirect: RedirectObserver
    ) async throws(HTTPError) -> HTTPResponse {
        var request = request
        request.limits.slowFor = .seconds(1)
        return try await transport.send(request, beforeRedirect: beforeRedirect)
    }
}
