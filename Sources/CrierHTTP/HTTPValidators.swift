import struct Foundation.Date

/// What an origin gave to ask "changed?" with (RFC 9110 §8.8): bytes that go back as they came.
public struct HTTPValidators: Sendable, Hashable {
    public var etag: [UInt8]?
    public var lastModified: [UInt8]?

    /// - Parameter etag: `*` is none (RFC 9110 §8.8.3): sent back, it would ask for nothing but any document at all (§13.1.2).
    public init(etag: [UInt8]? = nil, lastModified: [UInt8]? = nil) {
        self.etag = etag == [UInt8(ascii: "*")] ? nil : etag
        self.lastModified = lastModified
    }

    /// The validators of an answer. A Last-Modified more than 24 h ahead of `now` is left out: the origin would
    /// answer 304 until that day.
    public init(from fields: HTTPFields, now: Date) {
        self.init(from: fields, after: nil, now: now)
    }

    /// - Parameter known: A Last-Modified that was believed before.
    private init(from fields: HTTPFields, after known: [UInt8]?, now: Date) {
        self.init(etag: Self.value("ETag", in: fields), lastModified: Self.value("Last-Modified", in: fields))
        guard let lastModified, lastModified != known,
            let date = HTTPDate.parse(String(decoding: lastModified, as: UTF8.self), now: now)
        else { return }
        if date.timeIntervalSince(now) > 86_400 { self.lastModified = nil }
    }

    public var isEmpty: Bool { etag == nil && lastModified == nil }

    /// Makes a request conditional: If-None-Match, If-Modified-Since (RFC 9110 §13.1).
    ///
    /// - Parameter url: See ``HTTPRequest/conditionalURL``.
    public func apply(to request: inout HTTPRequest, givenBy url: String? = nil) {
        request.fields.removeConditions()
        request.conditionalURL = url
        if let etag { request.fields.append(HTTPFields.conditions[0], etag) }
        if let lastModified { request.fields.append(HTTPFields.conditions[1], lastModified) }
    }

    /// The validators after a 304: those it carries replace the stored ones (RFC 9111 §3.2), unless they are those of another
    /// document (§4.3.4), whose 304 would then hide it for good.
    public func merging(notModified fields: HTTPFields, now: Date) -> HTTPValidators {
        let new = HTTPValidators(from: fields, after: lastModified, now: now)
        if let etag, let other = new.etag, etag != other, EntityTag.mark(of: etag) != EntityTag.mark(of: other) {
            return self
        }
        return HTTPValidators(etag: new.etag ?? etag, lastModified: new.lastModified ?? lastModified)
    }

    /// More bytes are taken back by hardly any server, and each later request would fail.
    private static let longestValue = 4096

    /// Nothing that a request cannot say.
    private static func value(_ name: String, in fields: HTTPFields) -> [UInt8]? {
        fields.rawValue(of: name).flatMap { value in
            HTTPFields.canSend(value) && (1...longestValue).contains(value.count) ? value : nil
        }
    }
}

extension HTTPFields {
    fileprivate static let conditions = ["If-None-Match", "If-Modified-Since"]

    /// Those that ask whether something has changed.
    mutating func removeConditions() {
        for name in Self.conditions { self[name] = nil }
    }

    mutating func appendConditions(of other: HTTPFields) {
        for name in Self.conditions {
            if let value = other.rawValue(of: name) { append(name, value) }
        }
    }
}
