/// The elements of an item.
extension FeedReader {
    mutating func startEntryElement(
        _ element: FeedElement, in parent: FeedElement.Role?, _ attributes: XMLAttributes
    ) {
        switch element.role {
        case .id:
            beginCapture(element, entry.id.wants(element.rank) ? .plain : .ignored)
            let permanent = attributes.bytes("isPermaLink").map { !ByteText.equalIgnoringCase($0, "false") } ?? true
            capture?.isNoLink = element.rank > 0 || element.isAtom || !permanent
        case .title:
            let isOfAttachment = parent == .mediaContent
            let isWanted = entry.title.wants(element.rank) || isOfAttachment
            beginCapture(element, isWanted ? textKind(element, attributes) : .ignored)
            capture?.isOfAttachment = isOfAttachment
        case .summary:
            beginCapture(element, entry.summary.wants(element.rank) ? textKind(element, attributes) : .ignored)
        case .content:
            addContentElsewhere(element, attributes)
            beginCapture(element, entry.content.wants(element.rank) ? textKind(element, attributes) : .ignored)
        case .published:
            beginCapture(element, entry.published.wants(element.rank) ? .plain : .ignored)
        case .updated:
            beginCapture(element, entry.updated.wants(element.rank) ? .plain : .ignored)
        case .author:
            beginCapture(element, .person)
        case .link:
            if let link = AtomLink(attributes) { add(link, rank: element.rank) } else { beginCapture(element, .plain) }
        case .category:
            if let term = attributes.string("label") ?? attributes.string("term") {
                entry.addCategory(PlainText.line(text: term))
            } else {
                beginCapture(element, .plain)
            }
        case .comments, .duration: beginCapture(element, .plain)
        case .source:
            if !element.isAtom, format != .atom { beginCapture(element, .either) }
        case .enclosure, .mediaContent, .mediaThumbnail, .image: addFile(element, attributes)
        default: break
        }
    }

    /// Of what Atom says about the feed that an entry was taken from.
    mutating func startSourceElement(_ element: FeedElement, _ attributes: XMLAttributes) {
        switch element.role {
        case .title: beginCapture(FeedElement(role: .source), textKind(element, attributes))
        case .author:
            beginCapture(element, .person)
            capture?.isOfSource = true
        default: break
        }
    }

    mutating func finishEntryElement(_ capture: FeedCapture, _ bytes: UnsafeBufferPointer<UInt8>) {
        if capture.element.role == .author {
            guard let name = person.shown(bytes) else { return }
            capture.isOfSource ? entry.addSourceAuthor(name) : entry.addAuthor(name, of: capture.element)
            return
        }
        guard !bytes.isEmpty else { return }
        let rank = capture.element.rank
        switch capture.element.role {
        case .id:
            let id = String(utf8: bytes)
            entry.id.offer(id, rank: rank)
            if !capture.isNoLink, FeedReader.isWebAddress(id) { entry.link.offer(resolved(id), rank: 3) }
        case .title:
            let title = capture.kind.line(of: bytes)
            entry.title.offer(title, rank: rank)
            if capture.isOfAttachment { entry.nameLastAttachment(title) }
        case .summary: entry.summary.offer(capture.kind.text(of: bytes, limit: ContentBounds.summary), rank: rank)
        case .content: entry.content.offer(FeedText(bytes, kind: capture.kind), rank: rank)
        case .source: entry.sourceTitle = entry.sourceTitle ?? capture.kind.line(of: bytes, limit: ContentBounds.name)
        case .comments: entry.comments.offer(resolved(String(utf8: bytes)), rank: rank)
        case .duration:
            entry.duration = entry.duration ?? FeedDuration.seconds(String(utf8: bytes.prefix(32)))
        case .link: entry.link.offer(resolved(String(utf8: bytes)), rank: rank)
        case .published: entry.published.offer(date(bytes), rank: rank)
        case .updated: entry.updated.offer(date(bytes), rank: rank)
        case .category: entry.addCategory(PlainText.line(text: String(utf8: bytes)))
        default: break
        }
    }

    func textKind(_ element: FeedElement, _ attributes: XMLAttributes) -> TextKind {
        if element.isAtom || format == .atom { return .atom(attributes, isContent: element.role == .content) }
        if let type = attributes.bytes("type"), ByteText.equalIgnoringCase(type, "plain") { return .plain }
        return .either
    }
}
