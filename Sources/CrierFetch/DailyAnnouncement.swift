import CrierContent
import CrierNotifications
import Foundation

/// The daily policy: at most one notification per calendar day in the source's time zone, when there is new content of that
/// day and no later day is accounted for. Days that went by unseen are told of in the same notification, "since" the first.
extension NotificationComposer {
    func daily(_ findings: Findings) -> Composition {
        let today = CalendarDay(findings.now, in: source.mapping.timeZone)
        // A day beyond today was accounted for by a clock that was ahead; today's own identifier keeps it from a repeat.
        let announced = findings.announcedDay.map { $0 > today ? today.previous : $0 }
        var days: [CalendarDay: [ContentItem]] = [:]
        for item in newInDocumentOrder(findings) {
            let day = day(of: item, findings)
            if day <= today { days[day, default: []].append(item) }
        }
        let accounted = [announced, days.keys.max()].compactMap { $0 }.max()
        let chosen =
            findings.isBaseline ? baseline(days) : days.keys.filter { day in announced.map { day > $0 } ?? true }
        guard let last = chosen.max(), let first = chosen.min() else { return Composition(announcedDay: accounted) }

        // The newest day first; within a day the document's own order, as the API groups it.
        let items = chosen.sorted(by: >).flatMap { days[$0] ?? [] }
        let since = first == last ? (last == today ? "" : "\(last)") : "since \(first)"
        let parts = grouped(items, findings).map { sinks, items in
            announcement(of: items, upTo: last, since: since, to: sinks, findings)
        }
        return Composition(parts: parts, announcedDay: accounted)
    }

    private func announcement(
        of items: [ContentItem], upTo last: CalendarDay, since: String, to sinks: [String]?, _ findings: Findings
    ) -> Composition.Part {
        let title = source.title ?? "New in \(findings.feedTitle ?? source.name)"
        let count = items.count == 1 ? "1 item" : "\(items.count) items"
        var content = collected(
            items, findings, title: title, subtitle: since.isEmpty ? count : "\(count), \(since)", url: nil)
        content.url = items.count == 1 ? items[0].url : findings.homeURL ?? items.first?.url
        let route = sinks.map { "-" + $0.joined(separator: "+") } ?? ""
        let request = NotificationRequest(identifier: "\(source.name)/day-\(last)\(route)", content: content)
        return Composition.Part(request: request, items: items, sinks: sinks)
    }

    /// New items that the document no longer holds come last.
    func newInDocumentOrder(_ findings: Findings) -> [ContentItem] {
        let new = Set(findings.new.map(\.identifier))
        let held = findings.items.filter { new.contains($0.identifier) }
        let identifiers = Set(held.map(\.identifier))
        return held + findings.new.filter { !identifiers.contains($0.identifier) }
    }

    /// An absent or far future date counts as the first-seen date, which is today: the item is new.
    private func day(of item: ContentItem, _ findings: Findings) -> CalendarDay {
        CalendarDay(NewItems.date(of: item, firstSeen: findings.now), in: source.mapping.timeZone)
    }

    private func baseline(_ days: [CalendarDay: [ContentItem]]) -> [CalendarDay] {
        switch source.first {
        case .none: []
        case .latest: days.keys.max().map { [$0] } ?? []
        case .all: Array(days.keys)
        }
    }
}

extension Source {
    /// The last moment of the day that it is in its zone; to the millisecond, as dates are stored.
    func endOfDay(at now: Date) -> Date {
        let zone = self.mapping.timeZone
        return CalendarDay(now, in: zone).next.moment(0, in: zone).addingTimeInterval(-0.001)
    }
}
