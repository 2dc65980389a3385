/// A JSON value in a notification's ``NotificationContent/userInfo``.
public enum UserInfoValue: Sendable, Hashable, Codable {
    case null
    case bool(Bool)
    /// As programs that read JSON agree on it (RFC 8259 §6): integers beyond ±2^53 belong into a string.
    case number(Double)
    case string(String)
    case array([UserInfoValue])
    case object([String: UserInfoValue])

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Texts first: there are most of them, and each wrong guess is an error that is thrown.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode([UserInfoValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: UserInfoValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

/// `nil` is none, and never ``null``: `isKnown ? value : nil` would be one where an optional value is wanted.
extension UserInfoValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral {
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension UserInfoValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: UserInfoValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, UserInfoValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
