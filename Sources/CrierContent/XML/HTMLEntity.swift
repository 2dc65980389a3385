import CLibXML2

/// The entity that libxml2 is given for `&nbsp;` and its kind: feeds use HTML's names without declaring them.
///
/// One memory cell, filled anew for each reference; the parser has used it up before it asks again.
final class HTMLEntity {
    private let entity = UnsafeMutablePointer<xmlEntity>.allocate(capacity: 1)
    private let content = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    /// Of two characters, one of them escaped, and the zero at the end.
    private static let capacity = 16

    init() {
        entity.initialize(to: xmlEntity())
        content.initialize(repeating: 0, count: Self.capacity)
    }

    deinit {
        entity.deallocate()
        content.deallocate()
    }

    /// nil for a name that HTML does not know.
    func named(_ name: UnsafePointer<UInt8>, inAttribute: Bool) -> UnsafeMutablePointer<xmlEntity>? {
        guard let text = EntityNames.text(of: String(utf8: name)) else { return nil }
        var length = 0
        for byte in text.utf8 {
            // In attributes it is parsed once more.
            let escaped: StaticString? =
                switch byte {
                case UInt8(ascii: "&") where inAttribute: "&#38;"
                case UInt8(ascii: "<") where inAttribute: "&#60;"
                default: nil
                }
            let count = escaped?.utf8CodeUnitCount ?? 1
            guard length + count < Self.capacity else { break }
            if let escaped {
                (content + length).update(from: escaped.utf8Start, count: count)
            } else {
                content[length] = byte
            }
            length += count
        }
        content[length] = 0
        entity.pointee.type = XML_ENTITY_DECL
        entity.pointee.name = name
        entity.pointee.content = content
        entity.pointee.length = Int32(length)
        // A predefined one is handed on without being parsed, but in attributes only its first byte is.
        entity.pointee.etype = inAttribute ? XML_INTERNAL_GENERAL_ENTITY : XML_INTERNAL_PREDEFINED_ENTITY
        return entity
    }
}
