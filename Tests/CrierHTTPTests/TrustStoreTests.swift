import Foundation
import Testing

@testable import CrierHTTP

@Suite struct TrustStoreTests {
    @Test func theEnvironmentComesFirst() {
        let both = ["CURL_CA_BUNDLE": "/bundle", "SSL_CERT_FILE": "/file"]
        #expect(TrustStore(both).authorities(caFile: nil) == .chosen(file: "/bundle", directory: nil))
        #expect(
            TrustStore(["SSL_CERT_FILE": "/file"]).authorities(caFile: nil) == .chosen(file: "/file", directory: nil))
        #expect(TrustStore(["SSL_CERT_DIR": "/dir"]).authorities(caFile: nil) == .chosen(file: nil, directory: "/dir"))
        let all = TrustStore(both.merging(["SSL_CERT_DIR": "/dir"]) { $1 })
        #expect(all.authorities(caFile: nil) == .chosen(file: "/bundle", directory: "/dir"))
        #expect(all.authorities(caFile: "/own") == .chosen(file: "/own", directory: nil))
    }

    @Test func aDirectoryWithHashedLinksIsUsedInsteadOfTheBundle() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "crier-trust-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data().write(to: folder.appending(path: "ca-certificates.crt"))
        for name in ["README.txt", "5ed36f99.1", "notahash.0"] { try Data().write(to: folder.appending(path: name)) }
        let empty = ["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": ""]
        #expect(TrustStore(empty, systemDirectory: folder.path).authorities(caFile: nil) == .builtIn)
        try Data().write(to: folder.appending(path: "5ed36f99.0"))
        let hashed = TrustStore(empty, systemDirectory: folder.path)
        #expect(hashed.authorities(caFile: nil) == .chosen(file: nil, directory: folder.path))
        #expect(TrustStore([:], systemDirectory: "/nonexistent").authorities(caFile: nil) == .builtIn)
    }

    /// A run that asks nobody over TLS does not read it.
    @Test func theDirectoryIsReadOnceAndWhenItIsNeeded() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "crier-trust-\(UUID().uuidString)")
        let trust = TrustStore([:], systemDirectory: folder.path)
        #expect(trust.authorities(caFile: "/own") == .chosen(file: "/own", directory: nil))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data().write(to: folder.appending(path: "5ed36f99.0"))
        #expect(trust.authorities(caFile: nil) == .chosen(file: nil, directory: folder.path))
        try FileManager.default.removeItem(at: folder)
        #expect(trust.authorities(caFile: nil) == .chosen(file: nil, directory: folder.path))
    }
}
