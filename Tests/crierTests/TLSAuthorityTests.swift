import CrierTesting
import Testing

/// The built binary trusts an authority of the user's own, wherever it is named.
@Suite(.enabled(if: TLSServer.isAvailable, "there is no openssl program on this machine"))
struct TLSAuthorityTests {
    @Test(arguments: ["SSL_CERT_FILE", "CURL_CA_BUNDLE"])
    func theEnvironmentNamesTheAuthority(variable: String) async throws {
        let server = try await TLSServer.start(name: "IP:127.0.0.1")
        defer { server.stop() }
        var crier = try BuiltCrier()
        for name in ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "SSL_CERT_DIR"] { crier.environment[name] = nil }
        let url = "https://127.0.0.1:\(server.port)/feed.xml"
        let refused = try await crier.run("try", url, "--format", "json")
        #expect(refused.status == 69)
        #expect(refused.errors.contains("the certificate of 127.0.0.1:\(server.port) is not trusted: "))
        crier.environment[variable] = server.authority
        let outcome = try await crier.run("try", url, "--format", "json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.objects.map { $0["title"] as? String } == ["One"])
    }

    @Test func theSourceNamesTheAuthority() async throws {
        let server = try await TLSServer.start(name: "IP:127.0.0.1")
        defer { server.stop() }
        let crier = try BuiltCrier(
            "sources: {s: {url: 'https://127.0.0.1:\(server.port)/feed.xml', ca-file: '\(server.authority)'}}")
        let outcome = try await crier.run("try", "s", "--format", "json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.objects.map { $0["title"] as? String } == ["One"])
    }
}
