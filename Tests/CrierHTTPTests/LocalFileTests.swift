import CrierHTTP
import CrierTesting
import Foundation
import Testing

@Suite struct LocalFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func error(_ url: String, _ limits: HTTPLimits = .polling) async throws -> HTTPError {
        let error = await #expect(throws: HTTPError.self) {
            try await CurlTransport().send(HTTPRequest(url: url, limits: limits))
        }
        return try #require(error)
    }

    @Test func aFileIsAnAnswerWithStatus200() async throws {
        try folder.write("content", to: "a b.xml")
        let url = "file://\(folder.path)/a%20b.xml"
        let response = try await CurlTransport().send(HTTPRequest(url: url))
        #expect(response == HTTPResponse(status: 200, body: Array("content".utf8), url: url))
        let local = try await CurlTransport().send(HTTPRequest(url: "file://localhost\(folder.path)/a%20b.xml"))
        #expect(local.body == response.body)
    }

    @Test func aMissingFileSaysSo() async throws {
        let error = try await error("file:///nonexistent/feed.xml")
        #expect(error.kind == .file)
        #expect(error.description == "/nonexistent/feed.xml cannot be read: No such file or directory")
    }

    @Test func aDirectoryIsNoFile() async throws {
        let error = try await error("file://\(folder.path)")
        #expect(error.kind == .file)
        #expect(error.description == "\(folder.path) is a directory, not a file")
    }

    @Test func aPipeOrADeviceIsNoFile() async throws {
        let path = folder.file("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        #expect(try await error("file://\(path)").description == "\(path) is not a regular file")
        #expect(try await error("file:///dev/zero").kind == .file)
    }

    @Test func aFileIsLimitedLikeABody() async throws {
        let path = try folder.write(String(repeating: "a", count: 200_000), to: "large")
        #expect(try await error("file://\(path)", HTTPLimits(bodyBytes: 199_999)).kind == .tooLarge)
        let whole = HTTPRequest(url: "file://\(path)", limits: HTTPLimits(bodyBytes: 200_000))
        #expect(try await CurlTransport().send(whole).body.count == 200_000)
        // A size of 0 that is none.
        #expect(try await error("file:///proc/self/status", HTTPLimits(bodyBytes: 10)).kind == .tooLarge)
    }

    @Test(arguments: ["file://example.org/etc/passwd", "file:///a%00b"]) func otherFileURLsAreNone(url: String)
        async throws
    {
        #expect(try await error(url).kind == .badURL)
    }
}
