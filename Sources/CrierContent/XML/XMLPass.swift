import CLibXML2

/// Who is told what stands in an XML document. libxml2 calls C functions, which know the one type that they serve.
protocol XMLListener {
    /// Adds the functions that are to be called; they find the listener in the parser's `_private`.
    static func install(into handler: inout xmlSAXHandler)
    var htmlEntity: HTMLEntity { get }
    /// Begins with the pass.
    var growth: ContentGrowth { get set }
    var isBeyondBounds: Bool { get }
    /// Whether instructions are asked what they stand for, see ``XMLSkeleton``.
    static var takesTexts: Bool { get }
}

extension XMLListener {
    /// Borrows the listener of a parser for one event; while that is told, nobody else touches it.
    @inline(__always)
    static func hears(_ context: UnsafeMutableRawPointer?, _ event: (inout Self, xmlParserCtxtPtr) -> Void) {
        guard let parser = context?.assumingMemoryBound(to: xmlParserCtxt.self),
            let listener = parser.pointee._private
        else { return }
        event(&listener.assumingMemoryBound(to: Self.self).pointee, parser)
    }

    /// An entity that the document declares, or that HTML has. What one adds to an attribute is counted here; in text it
    /// is counted as text.
    mutating func entity(_ name: UnsafePointer<UInt8>, _ parser: xmlParserCtxtPtr) -> xmlEntityPtr? {
        let isInAttribute = parser.pointee.instate == XML_PARSER_ATTRIBUTE_VALUE
        let found = xmlSAX2GetEntity(parser, name) ?? htmlEntity.named(name, inAttribute: isInAttribute)
        if isInAttribute, let found { growth.count(Int(found.pointee.length)) }
        guard isBeyondBounds else { return found }
        // The text of an entity has a parser of its own; stopping that one does not stop the document's.
        xmlStopParser(parser)
        return nil
    }
}

/// One pass of libxml2's SAX2 parser over a UTF-8 document, told to a listener.
enum XMLPass {
    enum Outcome {
        case wellFormed, malformed
        /// Entities or addresses that unfold beyond all measure, too many items.
        case beyondBounds
    }

    /// Stops at the first error, or before an ``XMLBurden`` that is excessive, unless `recovering`. The network, external
    /// entities and DTDs stay out of it. To be called after ``LibXML2/demand()``.
    static func run<Listener: XMLListener>(
        _ document: UnsafeBufferPointer<UInt8>, recovering: Bool, into listener: inout Listener
    ) -> Outcome {
        // libxml2 takes off one byte order mark, which the skeleton would take for something before the declaration.
        var document = document
        while document.starts(with: "\u{FEFF}".utf8) {
            document = UnsafeBufferPointer(rebasing: document.dropFirst("\u{FEFF}".utf8.count))
        }
        guard !document.isEmpty else { return .malformed }
        var skeleton = XMLSkeleton(document, takesTexts: Listener.takesTexts && !recovering, isWeighed: !recovering)
        return withUnsafeMutablePointer(to: &skeleton) { skeleton in
            guard
                let context = xmlCreateIOParserCtxt(
                    nil, nil, readPiece, nil, skeleton, XML_CHAR_ENCODING_UTF8)
            else { return .malformed }
            defer { xmlFreeParserCtxt(context) }
            listener.growth = ContentGrowth(of: document.count)
            let outcome = run(context, recovering: recovering, into: &listener)
            return skeleton.pointee.burden.isExcessive ? .malformed : outcome
        }
    }

    private static func run<Listener: XMLListener>(
        _ context: xmlParserCtxtPtr, recovering: Bool, into listener: inout Listener
    ) -> Outcome {
        var options =
            XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue | XML_PARSE_IGNORE_ENC.rawValue
            | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue | XML_PARSE_COMPACT.rawValue
        if recovering { options |= XML_PARSE_RECOVER.rawValue }
        xmlCtxtUseOptions(context, Int32(options))
        install(Listener.self, into: context)
        withUnsafeMutablePointer(to: &listener) { listener in
            context.pointee._private = UnsafeMutableRawPointer(listener)
            _ = xmlParseDocument(context)
            context.pointee._private = nil
        }
        if let declared = context.pointee.myDoc { xmlFreeDoc(declared) }
        context.pointee.myDoc = nil
        if listener.isBeyondBounds { return .beyondBounds }
        return context.pointee.wellFormed != 0 ? .wellFormed : .malformed
    }

    private static func install(_ listener: (some XMLListener).Type, into context: xmlParserCtxtPtr) {
        guard let sax = context.pointee.sax else { return }
        // The tree-building start, internal subset and entity handlers keep entities that the document itself declares.
        var handler = xmlSAXHandler()
        handler.initialized = XML_SAX2_MAGIC
        handler.startDocument = xmlSAX2StartDocument
        handler.internalSubset = xmlSAX2InternalSubset
        handler.entityDecl = declareEntity
        handler.serror = { _, _ in }
        listener.install(into: &handler)
        sax.pointee = handler
    }
}

private let readPiece: xmlInputReadCallback = { skeleton, piece, count in
    guard let skeleton = skeleton?.assumingMemoryBound(to: XMLSkeleton.self), let piece, count > 0 else { return 0 }
    return Int32(skeleton.pointee.read(into: UnsafeMutableRawBufferPointer(start: piece, count: Int(count))))
}

/// Only entities whose text stands in the document: nothing is ever loaded.
private let declareEntity: entityDeclSAXFunc = { context, name, type, publicID, systemID, content in
    guard type == Int32(XML_INTERNAL_GENERAL_ENTITY.rawValue) else { return }
    xmlSAX2EntityDecl(context, name, type, publicID, systemID, content)
}
