import CrierHTTP
import CrierTesting
import Testing

@Suite(.enabled(if: NginxServer.isAvailable, "there is no nginx on this machine: scripts/bootstrap --tests"))
struct HTTP2Tests {
    @Test func requestsToOneHostShareOneHTTP2Connection() async throws {
        let server = try await NginxServer.start()
        let transport = CurlTransport(environment: [:])
        for path in ["/feed", "/other"] {
            let request = HTTPRequest(url: "https://localhost:\(server.port)\(path)", caFile: server.authority)
            let response = try await transport.send(request)
            #expect(response.status == 200)
            #expect(response.body == Array("from nginx".utf8))
        }
        await transport.shutdown()
        let lines = try server.stop().map { $0.split(separator: " ") }
        #expect(lines.map(\.first) == ["h2", "h2"])
        #expect(lines.count == 2 && lines[0][1] == lines[1][1])
        #expect(lines.map(\.last) == ["1", "2"])
    }
}
