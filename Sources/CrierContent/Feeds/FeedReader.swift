import struct Foundation.Date

/// Listens to the events of one pass over a feed and gathers its items.
///
/// Elements count by what they are in: those of a channel, of an item, of a media group. What is inside an element that
/// nobody knows is nobody's, except in a repaired document, where nesting proves nothing.
struct FeedReader {
    let htmlEntity = HTMLEntity()
    let mapping: ContentMapping
    let isRepaired: Bool
    private(set) var format: ContentFormat?
    private(set) var items: [ContentItem] = []
    private(set) var hasTooManyItems = false
    /// Whether items stand in a CDATA section between the others, which is text to XML.
    private(set) var hidesItems = false
    var channel = FeedChannel()
    var entry = FeedEntry()
    /// What the document says where, to resolve links: `xml:base` with the depth of its element.
    private var bases: [(depth: Int, url: String)]
    private var names = FeedNames()
    private var stack: [FeedElement.Role] = []
    private var isInEntry = false
    /// How many items stand before this one.
    private var place = 0
    /// The items around this one.
    private var outer: [(entry: FeedEntry, place: Int)] = []
    private var text: [UInt8] = []
    var growth = ContentGrowth(of: 0)
    var capture: FeedCapture?
    /// Whom the element that is captured tells of.
    private(set) var person = FeedPerson()

    init(url: String, mapping: ContentMapping, isRepaired: Bool) {
        self.mapping = mapping
        self.isRepaired = isRepaired
        bases = url.isEmpty ? [] : [(depth: 0, url: url)]
        stack.reserveCapacity(64)
        text.reserveCapacity(4096)
    }

    // MARK: Events

    mutating func startElement(_ name: XMLName, _ attributes: XMLAttributes) {
        if let open = capture {
            // RSS: an element in the name of a source is there because that name's end is missing.
            guard isRepaired, open.element.role == .source, format != .atom else {
                return startInside(name, attributes)
            }
            finishCapture()
        }
        var element = names.element(name)
        // Atom's elements in another format come after that format's own.
        if element.isAtom, format != .atom { element.rank += 1 }
        let parent = stack.last
        // An item in an item counts, one of something else in an item does not.
        if element.role == .item, isInEntry, parent != .item { element = .unknown }
        stack.append(element.role)
        if !attributes.isEmpty, let base = attributes.xmlBase { beginBase(base) }
        if element.role == .item {
            // An Atom entry may stand alone (RFC 4287 section 2), and an item that has lost its feed.
            if parent == nil { format = element.isAtom ? .atom : .rss }
            beginEntry(attributes)
        } else if isInEntry {
            if isEntryParent(parent) {
                startEntryElement(element, in: parent, attributes)
            } else if parent == .source {
                startSourceElement(element, attributes)
            }
        } else {
            startFeedElement(element, parent: parent, attributes)
        }
    }

    mutating func endElement(local: UnsafePointer<UInt8>) {
        if let depth = capture?.depth {
            if depth > 0 { return endInside(local) }
            finishCapture()
        }
        if let base = bases.last, base.depth == stack.count { bases.removeLast() }
        if stack.popLast() == .item { finishEntry() }
    }

    mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        growth.count(bytes.count)
        guard let kind = capture?.kind else {
            if !hidesItems, isBetweenItems { hidesItems = ContentSniffer.beginsItem(bytes, at: 0) }
            return
        }
        if kind == .ignored { return }
        if kind == .xhtml {
            appendEscaped(bytes)
        } else {
            text.append(contentsOf: bytes)
        }
    }

    /// What a document that ended too early has left open still counts.
    ///
    /// The authors of the feed stand in for an item's own (RFC 4287 section 4.1.2), wherever in the feed they are.
    mutating func finish() {
        if capture != nil { finishCapture() }
        while isInEntry { finishEntry() }
        growth.inherit(channel.authors, to: &items)
    }

    /// The items, which the reader then has no longer: whoever changes them copies none.
    mutating func takeItems() -> [ContentItem] {
        var taken: [ContentItem] = []
        swap(&taken, &items)
        return taken
    }

    // MARK: Structure

    private var isBetweenItems: Bool {
        switch stack.last {
        case .channel, .feed, .rss, .rdf: !isInEntry
        default: false
        }
    }

    private func isEntryParent(_ parent: FeedElement.Role?) -> Bool {
        switch parent {
        case .item, .enclosure, .mediaGroup, .mediaContent: true
        case .unknown: isRepaired
        // In RSS it holds no elements, so that what is found in it is there because its end is missing.
        case .source: isRepaired && format != .atom
        default: false
        }
    }

    private mutating func startFeedElement(
        _ element: FeedElement, parent: FeedElement.Role?, _ attributes: XMLAttributes
    ) {
        switch element.role {
        case .rss: format = format ?? .rss
        case .rdf: format = format ?? .rdf
        case .feed: format = format ?? .atom
        case .channel:
            guard parent == nil else { break }
            format = .rss
            // The Channel Definition Format.
            if let base = attributes.string("base") { beginBase(base) }
        case .hour: if parent == .skipHours { beginCapture(element, .plain) }
        case .day: if parent == .skipDays { beginCapture(element, .plain) }
        default:
            switch parent {
            case .channel, .feed, .rss, .rdf: startChannelElement(element, attributes)
            default: break
            }
        }
    }

    private mutating func beginEntry(_ attributes: XMLAttributes) {
        guard format != nil else { return }
        if isInEntry {
            outer.append((entry, place))
            entry = FeedEntry()
        }
        place = items.count
        isInEntry = true
        if attributes.isEmpty { return }
        if let about = attributes.string("about") {
            entry.id.offer(about, rank: 1)
            entry.link.offer(FeedReader.isWebAddress(about) ? about : nil, rank: 4)
        }
        // The Channel Definition Format says these in attributes.
        if let page = attributes.string("href") { entry.link.offer(resolved(page), rank: 4) }
        if let changed = attributes.bytes("lastmod") { entry.updated.offer(date(changed), rank: 3) }
    }

    private mutating func finishEntry() {
        guard isInEntry else { return }
        if items.count >= ContentBounds.items {
            hasTooManyItems = true
        } else if outer.isEmpty || !entry.isEmpty {
            // Seen in FeedBurner's feeds: an empty item within an item, which says nothing, and is left out.
            // Nearly always the last, which is cheaper.
            if place == items.count { items.append(entry.item()) } else { items.insert(entry.item(), at: place) }
        }
        if let last = outer.popLast() {
            (entry, place) = last
        } else {
            isInEntry = false
            entry = FeedEntry()
        }
    }

    // MARK: Text

    mutating func beginCapture(_ element: FeedElement, _ kind: TextKind) {
        text.removeAll(keepingCapacity: true)
        capture = FeedCapture(element: element, kind: kind)
        if kind == .person { person = FeedPerson() }
    }

    private mutating func finishCapture() {
        guard let finished = capture else { return }
        capture = nil
        guard finished.kind != .ignored else { return }
        // Out of the reader and back, so that the text is readable while the reader changes.
        var taken: [UInt8] = []
        swap(&taken, &text)
        taken.withUnsafeBufferPointer { buffer in
            let bytes = ByteText.trimmed(buffer)
            if isInEntry {
                finishEntryElement(finished, bytes)
            } else {
                finishChannelElement(finished, bytes)
            }
        }
        swap(&taken, &text)
    }

    private mutating func startInside(_ name: XMLName, _ attributes: XMLAttributes) {
        capture?.depth += 1
        switch capture?.kind {
        case .either, .html, .xhtml:
            appendTag("<", name.local, alternative: attributes.isEmpty ? nil : attributes.bytes("alt"))
        case .person where capture?.depth == 1:
            let role = names.element(name).role
            if role == .name || role == .email { text.removeAll(keepingCapacity: true) }
            person.part = role
        default: break
        }
    }

    private mutating func endInside(_ local: UnsafePointer<UInt8>) {
        capture?.depth -= 1
        switch capture?.kind {
        case .either, .html, .xhtml: appendTag("</", local)
        case .person where capture?.depth == 0:
            person.endPart(text.withUnsafeBufferPointer { ByteText.string(ByteText.trimmed($0)) })
            text.removeAll(keepingCapacity: true)
        default: break
        }
    }

    /// The tag, of all attributes only with the `alt` that a picture is read by.
    private mutating func appendTag(
        _ start: StaticString, _ local: UnsafePointer<UInt8>, alternative: UnsafeBufferPointer<UInt8>? = nil
    ) {
        text.append(contentsOf: UnsafeBufferPointer(start: start.utf8Start, count: start.utf8CodeUnitCount))
        var end = local
        while end.pointee != 0 { end += 1 }
        text.append(contentsOf: UnsafeBufferPointer(start: local, count: end - local))
        if let alternative {
            text.append(contentsOf: " alt=\"".utf8)
            appendEscaped(alternative)
            text.append(UInt8(ascii: "\""))
        }
        text.append(UInt8(ascii: ">"))
    }

    private mutating func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "<"): text.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: "&"): text.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "\""): text.append(contentsOf: "&quot;".utf8)
            default: text.append(byte)
            }
        }
    }

    // MARK: Addresses and dates

    /// What an address gets from its base counts as text: one may stand in many items.
    mutating func resolved(_ reference: String) -> String {
        growth.resolve(URLReference.unescaped(reference), against: bases.last?.url)
    }

    /// Within the element that has just begun.
    private mutating func beginBase(_ reference: String) {
        let url = ContentBounds.base(URLReference.unescaped(reference), against: bases.last?.url)
        if let url { bases.append((depth: stack.count, url: url)) }
    }

    static func isWebAddress(_ text: String) -> Bool {
        text.hasPrefix("http://") || text.hasPrefix("https://")
    }

    func date(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
        DateParser.parse(utf8: bytes, timeZone: mapping.timeZone, datesAreLocal: mapping.datesAreLocal)
    }
}

/// An element whose text is being gathered.
struct FeedCapture {
    let element: FeedElement
    let kind: TextKind
    /// How many elements are open inside it.
    var depth = 0
    /// RSS: `isPermaLink="false"`.
    var isNoLink = false
    /// Media RSS: the title of a file, not of the item.
    var isOfAttachment = false
    /// Atom: an author of the feed that the entry was taken from.
    var isOfSource = false

    init(element: FeedElement, kind: TextKind) {
        self.element = element
        self.kind = kind
    }
}
