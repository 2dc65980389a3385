import CrierContent
import CrierHashing
import CrierNotifications
import CrierStore
import Foundation

/// Findings and the source's notify policy in, notification requests out. Pure.
public struct NotificationComposer: Sendable {
    /// More new items than this in one fetch become one summary.
    public static let floodLimit = 10

    let source: Source

    public init(source: Source) {
        self.source = source
    }

    /// The requests to raise, and the day that is accounted for afterwards.
    public func compose(_ findings: Findings) -> Composition {
        switch source.notify {
        case .each: Composition(parts: each(findings) + updates(findings))
        case .daily: daily(findings)
        case .none: Composition()
        }
    }

    /// The identifiers of the items that wait for digests: new ones in document order, of the baseline what ``Source/first``
    /// says.
    func waiting(_ findings: Findings) -> [String] {
        let chosen = Set((findings.isBaseline ? baseline(findings.new) : findings.new).map(\.identifier))
        return newInDocumentOrder(findings).map(\.identifier).filter(chosen.contains)
    }

    private func each(_ findings: Findings) -> [Composition.Part] {
        let chosen = findings.isBaseline ? baseline(findings.new) : findings.new
        return bounded(chosen, findings) { items in
            items.map {
                Composition.Part(
                    request: notification(of: $0, findings), items: [$0], sinks: findings.sinks(of: $0))
            }
        } summed: { sinks, items in
            summary(of: items, findings, kind: "new", sinks)
        }
    }

    /// More than ``floodLimit`` are summed up, for each place that they go to. What is urgent of them comes by itself, unless that is
    /// too much as well: it would bring the others into quiet hours.
    func bounded(
        _ items: [ContentItem], _ findings: Findings, singly: ([ContentItem]) -> [Composition.Part],
        summed: ([String]?, [ContentItem]) -> NotificationRequest
    ) -> [Composition.Part] {
        guard items.count > Self.floodLimit else { return singly(items) }
        func together(_ items: [ContentItem]) -> [Composition.Part] {
            grouped(items, findings).flatMap { sinks, items in
                items.count == 1
                    ? singly(items) : [Composition.Part(request: summed(sinks, items), items: items, sinks: sinks)]
            }
        }
        let (urgent, others) = parted(items, findings)
        return (urgent.count > Self.floodLimit ? together(urgent) : singly(urgent)) + together(others)
    }

    private func parted(
        _ items: [ContentItem], _ findings: Findings
    ) -> (urgent: [ContentItem], others: [ContentItem]) {
        let urgent = items.filter { level(of: [$0], findings) >= .timeSensitive }
        return urgent.isEmpty ? ([], items) : (urgent, items.filter { level(of: [$0], findings) < .timeSensitive })
    }

    /// The items by where they go, in their order: what goes to the same sinks is told together, whatever sends it there.
    func grouped(_ items: [ContentItem], _ findings: Findings) -> [(sinks: [String]?, items: [ContentItem])] {
        var groups: [(sinks: [String]?, items: [ContentItem])] = []
        for item in items {
            let sinks = route(of: item, findings)
            if let index = groups.firstIndex(where: { $0.sinks == sinks }) {
                groups[index].items.append(item)
            } else {
                groups.append((sinks, [item]))
            }
        }
        return groups
    }

    /// Where an item goes; nil is to the source's sinks, also where a rule names just these. The same sinks are in one order,
    /// that of the first rule with them: they are in the identifier of what is told, which is not to depend on the items.
    private func route(of item: ContentItem, _ findings: Findings) -> [String]? {
        guard let sinks = findings.sinks(of: item).map({ Set($0) }), sinks != Set(source.sinks) else { return nil }
        return source.rules.lazy.compactMap(\.sinks).first { Set($0) == sinks } ?? sinks.sorted()
    }

    /// The most urgent of those of the items.
    func level(of items: [ContentItem], _ findings: Findings) -> InterruptionLevel {
        items.map { findings.rulings[$0.identifier]?.level ?? source.level }.max() ?? source.level
    }

    private func baseline(_ items: [ContentItem]) -> [ContentItem] {
        switch source.first {
        case .all: items
        case .latest: items.suffix(1)
        case .none: []
        }
    }

