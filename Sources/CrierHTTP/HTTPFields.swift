/// Header fields in the order they were sent. Values are bytes: an ETag goes back as it came.
public struct HTTPFields: Sendable, Hashable {
    public struct Field: Sendable, Hashable {
        public let name: String
        public let rawValue: [UInt8]

        /// In bytes: what any field says that is read is shorter, and to compare texts of marks takes the square of their length.
        private static let longestValue = 8192

        /// The value as text; bytes that are not UTF-8 become U+FFFD. Empty where it is longer than 8 KiB.
        public var value: String {
            rawValue.count <= Self.longestValue ? String(decoding: rawValue, as: UTF8.self) : ""
        }

        public init(name: String, rawValue: [UInt8]) {
            self.name = name
            self.rawValue = rawValue
        }
    }

    public private(set) var all: [Field] = []

    public init() {}

    init(_ fields: [Field]) {
        all = fields
    }

    /// The last field of that name, in any case; setting it replaces all of that name.
    public subscript(name: String) -> String? {
        get { all.last { $0.name.equalsIgnoringCase(name) }?.value }
        set {
            all.removeAll { $0.name.equalsIgnoringCase(name) }
            if let newValue { append(name, Array(newValue.utf8)) }
        }
    }

    /// The bytes of the last field of that name.
    public func rawValue(of name: String) -> [UInt8]? {
        all.last { $0.name.equalsIgnoringCase(name) }?.rawValue
    }

    /// All values of a field that may stand several times, joined by commas (RFC 9110 §5.3); of very many the first.
    public func combined(_ name: String) -> String? {
        let values = all.lazy.filter { $0.name.equalsIgnoringCase(name) }.prefix(16).map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Whether a value goes on the wire as one: without line breaks and NUL (RFC 9110 §5.5).
    static func canSend(_ value: [UInt8]) -> Bool {
        // To the end in any case: then many bytes are looked at in one step.
        var refused: UInt8 = 0
        for byte in value { refused |= (byte == 0 ? 1 : 0) | (byte == 0x0a ? 1 : 0) | (byte == 0x0d ? 1 : 0) }
        return refused == 0
    }

    public mutating func append(_ name: String, _ rawValue: [UInt8]) {
        all.append(Field(name: name, rawValue: rawValue))
    }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, Array(value.utf8)) }
    }
}

extension String {
    /// Whether it may be a method or the name of a field (RFC 9110 §5.6.2).
    package var isToken: Bool {
        var text = self
        return text.withUTF8 { !$0.isEmpty && $0.allSatisfy(Self.isOfToken) }
    }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        case 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2e, 0x5e...0x60, 0x7c, 0x7e: true
        default: false
        }
    }

    /// ASCII case only, as field names are compared.
    func equalsIgnoringCase(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (one, other) = (self, other)
        return one.withUTF8 { one in
            other.withUTF8 { other in
                one.elementsEqual(other) {
                    $0 == $1 || ($0 | 0x20 == $1 | 0x20 && ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7a)
                }
            }
        }
    }
}
