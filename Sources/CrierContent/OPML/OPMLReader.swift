import CLibXML2

/// Listens to the events of one pass over OPML 1.0 or 2.0 and gathers its feeds.
struct OPMLReader {
    let htmlEntity = HTMLEntity()
    let isRepaired: Bool
    private(set) var list = SubscriptionList()
    private(set) var isOPML = false
    var growth = ContentGrowth(of: 0)
    /// The open outlines: the name of each that is a folder. A feed is none, though some close it late.
    private var folders: [Outline] = []
    private var places: [String: Int] = [:]
    private var title: [UInt8]?

    private struct Outline {
        var name: String?
        /// Why it is no feed, until it turns out to be a folder.
        var complaint: String?
        /// Whether it is commented out, and so all that it holds.
        var isComment: Bool
    }

    init(isRepaired: Bool) {
        self.isRepaired = isRepaired
    }

    mutating func startElement(_ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes) {
        switch String(utf8: name).lowercased() {
        case "opml": isOPML = true
        case "outline":
            isOPML = true
            start(attributes)
        case "title" where list.title == nil && folders.isEmpty: title = []
        default: break
        }
    }

    mutating func endElement(_ name: UnsafePointer<UInt8>) {
        switch String(utf8: name).lowercased() {
        case "outline": if let complaint = folders.popLast()?.complaint { complain(complaint) }
        case "title":
            if let bytes = title { list.title = Self.line(String(utf8: bytes)) }
            title = nil
        default: break
        }
    }

    mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        growth.count(bytes.count)
        if title != nil { title?.append(contentsOf: bytes) }
    }

    // MARK: Outlines

    private mutating func start(_ attributes: XMLAttributes) {
        // What holds outlines is a folder, whatever it lacks.
        if let last = folders.indices.last { folders[last].complaint = nil }
        let title = attributes.string("title").flatMap(Self.line)
        let name = attributes.string("text").flatMap(Self.line) ?? title
        let type = attributes.string("type")?.lowercased() ?? ""
        let isComment = folders.last?.isComment == true || attributes.string("isComment")?.lowercased() == "true"
        var complaint: String?
        var isFeed = false
        if let url = attributes.string("xmlUrl") ?? (type == "rss" ? attributes.string("url") : nil) {
            isFeed = true
            if let reason = Self.reason(toLeaveOut: type, isComment: isComment) {
                complain("“\(title ?? name ?? "")”: \(reason)")
            } else {
                add(url, title: title ?? name, attributes)
            }
        } else if !isComment {
            complaint = Self.complaint(name: name, type: type, url: attributes.string("url"))
        }
        folders.append(Outline(name: isFeed ? nil : name.map(Self.tag), complaint: complaint, isComment: isComment))
    }

    private mutating func add(_ url: String, title: String?, _ attributes: XMLAttributes) {
        guard url.utf8.count <= ContentBounds.url else {
            return complain("“\(title ?? "")”: the address is too long")
        }
        let categories = (attributes.string("category") ?? "").split(separator: ",").prefix(ContentBounds.list)
        let tags = [folder] + categories.map { Self.path($0.split(separator: "/").map(String.init)) }
        let key = SubscriptionList.sameness(of: url)
        let place = places[key] ?? list.feeds.count
        if place < list.feeds.count {
            list.feeds[place].placeCount += 1
        } else {
            guard place < SubscriptionList.feedBound else {
                return complain("“\(title ?? "")”: one of more than \(SubscriptionList.feedBound) feeds")
            }
            places[key] = place
            list.feeds.append(SubscriptionList.Feed(url: url, title: title, homeURL: attributes.string("htmlUrl")))
        }
        for tag in tags.compactMap(\.self) where !list.feeds[place].tags.contains(tag) {
            if list.feeds[place].tags.count < ContentBounds.list { list.feeds[place].tags.append(tag) }
        }
    }

    /// The folders around, as one tag.
    private var folder: String? {
        Self.path(folders.prefix(SubscriptionList.depthBound).compactMap(\.name))
    }

    private static func path(_ names: [String]) -> String? {
        let names = names.map(tag).filter { !$0.isEmpty }
        return names.isEmpty ? nil : names.joined(separator: "/")
    }

    /// A name as part of a tag: slashes part folders, commas part categories.
    private static func tag(_ name: String) -> String {
        let plain = name.map { "/,".contains($0) ? " " : $0 }
        return PlainText.line(text: String(plain), limit: 100)
    }

    private static func line(_ text: String) -> String? {
        ContentBounds.text(PlainText.line(text: text), to: ContentBounds.name)
    }

    // MARK: Complaints

    /// Of what has an address.
    private static func reason(toLeaveOut type: String, isComment: Bool) -> String? {
        if isComment { return "it is commented out" }
        // FreshRSS: HTML+XPath, XML+XPath, JSON+DotNotation. Others have a media type there, such as application/rss+xml.
        guard type.contains("+xpath") || type.contains("+dot") else { return nil }
        return "no feed, but read by expressions of another reader; `crier add` takes Crier's own"
    }

    private static func complaint(name: String?, type: String, url: String?) -> String? {
        let shown = "“\(name ?? "")”"
        switch type {
        case "rss": return "\(shown): a feed without an address (xmlUrl)"
        case "link", "include": return "\(shown): another list or page, not read: \(url ?? "without an address")"
        // An empty folder, or a line of an outline that is no subscription list.
        default: return nil
        }
    }

    private mutating func complain(_ sentence: String) {
        list.leftOutCount += 1
        if list.remarks.count < SubscriptionList.remarkBound { list.remarks.append(sentence) }
    }
}

// MARK: libxml2

extension OPMLReader: XMLListener {
    static func install(into handler: inout xmlSAXHandler) {
        handler.getEntity = tellOPMLEntity
        handler.startElementNs = tellOPMLStartElement
        handler.endElementNs = tellOPMLEndElement
        handler.characters = tellOPMLCharacters
        handler.cdataBlock = tellOPMLCharacters
    }

    static var takesTexts: Bool { false }

    var isBeyondBounds: Bool { growth.isExcessive }
}

private let tellOPMLStartElement: startElementNsSAX2Func = { context, local, _, _, _, _, count, _, attributes in
    guard let local else { return }
    OPMLReader.hears(context) { reader, _ in reader.startElement(local, XMLAttributes(attributes, count: count)) }
}

private let tellOPMLEndElement: endElementNsSAX2Func = { context, local, _, _ in
    guard let local else { return }
    OPMLReader.hears(context) { reader, _ in reader.endElement(local) }
}

private let tellOPMLCharacters: charactersSAXFunc = { context, bytes, count in
    guard let bytes, count > 0 else { return }
    OPMLReader.hears(context) { reader, parser in
        reader.characters(UnsafeBufferPointer(start: bytes, count: Int(count)))
        if reader.isBeyondBounds { xmlStopParser(parser) }
    }
}

private let tellOPMLEntity: getEntitySAXFunc = { context, name in
    guard let name else { return nil }
    var found: xmlEntityPtr?
    OPMLReader.hears(context) { reader, parser in found = reader.entity(name, parser) }
    return found
}
