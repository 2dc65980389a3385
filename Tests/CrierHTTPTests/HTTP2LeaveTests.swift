import CrierHTTP
import CrierTesting
import Foundation
import Testing

/// A server that ends a connection that was kept, just as the next request comes (GOAWAY, RFC 9113 §6.8).
@Suite(
    .enabled(
        if: TLSServer.isAvailable && FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"),
        "openssl or python3 is not installed"))
struct HTTP2LeaveTests {
    /// Each of its connections answers one request. To the second it takes its leave, `asks` times in all; then it answers that, too.
    private func asking(
        _ paths: [String], leaves: Int
    ) async throws -> (answers: [String], requests: [String]) {
        let folder = try TemporaryFolder()
        try TLSServer.makeCertificates(for: "DNS:localhost", in: folder)
        var (answers, requests): ([String], [String]) = ([], [])
        try await withProgram("/usr/bin/python3", ["-c", Self.server, folder.path, "\(leaves)"]) { server in
            let port = try await server.firstLine()
            let transport = CurlTransport(environment: [:])
            for path in paths {
                let url = "https://localhost:\(port)\(path)"
                let request = HTTPRequest(url: url, caFile: folder.file("ca.pem"))
                do throws(HTTPError) {
                    answers.append(String(decoding: try await transport.send(request).body, as: UTF8.self))
                } catch {
                    answers.append("\(error.kind)")
                }
            }
            await transport.shutdown()
            requests = try await server.linesToEnd()
        }
        return (answers, requests)
    }

    @Test func aRequestThatItHasNotLookedAtIsSentAgain() async throws {
        let (answers, requests) = try await asking(["/a", "/b"], leaves: 1)
        #expect(answers == ["ok", "ok"])
        #expect(requests == ["1 answered", "1 left", "2 answered"])
    }

    @Test func onceAndNotForEver() async throws {
        let (answers, requests) = try await asking(["/a", "/b"], leaves: -1)
        // What it has not read when it closes the connection may reset that, before its leave is read.
        #expect(answers.first == "ok" && ["badResponse", "transfer"].contains(answers.last), "\(answers)")
        #expect(requests == ["1 answered", "1 left", "2 left"])
    }

    /// Its answers are of two bytes; it needs to read nothing but the types of frames, and answers nothing but requests.
    private static let server = """
        import socket, ssl, struct, sys
        folder, leaves = sys.argv[1], int(sys.argv[2])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder + "/leaf.pem", folder + "/leaf.key")
        context.set_alpn_protocols(["h2"])
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        def frame(kind, flags, stream, payload=b""):
            return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload
        def read(connection, count):
            data = b""
            while len(data) < count:
                more = connection.recv(count - len(data))
                if not more: raise EOFError
                data += more
            return data
        number = 0
        while True:
            connection = context.wrap_socket(listener.accept()[0], server_side=True)
            number += 1
            try:
                read(connection, 24)
                connection.sendall(frame(4, 0, 0))
                while True:
                    head = read(connection, 9)
                    read(connection, int.from_bytes(head[:3], "big"))
                    stream = int.from_bytes(head[5:], "big")
                    if head[3] == 4 and not head[4] & 1: connection.sendall(frame(4, 1, 0))
                    if head[3] != 1: continue
                    if leaves != 0 and not (number == 1 and stream == 1):
                        leaves -= 1
                        print(number, "left", flush=True)
                        last = 1 if number == 1 else 0
                        connection.sendall(frame(7, 0, 0, struct.pack(">II", last, 0)))
                        break
                    print(number, "answered", flush=True)
                    connection.sendall(frame(1, 4, stream, bytes([0x88])) + frame(0, 1, stream, b"ok"))
            except (EOFError, OSError):
                pass
            connection.close()
        """
}
