import CrierHTTP
import CrierTesting
import Foundation
import Testing

@Suite(.enabled(if: TLSServer.isAvailable, "there is no openssl program on this machine"))
struct TLSTests {
    private func send(
        _ server: TLSServer, host: String = "localhost", caFile: String? = nil, environment: [String: String] = [:]
    ) async throws(HTTPError) -> HTTPResponse {
        let request = HTTPRequest(url: "https://\(host):\(server.port)/feed.xml", caFile: caFile)
        return try await CurlTransport(environment: environment).send(request)
    }

    @Test func aCertificateOfATrustedAuthorityIsAccepted() async throws {
        let server = try await TLSServer.start()
        defer { server.stop() }
        #expect(try await send(server, caFile: server.authority).status == 200)
        for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
            #expect(try await send(server, environment: [name: server.authority]).status == 200)
        }
        let ofTheRequest = try await send(
            server, caFile: server.authority, environment: ["CURL_CA_BUNDLE": "/nonexistent"])
        #expect(ofTheRequest.status == 200)
    }

    @Test func aCertificateOfAnUnknownAuthorityIsRefused() async throws {
        let server = try await TLSServer.start()
        defer { server.stop() }
        let error = await #expect(throws: HTTPError.self) { try await send(server) }
        #expect(error?.kind == .tls)
        #expect(error?.description.hasPrefix("the certificate of localhost:\(server.port) is not trusted: ") == true)
    }

    @Test func anAuthorityOfOneRequestIsNoneOfTheNext() async throws {
        let server = try await TLSServer.start()
        defer { server.stop() }
        let transport = CurlTransport(environment: [:])
        let url = "https://localhost:\(server.port)/feed.xml"
        #expect(try await transport.send(HTTPRequest(url: url, caFile: server.authority)).status == 200)
        let error = await #expect(throws: HTTPError.self) { try await transport.send(HTTPRequest(url: url)) }
        #expect(error?.kind == .tls)
    }

    @Test func aCertificateOfAnotherHostIsRefused() async throws {
        let server = try await TLSServer.start()
        defer { server.stop() }
        let error = await #expect(throws: HTTPError.self) {
            try await send(server, host: "127.0.0.1", caFile: server.authority)
        }
        #expect(error?.kind == .tls)
    }

    @Test func aFileOfAuthoritiesThatCannotBeReadIsNamed() async throws {
        let server = try await TLSServer.start()
        defer { server.stop() }
        let error = await #expect(throws: HTTPError.self) { try await send(server, caFile: "/nonexistent/ca.pem") }
        #expect(error?.kind == .file)
        #expect(error?.description.contains("/nonexistent/ca.pem") == true)
    }

    @Test func aRedirectFromHTTPSToHTTPIsRefused() async throws {
        let origin = try await ScriptedOrigin()
        let location = origin.url("/feed.xml")
        let server = try await TLSServer.start(
            answer: "HTTP/1.0 301 Moved Permanently\r\nLocation: \(location)\r\n\r\n")
        defer { server.stop() }
        let error = await #expect(throws: HTTPError.self) { try await send(server, caFile: server.authority) }
        #expect(error?.kind == .refusedRedirect)
        #expect(error?.description == "localhost:\(server.port) redirects from https to http: \(origin.url())")
        #expect(await origin.connections == 0)
        await origin.stop()
    }

    @Test(
        "A handshake that never ends is an error of the connection, also where the whole time is no longer",
        arguments: [30_000, 300])
    func handshakeWithoutEnd(total: Int) async throws {
        let origin = try await ScriptedOrigin()
        let limits = HTTPLimits(connect: .milliseconds(300), total: .milliseconds(total))
        let error = await #expect(throws: HTTPError.self) {
            let url = "https://127.0.0.1:\(origin.port)/"
            return try await CurlTransport().send(HTTPRequest(url: url, limits: limits))
        }
        #expect(error?.kind == .connect)
        #expect(error?.description == "no connection to 127.0.0.1:\(origin.port) within 300 ms")
    }
}
