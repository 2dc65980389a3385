import protocol Foundation.LocalizedError
import struct Foundation.TimeZone

/// How the user says a document is to be read.
public struct ContentMapping: Sendable, Hashable {
    /// nil: sniffed among the feed formats; with ``items`` or ``fields``, among JSON, HTML and XML, too.
    public var format: ContentFormat?
    /// What yields the items: a jq program for JSON, an XPath expression for HTML and XML. nil for feeds.
    public var items: String?
    /// What yields each field of an item, relative to the item. The same language as ``items``.
    public var fields: [ContentField: String]
    /// A jq program over a JSON document that must not be false or null, else the document is a failure report.
    public var when: String?
    /// The zone of dates that name none.
    public var timeZone: TimeZone {
        get { namedTimeZone ?? Self.machines }
        set { namedTimeZone = newValue }
    }
    private var namedTimeZone: TimeZone?
    /// It follows the machine by itself, and takes more to make than a date to read.
    private static let machines = TimeZone.autoupdatingCurrent
    /// Whether dates are in ``timeZone`` in spite of a `Z` or an offset that they carry (`dates: local`).
    public var datesAreLocal: Bool

    /// - Parameter timeZone: Nil is the machine's, looked up whenever somebody asks for it.
    public init(
        format: ContentFormat? = nil, items: String? = nil, fields: [ContentField: String] = [:], when: String? = nil,
        timeZone: TimeZone? = .gmt, datesAreLocal: Bool = false
    ) {
        self.format = format
        self.items = items
        self.fields = fields
        self.when = when
        self.namedTimeZone = timeZone
        self.datesAreLocal = datesAreLocal
    }

    /// Whether it says what the items are, or what one consists of.
    package var isMapped: Bool { items != nil || !fields.isEmpty }
}

/// The fields of an item that a mapping can fill.
public enum ContentField: String, Sendable, Hashable, CaseIterable {
    case id, title, url, published, updated, summary, author, attachment, category
}

/// A document on its way to be read.
public struct ContentDocument: Sendable {
    public var body: [UInt8]
    /// The address it finally came from: the base of relative links.
    public var url: String
    /// The `Content-Type` field, as sent.
    public var contentType: String?

    public init(body: [UInt8], url: String, contentType: String? = nil) {
        self.body = body
        self.url = url
        self.contentType = contentType
    }
}

/// Why a document could not be read: one sentence for the user.
public struct ContentError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// Nothing Crier reads: an image, a login page, an empty body.
        case notAFeed
        /// The right format, but beyond repair.
        case malformed
        /// The `when` program says that the document reports an error.
        case reportsError
        /// A jq or XPath expression that does not compile or does not run.
        case badExpression
        /// Beyond a bound on depth, count, size or time.
        case tooLarge
        /// A library that is needed cannot be loaded, or there is no memory for it: that says nothing of the document.
        case unavailable
    }

    public let kind: Kind
    public let description: String
    public var errorDescription: String? { description }

    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
