import CJQ

/// A JSON value of libjq: one reference, given back when the value ends.
struct JQValue: ~Copyable {
    enum Kind { case null, boolean, number, string, array, object, invalid }

    private let raw: jv

    /// Takes over one reference.
    init(owning raw: jv) { self.raw = raw }

    init(_ text: String) {
        self.init(
            owning: withUTF8(of: text) { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    characters.baseAddress.map { jv_string_sized($0, Int32(clamping: characters.count)) }
                        ?? jv_string("")
                }
            })
    }

    deinit { jv_free(raw) }

    /// A second reference for libjq's functions, which consume what they are given.
    borrowing func reference() -> jv { jv_copy(raw) }

    borrowing func copy() -> JQValue { JQValue(owning: reference()) }

    var kind: Kind {
        switch jv_get_kind(raw) {
        case JV_KIND_NULL: .null
        case JV_KIND_FALSE, JV_KIND_TRUE: .boolean
        case JV_KIND_NUMBER: .number
        case JV_KIND_STRING: .string
        case JV_KIND_ARRAY: .array
        case JV_KIND_OBJECT: .object
        default: .invalid
        }
    }

    /// What jq takes for true: everything but false and null.
    var isTruthy: Bool { kind != .null && kind != .invalid && jv_get_kind(raw) != JV_KIND_FALSE }

    var boolean: Bool? { kind == .boolean ? jv_get_kind(raw) == JV_KIND_TRUE : nil }

    var string: String? {
        guard kind == .string, let start = jv_string_value(raw) else { return nil }
        let count = Int(jv_string_length_bytes(reference()))
        return start.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
    }

    var number: Double? { kind == .number ? jv_number_value(raw) : nil }

    /// A string, or a number in decimals.
    var text: String? {
        guard let number else { return string }
        guard number.isFinite else { return nil }
        if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
        return String(number)
    }

    /// The elements of an array, the members of an object; 0 for anything else.
    var count: Int {
        switch kind {
        case .array: Int(jv_array_length(reference()))
        case .object: Int(jv_object_length(reference()))
        default: 0
        }
    }

    /// An array's element.
    subscript(index: Int) -> JQValue {
        kind == .array ? JQValue(owning: jv_array_get(reference(), Int32(clamping: index))) : .invalid
    }

    /// An object's member.
    subscript(name: String) -> JQValue {
        guard kind == .object else { return .invalid }
        let name = JQValue(name)
        return JQValue(owning: jv_object_get(reference(), name.reference()))
    }

    static var invalid: JQValue { JQValue(owning: jv_invalid()) }
    static var null: JQValue { JQValue(owning: jv_null()) }

    /// The names of an object's members, in libjq's order.
    var keys: [String] {
        guard kind == .object else { return [] }
        let keys = JQValue(owning: jv_keys(reference()))
        return (0..<keys.count).compactMap { keys[$0].string }
    }

    /// What a failed computation says; nil where this is no error.
    var errorMessage: String? {
        guard kind == .invalid, jv_invalid_has_msg(reference()) != 0 else { return nil }
        let message = JQValue(owning: jv_invalid_get_msg(reference()))
        return message.string ?? JQValue(owning: jv_dump_string(message.reference(), 0)).string
    }

    /// The value's shape without any of its strings, which may be secret: `an object with error, results`.
    var shape: String {
        switch kind {
        case .null: return "null"
        case .boolean: return isTruthy ? "true" : "false"
        case .number: return "a number"
        case .string: return "a string"
        case .array: return count == 0 ? "an empty array" : "an array of \(count)"
        case .object:
            let names = keys.prefix(8).map { PlainText.line(text: $0, limit: 30) }.joined(separator: ", ")
            return count == 0 ? "an empty object" : "an object with \(names)\(count > 8 ? ", …" : "")"
        case .invalid: return "nothing"
        }
    }
}
