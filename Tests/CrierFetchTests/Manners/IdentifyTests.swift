import CrierContent
import CrierHTTP
import CrierTesting
import Testing

@testable import CrierFetch

/// Who asks, and for what: nothing else goes over the wire.
@Suite struct IdentifyTests {
    @Test(
        "A visit says who asks and which format is wanted, and nothing that marks or misleads",
        arguments: [
            (ContentFormat?.none, "application/atom+xml"), (.rss, "application/atom+xml"), (.json, "application/json"),
            (.jsonFeed, "application/feed+json"), (.html, "text/html"), (.xml, "application/xml"),
        ])
    func identify(format: ContentFormat?, accept: String) async throws {
        var bench = try await FetchBench()
        bench.source.mapping.format = format
        await bench.origin.script("/feed", [ScriptedAnswer(fields: ["Set-Cookie": "id=1; Path=/"], body: "x")])
        for _ in 1...2 { _ = try await bench.fetch() }
        let requests = await bench.origin.requests
        #expect(requests.count == 2)
        for request in requests {
            #expect(request.method == "GET")
            #expect(request.target == "/feed")
            #expect(request.fields.all.map(\.name).sorted() == ["Accept", "Accept-Encoding", "Host", "User-Agent"])
            #expect(request.fields["User-Agent"] == "crier-test/1")
            #expect(request.fields["Accept"]?.hasPrefix(accept) == true)
            #expect(request.fields["Accept"]?.hasSuffix("*/*;q=0.1") == true)
        }
        await bench.origin.stop()
    }
}
