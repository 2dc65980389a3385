import CrierHTTP
import CrierTesting
import Testing

@Suite struct ScriptedTransportTests {
    @Test func answersComeInOrderAndTheLastStays() async throws {
        let transport = ScriptedTransport()
        let url = "https://a.example/feed"
        let timeout = HTTPError(.timeout, "too late")
        transport.script(url, [.failure(timeout), .success(HTTPResponse(status: 304, url: url))])
        #expect(await transport.failure(HTTPRequest(url: url)) == timeout)
        for _ in 0..<2 { #expect(try await transport.send(HTTPRequest(url: url, fields: ["A": "b"])).status == 304) }
        #expect(transport.requests.map(\.fields) == [[:], ["A": "b"], ["A": "b"]])
    }

    @Test func whatIsNotScriptedIsNotFound() async {
        let transport = ScriptedTransport()
        #expect(await transport.failure(HTTPRequest(url: "https://a.example/"))?.kind == .resolve)
    }
}
