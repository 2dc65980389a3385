/// What a feed says about itself.
struct FeedChannel {
    var title = Best<String>()
    var link = Best<String>()
    private(set) var authors: [String] = []
    var ttl: Int?
    var updatePeriod: Int?
    var updateFrequency: Int?
    var skipHours: Set<Int> = []
    var skipDays: Set<Int> = []
    var newAddress: String?

    mutating func addAuthor(_ name: String) {
        guard authors.count < ContentBounds.inheritedAuthors,
            let name = ContentBounds.text(name, to: ContentBounds.name),
            !authors.contains(name)
        else { return }
        authors.append(name)
    }

    var hints: PollingHints {
        PollingHints(
            interval: interval.map { .seconds($0) }, skipHours: skipHours, skipDays: skipDays, newAddress: newAddress)
    }

    /// Seconds.
    private var interval: Int? {
        if let ttl, ttl > 0 { return min(ttl, 525_600) * 60 }
        guard let updatePeriod else { return nil }
        return max(1, updatePeriod / max(1, updateFrequency ?? 1))
    }
}

/// The elements of a channel.
extension FeedReader {
    mutating func startChannelElement(_ element: FeedElement, _ attributes: XMLAttributes) {
        switch element.role {
        case .title:
            beginCapture(element, channel.title.wants(element.rank) ? textKind(element, attributes) : .ignored)
        case .link:
            guard let link = AtomLink(attributes) else { return beginCapture(element, .plain) }
            if let rank = link.rank { channel.link.offer(resolved(link.href), rank: rank) }
        case .author: beginCapture(element, element.isAtom || format == .atom ? .person : .ignored)
        case .ttl, .updatePeriod, .updateFrequency, .newAddress: beginCapture(element, .plain)
        default: break
        }
    }

    mutating func finishChannelElement(_ capture: FeedCapture, _ bytes: UnsafeBufferPointer<UInt8>) {
        if capture.element.role == .author {
            if let name = person.shown(bytes) { channel.addAuthor(name) }
            return
        }
        guard let text = ByteText.string(bytes) else { return }
        switch capture.element.role {
        case .title: channel.title.offer(capture.kind.line(of: bytes), rank: capture.element.rank)
        case .link: channel.link.offer(resolved(text), rank: 0)
        case .ttl: channel.ttl = Int(text) ?? (text.utf8.allSatisfy(\.isASCIIDigit) ? .max : nil)
        case .updatePeriod: channel.updatePeriod = FeedReader.periods[text.lowercased()]
        case .updateFrequency: channel.updateFrequency = Int(text)
        case .newAddress: if FeedReader.isWebAddress(text) { channel.newAddress = resolved(text) }
        case .hour: if let hour = Int(text), 0...24 ~= hour { channel.skipHours.insert(hour % 24) }
        case .day: if let day = FeedReader.days.firstIndex(of: text.lowercased()) { channel.skipDays.insert(day + 1) }
        default: break
        }
    }

    /// Seconds (https://web.resource.org/rss/1.0/modules/syndication/).
    private static let periods = [
        "hourly": 3600, "daily": 86_400, "weekly": 7 * 86_400, "monthly": 30 * 86_400, "yearly": 365 * 86_400,
    ]
    private static let days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
}
