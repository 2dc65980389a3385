/// RSS, Atom and RDF: from UTF-8 bytes to items.
enum FeedDecoder {
    /// Reads a document as it is, and once more repaired where it is not well-formed or hides items in a CDATA section.
    static func decode(
        _ text: ArraySlice<UInt8>, url: String, mapping: ContentMapping
    ) throws(ContentError) -> DecodedContent {
        var isSound = false
        var first = FeedReader(url: url, mapping: mapping, isRepaired: false)
        switch text.withUnsafeBufferPointer({ XMLPass.run($0, recovering: false, into: &first) }) {
        case .wellFormed where !first.hidesItems: return try content(of: &first)
        case .wellFormed: isSound = true
        case .beyondBounds: throw beyondBounds
        case .malformed: break
        }
        var second = FeedReader(url: url, mapping: mapping, isRepaired: !isSound)
        let repaired = XMLRepair.repaired(text)
        if repaired.withUnsafeBufferPointer({ XMLPass.run($0, recovering: true, into: &second) }) == .beyondBounds {
            throw beyondBounds
        }
        var content = try content(of: &second)
        if !isSound, isCut(text) {
            content.isCut = true
            content.endsInItem = text.withUnsafeBufferPointer { !ContentSniffer.endsBehindItem($0) }
            content.remarks = [DecodedContent.cut]
        }
        return content
    }

    /// Whether a document that is not well-formed lacks the end of its root: it is cut off, not just badly written.
    private static func isCut(_ text: ArraySlice<UInt8>) -> Bool {
        let tail = String(decoding: text.suffix(4096), as: UTF8.self).lowercased()
        // Items without a root end with the last of them.
        if tail.contains(/<\/(?:[a-z0-9_.-]+:)?(?:item|entry)\s*>\s*$/),
            text.withUnsafeBufferPointer({ ContentSniffer.feedRoot($0) }) == nil
        {
            return false
        }
        return !tail.contains(/<\/(?:[a-z0-9_.-]+:)?(?:rss|feed|rdf)\s*>/)
    }

    private static func content(of reader: inout FeedReader) throws(ContentError) -> DecodedContent {
        reader.finish()
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

    private static let beyondBounds = ContentError(
        .tooLarge, "the XML unfolds to far more than it holds, or has more than \(FeedReader.itemBound) items")
}
