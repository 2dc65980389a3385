import Foundation

/// `openssl s_server` with a certificate from an authority of its own; it serves one file, at `/feed.xml`.
public final class TLSServer: Sendable {
    public let port: Int
    /// The authority's certificate, a PEM file.
    public let authority: String
    private let folder: TemporaryFolder
    private let process: ChildProcess

    static let program = "/usr/bin/openssl"
    public static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: program) }

    struct Failure: Error {}

    /// The file that is served.
    public static let document = """
        <feed xmlns="http://www.w3.org/2005/Atom"><title>Over TLS</title><id>urn:f</id>
        <updated>2023-11-14T00:00:00Z</updated><entry><id>urn:1</id><title>One</title>
        <updated>2023-11-14T00:00:00Z</updated></entry></feed>
        """

    /// - Parameters:
    ///   - name: Whom the certificate is for, as `subjectAltName` says it.
    ///   - answer: The whole answer, head and body; nil is the document.
    public static func start(name: String = "DNS:localhost", answer: String? = nil) async throws -> TLSServer {
        // Programs are waited for on a thread of its own, so that the other tests go on.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try TLSServer(name: name, answer: answer) }) }
        }
    }

    private init(name: String, answer: String?) throws {
        folder = try TemporaryFolder()
        authority = folder.file("ca.pem")
        try Self.makeCertificates(for: name, in: folder)
        try folder.write(answer ?? Self.document, to: "feed.xml")
        let output = Pipe()
        process = Self.openssl(
            [
                "s_server", "-accept", "127.0.0.1:0", "-cert", "leaf.pem", "-key", "leaf.key",
                answer == nil ? "-WWW" : "-HTTP",
            ], in: folder)
        process.standardOutput = output
        try process.run()
        // It says "ACCEPT 127.0.0.1:PORT" once it listens.
        var text = ""
        var found: Int?
        while found == nil, let more = try output.fileHandleForReading.read(upToCount: 1), !more.isEmpty {
            text += String(decoding: more, as: UTF8.self)
            guard text.hasSuffix("\n"), let line = text.split(separator: "\n").last, line.hasPrefix("ACCEPT") else {
                continue
            }
            found = line.split(separator: ":").last.flatMap { Int($0) }
        }
        guard let found else { throw Failure() }
        port = found
    }

    public func stop() {
        // Not SIGTERM: a child started with it ignored would go on.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Writes `ca.pem`, `leaf.pem` and `leaf.key` into a folder.
    public static func makeCertificates(for name: String, in folder: TemporaryFolder) throws {
        try folder.write("subjectAltName=\(name)\nbasicConstraints=CA:FALSE\n", to: "leaf.ext")
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try run(
            ["req", "-x509", "-subj", "/CN=crier test authority", "-keyout", "ca.key", "-out", "ca.pem"] + key, folder)
        try run(["req", "-subj", "/CN=localhost", "-keyout", "leaf.key", "-out", "leaf.csr"] + key, folder)
        try run(
            [
                "x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                "-extfile", "leaf.ext", "-out", "leaf.pem",
            ], folder)
    }

    private static func run(_ arguments: [String], _ folder: TemporaryFolder) throws {
        let process = openssl(arguments, in: folder)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure() }
    }

    private static func openssl(_ arguments: [String], in folder: TemporaryFolder) -> ChildProcess {
        let process = ChildProcess()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "cd \"$0\" && exec \"$@\"", folder.path, program] + arguments
        process.standardError = FileHandle.nullDevice
        return process
    }
}
