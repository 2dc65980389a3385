import CrierContent
import CrierNotifications
import CrierStore
import Foundation

/// Items in, a page out. Pure.
struct DigestComposer {
    let digest: Digest
    /// Of the configuration, in its order.
    let sources: [Source]

    /// - Parameter items: In the order in which they came.
    func page(of items: [DigestItem], on day: CalendarDay) -> DigestPage {
        let words = DigestWords(language: digest.language)
        let shown = Array(ordered(items).prefix(max(0, digest.limit)))
        let left = items.count - shown.count
        return DigestPage(
            name: digest.name, title: digest.title ?? digest.name, day: words.day(day), date: day.description,
            language: digest.language.rawValue, count: items.count, summary: words.count(items.count), left: left,
            more: left > 0 ? words.more(left) : nil,
            groups: groups(of: placed(shown), words).map { title, items in
                DigestPage.Group(title: title, items: items.map { entry($0, words, day) })
            })
    }

    /// What is raised: a title and the first items for sinks that show little, and the whole page for those that show it.
    func content(of page: DigestPage, on day: CalendarDay) -> NotificationContent {
        let words = DigestWords(language: digest.language)
        let entries = page.groups.flatMap(\.items)
        var lines = entries.prefix(NotificationComposer.floodLimit).map { "• " + PlainText.cut($0.title, to: 120) }
        if page.count > lines.count, !lines.isEmpty { lines.append(words.more(page.count - lines.count)) }
        var userInfo = ToldItems(entries.lazy.map(Self.userInfo), omitted: page.left).userInfo
        userInfo[DigestPage.key] = page.value
        return NotificationContent(
            title: words.headline(page.title, day, page.count), subtitle: "", body: lines.joined(separator: "\n"),
            threadIdentifier: "digest/\(digest.name)", categoryIdentifier: "digest", interruptionLevel: digest.level,
            userInfo: userInfo, url: page.count == 1 ? entries.first?.url : nil)
    }

    private static func userInfo(of entry: DigestPage.Entry) -> UserInfoValue {
        var fields: [String: UserInfoValue] = [
            "title": .string(entry.title), "source": .string(entry.source),
        ]
        fields["published"] = entry.published.map { .string($0) }
        fields["url"] = entry.url.map { .string($0) }
        fields["summary"] = entry.summary.map { .string($0) }
        return .object(fields)
    }

    private func date(of item: DigestItem) -> Date { NewItems.date(of: item.item, firstSeen: item.firstSeen) }

    private func ordered(_ items: [DigestItem]) -> [DigestItem] {
        if digest.order == .document { return items }
        let indexed = items.enumerated().map { (index: $0.offset, date: date(of: $0.element), item: $0.element) }
        let isNewestFirst = digest.order == .newest
        return indexed.sorted { one, other in
            if one.date == other.date { return one.index < other.index }
            return isNewestFirst ? one.date > other.date : one.date < other.date
        }.map(\.item)
    }

    /// An item with its source, if the configuration has that still.
    private typealias PlacedItem = (item: DigestItem, source: Source?)

    private func placed(_ items: [DigestItem]) -> [PlacedItem] {
        let names = Set(items.map(\.source))
        let own = sources.lazy.filter { names.contains($0.name) }.map { ($0.name, $0) }
        let known = Dictionary(own) { first, _ in first }
        return items.map { ($0, known[$0.source]) }
    }

    /// Sources and tags in the order of the configuration; days and categories in that of the items.
    private func groups(of items: [PlacedItem], _ words: DigestWords) -> [(title: String, items: [PlacedItem])] {
        let keys = items.map { key(of: $0, words) }
        let wanted: [String] =
            switch digest.grouping {
            case .source: sources.map(name)
            case .tag: sources.compactMap(\.tags.first)
            case .day, .category: []
            }
        var left = Set(keys)
        var titles = (wanted + keys).filter { left.remove($0) != nil }
        if let index = titles.firstIndex(of: words.other) { titles.append(titles.remove(at: index)) }
        let own = Dictionary(grouping: zip(keys, items), by: \.0)
        return titles.map { title in (title, own[title, default: []].map(\.1)) }
    }

    private func key(of placed: PlacedItem, _ words: DigestWords) -> String {
        switch digest.grouping {
        case .source: name(of: placed)
        case .tag: placed.source?.tags.first ?? words.other
        case .day: words.day(CalendarDay(date(of: placed.item), in: digest.timeZone))
        case .category: placed.item.item.categories.first ?? words.other
        }
    }

    private func name(of placed: PlacedItem) -> String { placed.source.map(name) ?? placed.item.nameOfSource }

    private func name(of source: Source) -> String { source.title ?? source.name }

    private func entry(_ placed: PlacedItem, _ words: DigestWords, _ day: CalendarDay) -> DigestPage.Entry {
        let date = date(of: placed.item)
        let content = placed.item.item
        let brief = ItemBrief(content, limit: 300)
        // A text that is all that there is may be the whole, or what is to make the reader curious.
        let (text, least) = content.content.map { ($0, 1) } ?? (content.summary ?? "", 2)
        return DigestPage.Entry(
            title: brief.title ?? words.untitled, url: content.url, source: name(of: placed),
            time: words.time(date, in: digest.timeZone, on: day),
            published: content.date.map { _ in date.formatted(.iso8601) },
            summary: brief.text.isEmpty ? nil : brief.text,
            // What is stored of a long content is its beginning.
            reading: words.reading(text, isCut: text.hasSuffix("…"), atLeast: least),
            image: digest.showsImages ? content.picture(of: placed.source?.host) : nil)
    }
}

extension DigestItem {
    /// As the user knows it, also where its name is another's by now.
    fileprivate var nameOfSource: String { Store.name(beforeRetirement: source) }
}

extension ContentItem {
    /// The address of a picture of it that may be shown where that host has told it.
    fileprivate func picture(of host: HostKey?) -> String? {
        if let image, HostKey.mayShow(image, of: host) { return image }
        return attachments.first { $0.isPicture && HostKey.mayShow($0.url, of: host) }?.url
    }
}

extension DigestPage {
    /// As it stands in `userInfo`.
    var value: UserInfoValue {
        guard let data = try? JSONEncoder().encode(self) else { return .null }
        return (try? JSONDecoder().decode(UserInfoValue.self, from: data)) ?? .null
    }
}
