import CLibXML2

/// The entity that libxml2 is given for `&nbsp;` and its kind: feeds use HTML's names without declaring them.
///
/// One memory cell, filled anew for each reference; the parser has used it up before it asks again.
final class HTMLEntity {
    private let entity = UnsafeMutablePointer<xmlEntity>.allocate(capacity: 1)
    private let content = UnsafeMutablePointer<UInt8>.allocate(capacity: 8)

    init() {
        entity.initialize(to: xmlEntity())
        content.initialize(repeating: 0, count: 8)
    }

    deinit {
        entity.deallocate()
        content.deallocate()
    }

    /// nil for a name that HTML 4 does not know.
    func named(_ name: UnsafePointer<UInt8>, inAttribute: Bool) -> UnsafeMutablePointer<xmlEntity>? {
        guard let found = htmlEntityLookup(name), let scalar = Unicode.Scalar(found.pointee.value) else { return nil }
        var length = 0
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
            content[length] = byte
            length += 1
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