    func notification(of item: ContentItem, _ findings: Findings) -> NotificationRequest {
        let brief = ItemBrief(item, limit: 500)
        let files = item.attachments.filter {
            ($0.isPicture || $0.mayBeRecording) && HostKey.mayShow($0.url, of: source.host)
        }
        // Of an episode without a page, what there is to open: a file that says what it is, if there is one.
        let recordings = files.filter { $0.mayBeRecording && !$0.isPicture && $0.url != item.image }
        let recording = recordings.first { $0.type != nil } ?? recordings.first
        var media = files.compactMap { file in
            (file.pictureType ?? file.type).map { NotificationAttachment(url: file.url, type: $0) }
        }
        if !files.contains(where: \.isPicture), let image = item.image, HostKey.mayShow(image, of: source.host) {
            // What kind of picture it is, nobody has said.
            media.append(NotificationAttachment(url: image, type: "image/*"))
        }
        let content = NotificationContent(
            title: brief.title ?? "New in \(source.name)", subtitle: source.title ?? findings.feedTitle ?? source.name,
            body: brief.text, threadIdentifier: source.name,
            interruptionLevel: level(of: [item], findings), userInfo: ToldItems([userInfo(of: item)]).userInfo,
            attachments: media, url: item.url ?? recording?.url)
        return NotificationRequest(identifier: "\(source.name)/\(item.notificationIdentifier)", content: content)
    }

    /// - Parameter kind: What the items are: `new` or `updated`.
    func summary(
        of items: [ContentItem], _ findings: Findings, kind: String, _ sinks: [String]?
    ) -> NotificationRequest {
        let name = source.title ?? findings.feedTitle ?? source.name
        let content = collected(
            items.reversed(), findings, title: "\(items.count) \(kind) in \(name)", subtitle: "",
            url: findings.homeURL ?? items.last?.url)
        var told = items.map(\.identifier).sorted()
        if let sinks { told += sinks }
        if kind != "new" { told += items.map { "\($0.identifier) \(findings.change(of: $0))" }.sorted() }
        let fingerprint = SHA256.hash(told.joined(separator: "\n")).prefix(16).hexadecimal
        return NotificationRequest(identifier: "\(source.name)/summary-\(fingerprint)", content: content)
    }

    /// One notification that tells of several items, the most urgent first, else in their order.
    func collected(
        _ items: [ContentItem], _ findings: Findings, title: String, subtitle: String, url: String?
    ) -> NotificationContent {
        let (urgent, others) = parted(items, findings)
        let items = urgent + others
        var lines = items.prefix(Self.floodLimit).compactMap { item in
            (item.title ?? item.summary?.firstLine ?? item.url).map { "• " + PlainText.cut($0, to: 120) }
        }
        if items.count > Self.floodLimit { lines.append("and \(items.count - Self.floodLimit) more") }
        return NotificationContent(
            title: title, subtitle: subtitle, body: lines.joined(separator: "\n"), threadIdentifier: source.name,
            interruptionLevel: level(of: items, findings),
            userInfo: ToldItems(items.lazy.map(userInfo)).userInfo, url: url)
    }

    private func userInfo(of item: ContentItem) -> UserInfoValue {
        var fields: [String: UserInfoValue] = ["id": .string(item.identifier)]
        fields["title"] = item.title.map { .string(PlainText.cut($0, to: 300)) }
        fields["url"] = item.url.map { .string($0) }
        fields["published"] = item.date.map { .string($0.formatted(.iso8601)) }
        fields["summary"] = item.summary.map { .string(PlainText.cut($0, to: 500)) }
        if !item.authors.isEmpty { fields["authors"] = .array(item.authors.prefix(10).map { .string($0) }) }
        return .object(fields)
    }
}

extension ContentItem {
    /// Its identifier within that of its notification: as it is, unless it reads like that of a day, a summary, a notice or an update,
    /// or of what has its number behind it. Whichever of both came second would be taken for told.
    fileprivate var notificationIdentifier: String {
        (beginsLikeMade ? "~/" : "") + identifier + (endsLikeMade ? "~" : "")
    }

    private static let madeBeginnings = ["day-", "summary-"] + SourceNotice.beginnings

    private var beginsLikeMade: Bool {
        var rest = identifier[...]
        while rest.hasPrefix("~/") { rest = rest.dropFirst(2) }
        // To make a regular expression takes longer than all the rest of a notification.
        guard let beginning = Self.madeBeginnings.first(where: rest.hasPrefix) else { return false }
        return rest.dropFirst(beginning.count).contains(/^([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9a-f]{16})/)
    }

    private var endsLikeMade: Bool {
        let numbered = identifier.utf8.reversed().drop { $0 == UInt8(ascii: "~") }
        let rest = numbered.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let isNumbered = rest.count < numbered.count
        return isNumbered && (rest.first == UInt8(ascii: "~") || rest.starts(with: "/update-".utf8.reversed()))
    }
}
