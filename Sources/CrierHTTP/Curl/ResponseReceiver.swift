/// Takes one answer in as libcurl hands it out, and holds it to the limits.
///
/// Every function gives false when the transfer is to end; ``failure`` then says why.
struct ResponseReceiver {
    private(set) var status = 0
    private(set) var fields = HTTPFields()
    private(set) var body: [UInt8] = []
    private(set) var failure: HTTPError?

    /// Whether anything came.
    var hasBegun: Bool { headerBytes > 0 }
    /// Whether the header is that of a redirect that is followed. Its body is not kept, and need not be whole.
    private(set) var isRedirect = false
    /// Whether the rest is not worth receiving.
    private(set) var isThrough = false

    /// Whether the header is over and a body may follow.
    var awaitsBody: Bool { isPastHeader && expectsBody && status != 204 && status != 304 }

    /// Whether the coding of the body is none that anybody knows.
    var hasUnknownCoding: Bool { content.isUnknown }

    private let authority: String
    private let limits: HTTPLimits
    /// A HEAD request's answer speaks of a body that does not come.
    private let expectsBody: Bool
    private let followsRedirects: Bool
    private var headerBytes = 0
    private(set) var isPastHeader = false
    private var lines: [HTTPFields.Field] = []
    private var content = WireContent()

    init(authority: String, method: String, limits: HTTPLimits, followsRedirects: Bool) {
        self.authority = authority
        self.limits = limits
        expectsBody = method != "HEAD"
        self.followsRedirects = followsRedirects
    }

    /// One line of the header, of an interim answer's header, or of the trailer.
    mutating func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= limits.headerBytes else {
            return fail(
                .tooLarge, "the header of the answer from \(authority) is larger than \(limits.headerBytes) bytes")
        }
        // A trailer is counted and dropped: it must not replace a field of the header (RFC 9110 §6.5.1).
        guard !isPastHeader else { return true }
        let text = line.trimmingLineEnd
        guard let first = text.first else { return endHeader() }
        if lines.isEmpty, text.begins(with: "HTTP/") {
            status = Self.status(ofLine: text)
            content.isHTTP1 = text.begins(with: "HTTP/1")
            lines.reserveCapacity(Self.usualFields)
        } else if first == 0x20 || first == 0x09 {
            unfold(text)
        } else if let colon = text.firstIndex(of: 0x3a), colon <= Self.longestName {
            let name = String(decoding: UnsafeRawBufferPointer(rebasing: text[..<colon]), as: UTF8.self)
            let value = UnsafeRawBufferPointer(rebasing: text[(colon + 1)...].trimmingBlanks)
            lines.append(HTTPFields.Field(name: name, rawValue: [UInt8](value)))
        }
        return true
    }

    /// Bytes of the body as they came from the network, before the chunks and the content coding are taken off.
    mutating func receiveWire(_ bytes: UnsafeRawBufferPointer) {
        content.receive(bytes)
        if isRedirect {
            isThrough = content.wireBytes > Self.redirectBytes
        } else if content.wireBytes > limits.wireBytes, failure == nil {
            _ = fail(.tooLarge, "the answer from \(authority) takes more than \(limits.wireBytes) bytes to send")
        }
    }

    /// Decoded bytes of the body.
    mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isRedirect { return !isThrough }
        guard failure == nil else { return false }
        let count = body.count + bytes.count
        guard count <= limits.bodyBytes else { return failTooLarge() }
        let allowed = max(content.wireBytes, 1).multipliedReportingOverflow(by: limits.decodedRatio)
        guard count <= limits.ratioFloorBytes || allowed.overflow || count <= allowed.partialValue else {
            return fail(
                .tooLarge, "the answer from \(authority) unpacks to more than \(limits.decodedRatio) times its size")
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// Whether the body is whole, and what has come behind it is nothing.
    var hasPaddedBody: Bool { isPastHeader && failure == nil && content.isPaddedGzip(body) }

    /// To be asked once libcurl is content: libcurl does not miss the end of a compressed body.
    mutating func finish() -> Bool {
        guard isPastHeader else { return fail(.badResponse, "the answer from \(authority) has no complete header") }
        guard isRedirect || content.isComplete(body) else {
            return fail(.badResponse, "the compressed body from \(authority) is cut off")
        }
        return true
    }

    private mutating func endHeader() -> Bool {
        defer { lines = [] }
        if status == 101 {
            return fail(.badResponse, "\(authority) changes to another protocol, which it was not asked for (HTTP 101)")
        }
        // Interim answers (RFC 9110 §15.2) are no answers.
        guard status >= 200 else { return true }
        isPastHeader = true
        fields = HTTPFields(lines)
        guard awaitsBody else { return true }
        content.begin(fields)
        isRedirect = followsRedirects && RedirectRule.location(status: status, fields) != nil
        if isRedirect {
            isThrough = content.announcedLength ?? 0 > Self.redirectBytes
            return !isThrough
        }
        if content.hasSeveralLengths {
            return fail(.badResponse, "the answer from \(authority) gives several lengths of its body")
        }
        if let length = content.announcedLength, length > limits.bodyBytes { return failTooLarge() }
        if let reason = content.refusal { return fail(.badResponse, "the body from \(authority) \(reason)") }
        return true
    }

    /// A line that begins with a blank goes on with the one before (RFC 9112 §5.2).
    private mutating func unfold(_ text: Slice<UnsafeRawBufferPointer>) {
        guard let last = lines.popLast() else { return }
        lines.append(HTTPFields.Field(name: last.name, rawValue: last.rawValue + [0x20] + text.trimmingBlanks))
    }

    /// In bytes.
    private static let longestName = 256

    private static func status(ofLine line: Slice<UnsafeRawBufferPointer>) -> Int {
        let digits = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix { $0 != 0x20 }
        return Int(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    private static let usualFields = 12

    /// So much of a redirect's body is received, to be dropped, for the connection to be used again.
    private static let redirectBytes = 64 << 10

    private mutating func failTooLarge() -> Bool {
        fail(.tooLarge, "the answer from \(authority) is larger than \(limits.bodyBytes) bytes")
    }

    private mutating func fail(_ kind: HTTPError.Kind, _ description: String) -> Bool {
        failure = HTTPError(kind, description)
        return false
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var trimmingLineEnd: Slice<UnsafeRawBufferPointer> {
        var line = self[...]
        if line.last == 0x0a { line.removeLast() }
        if line.last == 0x0d { line.removeLast() }
        return line
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate func begins(with text: StaticString) -> Bool {
        let start = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return count >= start.count && zip(self, start).allSatisfy(==)
    }

    fileprivate var trimmingBlanks: Slice<UnsafeRawBufferPointer> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var value = drop(while: isBlank)
        while let last = value.last, isBlank(last) { value.removeLast() }
        return value
    }
}
