import CrierHTTP
import CrierTesting
import Testing

@Suite struct CurlTransportTests {
    @Test func anAnswerHasStatusFieldsAndBody() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(status: 203, fields: ["ETag": "W/\"a\""], body: "hello")])
        let response = try await CurlTransport().send(HTTPRequest(url: origin.url("/feed")))
        #expect(response.status == 203)
        #expect(response.fields["etag"] == "W/\"a\"")
        #expect(response.body == Array("hello".utf8))
        #expect(response.url == origin.url("/feed"))
        #expect(response.redirects.isEmpty)
    }
}
