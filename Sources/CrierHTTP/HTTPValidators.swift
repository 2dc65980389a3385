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
    /// answer 304 until that day. So is one that is not set.
    public init(from fields: HTTPFields, now: Date) {
        self.init(from: fields, after: nil, now: now)
    }

    /// - Parameter known: A Last-Modified that was believed before.
    private init(from fields: HTTPFields, after known: [UInt8]?, now: Date) {
        self.init(etag: Self.value("ETag", in: fields), lastModified: Self.value("Last-Modified", in: fields))
        guard let lastModified, lastModified != known else { return }
        let text = String(decoding: lastModified, as: UTF8.self)
        let date = HTTPDate.parse(text, now: now)
        let isUnset = Self.unset.contains(text) || text.contains(" -0001 ") || date.map { $0 < Self.earliest } == true
        if isUnset || date.map({ $0.timeIntervalSince(now) > 86_400 }) == true { self.lastModified = nil }
    }

    /// What stands for a date that is not set, and the beginning of 1990, before which there was no web: of an origin that says so of
    /// whatever it has, each version would be as old.
    private static let (unset, earliest) = (Set(["0", "-1"]), Date(timeIntervalSince1970: 631_152_000))

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

    /// With the entity tag as the application most likely made it, before somebody compressed its answer: strong, and without the mark of
    /// a coding. Nil where that is what it is.
    ///
    /// Who compresses makes a tag weak or puts a mark behind it, and does not always take it back where it returns; an application that
    /// compares bytes then sends the whole document each time (Apache's mod_deflate; WordPress behind nginx).
    public var unmarked: HTTPValidators? {
        guard let etag else { return nil }
        let mark = EntityTag.mark(of: etag)
        let quote = UInt8(ascii: "\"")
        let bare = [quote] + mark + [quote]
        return mark.isEmpty || bare == etag ? nil : HTTPValidators(etag: bare, lastModified: lastModified)
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
