import CrierDelivery
import CrierNotifications

/// A JSON value whose objects keep their order, so that the schema file reads from top to bottom.
indirect enum JSONText: Sendable {
    case string(String)
    case number(Int)
    case bool(Bool)
    case array([JSONText])
    case object([(String, JSONText)])

    /// Indented by two spaces; short arrays on one line.
    func text(indentation: String = "") -> String {
        let inner = indentation + "  "
        switch self {
        case .string(let value): return Self.literal(value)
        case .number(let value): return "\(value)"
        case .bool(let value): return "\(value)"
        case .array(let values):
            let line = "[" + values.map { $0.text() }.joined(separator: ", ") + "]"
            if line.count + indentation.count <= 100, !line.contains("\n") { return line }
            let lines = values.map { inner + $0.text(indentation: inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(indentation)]"
        case .object(let members):
            if members.isEmpty { return "{}" }
            let lines = members.map { "\(inner)\(Self.literal($0.0)): \($0.1.text(indentation: inner))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indentation)}"
        }
    }

    private static func literal(_ text: String) -> String {
        String(decoding: JSONWriter.bytes(.string(text)), as: UTF8.self)
    }
}

extension JSONText: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    init(stringLiteral value: String) { self = .string(value) }
}

extension JSONText: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    init(arrayLiteral elements: JSONText...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSONText)...) { self = .object(elements) }
}
