import CJQ

/// A value of libjq: one reference, given back when the value ends.
struct JQValue: ~Copyable {
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

    var string: String? {
        guard jv_get_kind(raw) == JV_KIND_STRING, let start = jv_string_value(raw) else { return nil }
        let count = Int(jv_string_length_bytes(reference()))
        return start.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(utf8: UnsafeBufferPointer(start: $0, count: count))
        }
    }
}

extension JQValue {
    /// The most memory, in bytes, that the values of a document of so many bytes may take.
    private static func memoryBound(of count: Int) -> Int { 64 * 1024 * 1024 + 16 * count }

    /// What libjq is given of a document.
    ///
    /// - Throws: ``ContentError`` of the kind `tooLarge` where libjq's values would take more than 64 MiB and
    ///   sixteen times the text.
    init(_ node: JSONNode) throws(ContentError) {
        guard Self.cost(of: node.document) <= Self.memoryBound(of: node.document.bytes.count) else {
            throw ContentError(
                .tooLarge,
                "the JSON has too many objects, arrays and texts for its size to run jq on; ask for fewer items")
        }
        self.init(owning: Self.reference(to: node))
    }

    /// Bytes, about: libjq's smallest object has eight slots, its smallest array sixteen.
    private static func cost(of document: JSONDocument) -> Int {
        document.tape.reduce(0) { cost, entry in
            switch entry.kind {
            case .object: cost + 464
            case .array: cost + 304
            case .plainText, .escapedText, .digits: cost + 72 + entry.extent
            default: cost + 24
            }
        }
    }

    /// One reference, the caller's.
    private static func reference(to node: JSONNode) -> jv {
        switch node.kind {
        case .null, .absent: jv_null()
        case .boolean: jv_bool(node.isTruthy ? 1 : 0)
        case .number: jv_number(node.number ?? 0)
        case .string: JQValue(node.string ?? "").reference()
        case .array: node.elements.reduce(jv_array()) { jv_array_append($0, reference(to: $1)) }
        case .object:
            node.members.reduce(jv_object()) {
                jv_object_set($0, JQValue($1.name).reference(), reference(to: $1.value))
            }
        }
    }
}
