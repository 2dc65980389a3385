import CrierNotifications

import struct Foundation.Date

/// What a template may be given: one of each kind, with every key that there is.
package enum TemplateSamples {
    private static let url = "https://example.org/1"

    private static let item: UserInfoValue = .object([
        "id": "1", "title": "Title", "url": .string(url), "published": "2026-01-01T00:00:00Z", "summary": "Summary",
        "authors": ["Author"],
    ])

    package static let digest: DigestPage = {
        let entry = DigestPage.Entry(
            title: "Title", url: url, source: "source", time: "08:30", published: "2026-01-01T00:00:00Z",
            summary: "Summary", reading: "1 min", image: "https://example.org/1.png")
        return DigestPage(
            name: "digest", title: "Digest", day: "Thursday, 1 January 2026", date: "2026-01-01", language: "en",
            count: 3, summary: "3 items", left: 1, more: "and 1 more",
            groups: [DigestPage.Group(title: "source", items: [entry, entry])])
    }()

    /// Of an item, of several, of a digest, and one that has nothing but a title.
    package static let attempts: [DeliveryAttempt] = [
        content(["items": [item]], url), content(["items": [item, item]]),
        content(["items": [item, item], DigestPage.key: .object(digest.members)]),
        NotificationContent(title: "Title", sound: nil),
    ].map { content in
        let request = NotificationRequest(identifier: "source/1", content: content)
        return DeliveryAttempt(request: request, created: Date(timeIntervalSince1970: 0))
    }

    private static func content(_ userInfo: [String: UserInfoValue], _ url: String? = nil) -> NotificationContent {
        NotificationContent(
            title: "Title", subtitle: "Subtitle", body: "Body", threadIdentifier: "source",
            categoryIdentifier: "category", userInfo: userInfo,
            attachments: url.map { [NotificationAttachment(url: $0, type: "image/png")] } ?? [], url: url)
    }
}
