import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A real nginx with TLS and HTTP/2 on a loopback port, with a certificate for localhost from an authority of its own.
public final class NginxServer: Sendable {
    public let port: Int
    /// The authority's certificate, a PEM file.
    public let authority: String
    private let folder: TemporaryFolder
    private let process = ChildProcess()

    private static let program = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/opt/homebrew/bin/nginx"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    public static var isAvailable: Bool { program != nil && TLSServer.isAvailable }

    /// It answers every path with a short text.
    public static func start() async throws -> NginxServer {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try NginxServer() }) }
        }
    }

    private init() throws {
        folder = try TemporaryFolder()
        authority = folder.file("ca.pem")
        try TLSServer.makeCertificates(for: "DNS:localhost", in: folder)
        let (listener, port) = try LoopbackSocket.listen()
        close(listener)
        self.port = port
        let path = try folder.write(Self.configuration(folder.path, port: port), to: "nginx.conf")
        process.executableURL = Self.program.map { URL(filePath: $0) }
        process.arguments = ["-p", folder.path, "-c", path, "-e", "stderr"]
        let errors = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        // It names the way it waits for connections once it listens.
        var text = ""
        while !text.contains("event method") {
            let more = errors.fileHandleForReading.availableData
            guard !more.isEmpty else { throw OriginError(description: "nginx does not start: \(text)") }
            text += String(decoding: more, as: UTF8.self)
        }
    }

    /// Ends the server; one line for each request: `h2`, the number of its connection, and of the request in it.
    public func stop() throws -> [String] {
        // The log is whole once the process is gone.
        process.terminate()
        process.waitUntilExit()
        let log = try String(contentsOfFile: folder.file("access.log"), encoding: .utf8)
        return log.split(separator: "\n").map(String.init)
    }

    private static func configuration(_ folder: String, port: Int) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder)/temporary;"
        }
        return """
            daemon off; pid \(folder)/nginx.pid; error_log stderr notice;
            events {}
            http {
              log_format protocol '$http2 $connection $connection_requests'; access_log \(folder)/access.log protocol;
              \(temporary.joined(separator: " "))
              server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate \(folder)/leaf.pem; ssl_certificate_key \(folder)/leaf.key;
                location / { return 200 "from nginx"; }
              }
            }
            """
    }
}
