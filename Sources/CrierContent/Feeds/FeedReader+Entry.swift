import struct Foundation.Data

/// The elements of an item.
extension FeedReader {
    mutating func startEntryElement(_ element: FeedElement, _ attributes: XMLAttributes) {
        switch element.role {
        case .id:
            beginCapture(element, entry.id.wants(element.rank) ? .plain : .ignored)
            let permanent = attributes.bytes("isPermaLink").map { !ByteText.equalIgnoringCase($0, "false") } ?? true
            capture?.isNoLink = element.rank > 0 || element.isAtom || !permanent
        case .title:
            beginCapture(element, entry.title.wants(element.rank) ? textKind(element, attributes) : .ignored)
        case .summary:
            beginCapture(element, entry.summary.wants(element.rank) ? textKind(element, attributes) : .ignored)
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
        case .enclosure, .mediaContent, .mediaThumbnail:
            addAttachment(attributes)
        default: break
        }
    }

    mutating func finishEntryElement(_ capture: FeedCapture, _ bytes: UnsafeBufferPointer<UInt8>) {
        let rank = capture.element.rank
        if capture.element.role == .author {
            if let person = capture.person(bytes) { entry.addAuthor(person, rank: rank) }
            return
        }
        guard !bytes.isEmpty else { return }
        switch capture.element.role {
        case .id:
            let id = String(decoding: bytes, as: UTF8.self)
            entry.id.offer(id, rank: rank)
            if !capture.isNoLink, FeedReader.isWebAddress(id) { entry.link.offer(id, rank: 3) }
        case .title: entry.title.offer(feedText(capture, bytes)?.line, rank: rank)
        case .summary: entry.summary.offer(feedText(capture, bytes)?.text, rank: rank)
        case .link: entry.link.offer(resolved(String(decoding: bytes, as: UTF8.self)), rank: rank)
        case .published: entry.published.offer(date(bytes), rank: rank)
        case .updated: entry.updated.offer(date(bytes), rank: rank)
        case .category: entry.addCategory(PlainText.line(text: String(decoding: bytes, as: UTF8.self)))
        default: break
        }
    }

    private mutating func add(_ link: AtomLink, rank elementRank: UInt8) {
        if link.relation == "enclosure" {
            entry.addAttachment(ContentAttachment(url: resolved(link.href), type: link.type, length: link.length))
        } else if let rank = link.rank {
            let url = resolved(link.href)
            entry.link.offer(url.isEmpty ? nil : url, rank: rank + elementRank)
        }
    }

    private mutating func addAttachment(_ attributes: XMLAttributes) {
        guard let url = attributes.string("url") ?? attributes.string("href") else { return }
        let length = attributes.length("length") ?? attributes.length("fileSize")
        entry.addAttachment(
            ContentAttachment(url: resolved(url), type: attributes.string("type"), length: length))
    }

    func textKind(_ element: FeedElement, _ attributes: XMLAttributes) -> TextKind {
        if element.isAtom || format == .atom { return .atom(attributes, isContent: element.role == .summary) }
        if let type = attributes.bytes("type"), ByteText.equalIgnoringCase(type, "plain") { return .plain }
        return .either
    }

    func feedText(_ capture: FeedCapture, _ bytes: UnsafeBufferPointer<UInt8>) -> FeedText? {
        guard !bytes.isEmpty else { return nil }
        guard capture.kind == .base64 || capture.kind == .base64HTML else {
            return FeedText(value: String(decoding: bytes, as: UTF8.self), kind: capture.kind)
        }
        guard let data = Data(base64Encoded: Data(bytes), options: .ignoreUnknownCharacters) else { return nil }
        return FeedText(
            value: String(decoding: data, as: UTF8.self), kind: capture.kind == .base64 ? .plain : .html)
    }
}

extension FeedCapture {
    /// The name of a person: Atom's `name`, else the email address, else RSS's `address (name)`.
    func person(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        if let known = name ?? email { return PlainText.line(text: known) }
        guard !bytes.isEmpty else { return nil }
        let text = PlainText.line(html: String(decoding: bytes, as: UTF8.self))
        guard text.hasSuffix(")"), let open = text.firstIndex(of: "("), text[..<open].contains("@") else {
            return text.isEmpty ? nil : text
        }
        let inner = text[text.index(after: open)...].dropLast()
        return inner.allSatisfy(\.isWhitespace) ? text : String(inner)
    }
}
