import CLibXML2

extension FeedReader: XMLListener {
    static func install(into handler: inout xmlSAXHandler) {
        handler.getEntity = tellFeedEntity
        handler.startElementNs = tellFeedStartElement
        handler.endElementNs = tellFeedEndElement
        handler.characters = tellFeedCharacters
        handler.ignorableWhitespace = tellFeedCharacters
        handler.cdataBlock = tellFeedCharacters
        handler.processingInstruction = tellFeedInstruction
    }

    static var takesTexts: Bool { true }

    var isBeyondBounds: Bool { hasTooManyItems || growth.isExcessive }
}

/// The text that an instruction stands for. What declares entities, from whose text the parser may read, has none.
private func text(_ parser: xmlParserCtxtPtr) -> XMLText? {
    let skeleton = parser.pointee.input?.pointee.buf?.pointee.context?.assumingMemoryBound(to: XMLSkeleton.self)
    return skeleton?.pointee.nextText()
}

private let tellFeedStartElement: startElementNsSAX2Func = { context, local, prefix, uri, _, _, count, _, attributes in
    guard let local else { return }
    FeedReader.hears(context) { reader, parser in
        reader.startElement(
            XMLName(local: local, prefix: prefix, uri: uri), XMLAttributes(attributes, count: count))
        if reader.isBeyondBounds { xmlStopParser(parser) }
    }
}

private let tellFeedEndElement: endElementNsSAX2Func = { context, local, _, _ in
    guard let local else { return }
    FeedReader.hears(context) { reader, _ in reader.endElement(local: local) }
}

private let tellFeedCharacters: charactersSAXFunc = { context, bytes, count in
    guard let bytes, count > 0 else { return }
    FeedReader.hears(context) { reader, parser in
        reader.characters(UnsafeBufferPointer(start: bytes, count: Int(count)))
        if reader.isBeyondBounds { xmlStopParser(parser) }
    }
}

private let tellFeedInstruction: processingInstructionSAXFunc = { context, _, _ in
    FeedReader.hears(context) { reader, parser in
        guard let text = text(parser) else { return }
        text.forEachPiece { reader.characters($0) }
        if parser.pointee.nameNr == 0, !text.bytes.allSatisfy(\.isASCIISpace) {
            // Text outside the root.
            parser.pointee.wellFormed = 0
            xmlStopParser(parser)
        }
        if reader.isBeyondBounds { xmlStopParser(parser) }
    }
}

private let tellFeedEntity: getEntitySAXFunc = { context, name in
    guard let name else { return nil }
    var found: xmlEntityPtr?
    FeedReader.hears(context) { reader, parser in found = reader.entity(name, parser) }
    return found
}
