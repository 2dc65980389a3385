/// RSS, Atom and RDF: from UTF-8 bytes to items.
enum FeedDecoder {
    /// Reads a document as it is, and once more repaired where it is not well-formed or hides items in a CDATA section.
    static func decode(
        _ text: ArraySlice<UInt8>, url: String, mapping: ContentMapping
    ) throws(ContentError) -> DecodedContent {
        try LibXML2.demand()
        var isSound = false
        var first = FeedReader(url: url, mapping: mapping, isRepaired: false)
        switch text.withUnsafeBufferPointer({ XMLPass.run($0, recovering: false, into: &first) }) {
        case .wellFormed where !first.hidesItems: return try content(of: &first)
        case .wellFormed: isSound = true
        case .beyondBounds: throw excess(of: first)
        case .malformed: break
        }
        var second = FeedReader(url: url, mapping: mapping, isRepaired: !isSound)
        let (repaired, ending) = XMLRepair.repaired(text)
        if repaired.withUnsafeBufferPointer({ XMLPass.run($0, recovering: true, into: &second) }) == .beyondBounds {
            throw excess(of: second)
        }
        var content = try content(of: &second)
        if !isSound, ending.isCut {
            content.isCut = true
            content.endsInItem = ending.isInItem
            content.endsBehindTag = ending.isBehindTag
            content.remarks = [DecodedContent.cut]
        }
        return content
    }

    private static func content(of reader: inout FeedReader) throws(ContentError) -> DecodedContent {
        reader.finish()
        if reader.isBeyondBounds { throw excess(of: reader) }
        guard let format = reader.format else {
            throw ContentError(.malformed, "the XML breaks off before it comes to a feed")
        }
        var items = reader.takeItems()
        ItemIdentity.assign(to: &items)
        if format == .atom, !ItemIdentity.clashes(in: items).isEmpty {
            AtomRevisions.keepLatest(of: &items)
            ItemIdentity.assign(to: &items)
        }
        return DecodedContent(
            format: format, items: items, title: reader.channel.title.value,
            homeURL: reader.channel.link.value, hints: reader.channel.hints,
            remarks: reader.isRepaired ? ["the XML is broken; read as far as it makes sense"] : [])
    }

    /// What there is too much of.
    private static func excess(of reader: FeedReader) -> ContentError {
        let words =
            reader.hasTooManyItems
            ? "the feed has more than \(ContentBounds.items) items" : "the XML unfolds to far more than it holds"
        return ContentError(.tooLarge, words)
    }
}
