#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The file behind a file URL.
struct LocalFile {
    private let path: String
    private let limits: HTTPLimits
    private let url: WebURL

    /// Throws ``HTTPError/Kind/badURL`` for a path that has control characters in it.
    init(_ url: WebURL, limits: HTTPLimits) throws(HTTPError) {
        guard let path = url.filePath else { throw HTTPError(.badURL, "not the URL of a file: \(url.text)") }
        self.path = path
        self.url = url
        self.limits = limits
    }

    /// Status 200 with the bytes of the file. Throws ``HTTPError/Kind/file`` or ``HTTPError/Kind/tooLarge``.
    func response() throws(HTTPError) -> HTTPResponse {
        // Without O_NONBLOCK the opening of a pipe waits for somebody to write into it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable() }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw HTTPError(.file, "\(path) is a directory, not a file")
        default: throw HTTPError(.file, "\(path) is not a regular file")
        }
        return HTTPResponse(status: 200, body: try contents(descriptor, size: Int(status.st_size)), url: url.text)
    }

    private func contents(_ descriptor: Int32, size: Int) throws(HTTPError) -> [UInt8] {
        guard size <= limits.bodyBytes else { throw tooLarge() }
        var body: [UInt8] = []
        body.reserveCapacity(size)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable() }
            guard count > 0 else { return body }
            // The size above says nothing about a file that grows, or one of /proc.
            guard body.count + count <= limits.bodyBytes else { throw tooLarge() }
            body.append(contentsOf: buffer[..<count])
        }
    }

    private func unreadable() -> HTTPError {
        HTTPError(.file, "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }

    private func tooLarge() -> HTTPError {
        HTTPError(.tooLarge, "\(path) is larger than \(limits.bodyBytes) bytes")
    }
}
