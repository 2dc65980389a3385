import CLibXML2

/// libxml2, which a binary may load when it is first needed.
enum LibXML2 {
    /// Asked before anything else of it is called, as it is made ready for several threads then.
    static var isThere: Bool { crier_libxml2_is_there() != 0 }

    /// Called before a document is read: without the library it would look like a broken one, or like an empty one.
    static func demand() throws(ContentError) {
        guard isThere else { throw .noLibXML2 }
    }
}

extension ContentError {
    static let noLibXML2 = ContentError(.unavailable, "libxml2 cannot be loaded, or there is no memory for it")
}
