import Foundation

/// One JSON object per line on standard output.
enum JSONLine {
    static func write(_ value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        guard let data = try? encoder.encode(value) else { return }
        Terminal.write(String(decoding: data, as: UTF8.self) + "\n", to: STDOUT_FILENO)
    }
}

/// A value that stands as `null` where it is absent, so that every line of a kind has the same keys.
@propertyWrapper
struct Nullable<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}
