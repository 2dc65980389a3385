import CrierNotifications

/// Writes JSON (RFC 8259) that is the same bytes for the same values: keys in the order they are given, objects of
/// ``UserInfoValue`` sorted by key, no white space.
///
/// Nothing is lost and nothing harmful shows: what ``HarmlessText/isHarmful(_:)`` names is written as `\u` escapes, so that
/// a line can be looked at in a terminal.
package struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    /// Whether the next key or element needs a comma before it.
    private var follows = false

    mutating func object(_ write: (inout JSONWriter) -> Void) { nested("{", "}", write) }

    mutating func array<Element>(_ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void) {
        nested("[", "]") { writer in
            for element in elements {
                writer.separate()
                write(&writer, element)
                writer.follows = true
            }
        }
    }

    mutating func key(_ name: String, _ write: (inout JSONWriter) -> Void) {
        separate()
        quoted(name)
        append(":")
        write(&self)
        follows = true
    }

    mutating func key(_ name: String, _ value: UserInfoValue) { key(name) { $0.value(value) } }

    /// A string, or null.
    mutating func key(_ name: String, _ text: String?) { key(name, text.map(UserInfoValue.string) ?? .null) }

    mutating func value(_ value: UserInfoValue) {
        switch value {
        case .null: append("null")
        case .bool(let flag): append(flag ? "true" : "false")
        case .number(let number): append(Self.text(of: number))
        case .string(let text): quoted(text)
        case .array(let elements): array(elements) { $0.value($1) }
        case .object(let members):
            object { writer in
                for (name, member) in members.sorted(by: { $0.key < $1.key }) { writer.key(name, member) }
            }
        }
    }

    /// A value as bytes.
    package static func bytes(_ value: UserInfoValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(value)
        return writer.bytes
    }

    /// Whole numbers without a fraction; what JSON cannot say (infinity, not a number) is null.
    static func text(of number: Double) -> String {
        guard number.isFinite else { return "null" }
        return Int64(exactly: number).map(String.init) ?? "\(number)"
    }

    private mutating func nested(_ open: String, _ close: String, _ write: (inout JSONWriter) -> Void) {
        append(open)
        follows = false
        write(&self)
        append(close)
        follows = true
    }

    private mutating func separate() {
        if follows { append(",") }
        follows = false
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func quoted(_ text: String) {
        append("\"")
        var text = text
        text.withUTF8 { append($0, isJSON: false) }
        append("\"")
    }

    /// JSON that something else has written, with escapes for what is harmful in its strings.
    package static func harmless(_ json: some Collection<UInt8>) -> [UInt8] {
        var writer = JSONWriter()
        Array(json).withUnsafeBufferPointer { writer.append($0, isJSON: true) }
        return writer.bytes
    }

    /// What needs no escape is taken over as a whole, as it is nearly all of a text.
    ///
    /// - Parameter isJSON: Whether quotes, backslashes and line ends are JSON's own.
    private mutating func append(_ text: UnsafeBufferPointer<UInt8>, isJSON: Bool) {
        var plain = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            let isOfJSON = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            guard isOfJSON ? !isJSON : HarmlessText.mayBeHarmful(byte) else {
                index += 1
                continue
            }
            let scalar = Self.scalar(in: text, at: index)
            let next = index + UTF8.width(scalar)
            if isOfJSON || HarmlessText.isHarmful(scalar) {
                bytes.append(contentsOf: text[plain..<index])
                escape(scalar)
                plain = next
            }
            index = next
        }
        bytes.append(contentsOf: text[plain...])
    }

    /// The scalar that begins at a place of valid UTF-8.
    private static func scalar(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> Unicode.Scalar {
        String(decoding: text[index..<min(index + 4, text.count)], as: UTF8.self).unicodeScalars.first ?? "\u{fffd}"
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": append("\\\"")
        case "\\": append("\\\\")
        case "\n": append("\\n")
        case "\r": append("\\r")
        case "\t": append("\\t")
        default: for unit in UTF16.encode(scalar) ?? .init() { escaped(unit) }
        }
    }

    private mutating func escaped(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }
}
