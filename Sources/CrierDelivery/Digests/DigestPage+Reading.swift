import CrierNotifications
import Foundation

extension DigestPage {
    /// The page that a notification carries, made plain; nil where it is no digest.
    public init?(_ content: NotificationContent) {
        guard let value = content.userInfo[Self.key], let data = try? JSONEncoder().encode(value),
            let page = try? JSONDecoder().decode(DigestPage.self, from: data)
        else { return nil }
        self = page.plain
    }

    /// Without anything that could steer a terminal or lead astray.
    public var plain: DigestPage {
        var page = self
        page.title = HarmlessText.line(title)
        page.groups = groups.map { group in
            Group(
                title: HarmlessText.line(group.title),
                items: group.items.map { item in
                    var plain = item
                    plain.title = HarmlessText.line(item.title)
                    plain.source = HarmlessText.line(item.source)
                    plain.url = WebLink.safe(item.url)
                    plain.image = WebLink.safe(item.image)
                    plain.summary = item.summary.map(HarmlessText.line).flatMap { $0.isEmpty ? nil : $0 }
                    return plain
                })
        }
        return page
    }

    /// With summaries of so many columns at most.
    func withSummaries(of width: Int) -> DigestPage {
        var page = self
        for group in groups.indices {
            for item in groups[group].items.indices {
                page.groups[group].items[item].summary = groups[group].items[item].summary?.fitted(to: width)
            }
        }
        return page
    }

    /// For templates: the keys of the JSON look; where something is absent its key is `null`.
    var members: [String: UserInfoValue] {
        func text(_ text: String?) -> UserInfoValue { text.map { .string($0) } ?? .null }
        let groups = groups.map { group -> UserInfoValue in
            let items = group.items.map { item -> UserInfoValue in
                .object([
                    "title": text(item.title), "url": text(item.url), "source": text(item.source),
                    "time": text(item.time), "published": text(item.published), "summary": text(item.summary),
                    "reading": text(item.reading), "image": text(item.image),
                ])
            }
            return .object(["title": text(group.title), "items": .array(items)])
        }
        return [
            "name": text(name), "title": text(title), "day": text(day), "date": text(date), "language": text(language),
            "count": .number(Double(count)), "summary": text(summary), "left": .number(Double(left)),
            "more": text(more), "groups": .array(groups),
        ]
    }

    /// The JSON look: one line.
    public var json: String {
        (try? JSONEncoder.ofLines.encode(self)).map { String(decoding: $0, as: UTF8.self) + "\n" } ?? ""
    }
}
