import CrierTesting
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
        let folder = try TemporaryFolder()
        for name in ["ca-certificates.crt", "README.txt", "5ed36f99.1", "notahash.0"] { try folder.write("", to: name) }
        let empty = ["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": ""]
        #expect(TrustStore(empty, systemDirectory: folder.path).authorities(caFile: nil) == .builtIn)
        try folder.write("", to: "5ed36f99.0")
        let hashed = TrustStore(empty, systemDirectory: folder.path)
        #expect(hashed.authorities(caFile: nil) == .chosen(file: nil, directory: folder.path))
        #expect(TrustStore([:], systemDirectory: "/nonexistent").authorities(caFile: nil) == .builtIn)
    }

    @Test func whatIsNotThereIsMissing() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "5ed36f99.0")
        #expect(TrustStore(["SSL_CERT_FILE": file]).missing == nil)
        #expect(TrustStore(["SSL_CERT_FILE": "/nonexistent", "SSL_CERT_DIR": folder.path]).missing == "/nonexistent")
        #expect(TrustStore(["SSL_CERT_DIR": "/nonexistent:\(folder.path)"]).missing == nil)
        #expect(TrustStore(["SSL_CERT_DIR": "/nonexistent"]).missing == "/nonexistent")
        #expect(TrustStore([:], systemDirectory: folder.path).missing == nil)
    }

    /// A run that asks nobody over TLS does not read it.
    @Test func theDirectoryIsReadOnceAndWhenItIsNeeded() throws {
        let folder = try TemporaryFolder()
        let trust = TrustStore([:], systemDirectory: folder.path)
        #expect(trust.authorities(caFile: "/own") == .chosen(file: "/own", directory: nil))
        let name = try folder.write("", to: "5ed36f99.0")
        #expect(trust.authorities(caFile: nil) == .chosen(file: nil, directory: folder.path))
        try FileManager.default.removeItem(atPath: name)
        #expect(trust.authorities(caFile: nil) == .chosen(file: nil, directory: folder.path))
    }
}
