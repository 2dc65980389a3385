import CrierContent
import CrierNotifications
import Foundation

/// The daily policy: at most one notification per calendar day in the source's time zone, when content of that day exists
/// and no later day is accounted for. Days that went by unseen are told of in the same notification, "since" the first of them.
extension NotificationComposer {
    func daily(_ findings: Findings) -> Composition {
        let zone = source.mapping.timeZone
        let today = CalendarDay(findings.now, in: zone)
        let new = Set(findings.new.map(\.identifier))
        var days: [CalendarDay: [ContentItem]] = [:]
        for item in findings.items {
            guard let day = day(of: item, isNew: new.contains(item.identifier), findings), day <= today else {
                continue
            }
            days[day, default: []].append(item)
        }
        // Without any content yet, whatever comes from today on is to be told.
        let newest = days.keys.max() ?? today.previous
        let chosen = daysToTell(days, new: new, findings)
        let accounted = max(findings.announcedDay ?? newest, newest)
        guard let last = chosen.max(), let first = chosen.min() else { return Composition(announcedDay: accounted) }

        // The newest day first; within a day the document's own order, as the API groups it.
        let items = chosen.sorted(by: >).flatMap { days[$0] ?? [] }
        let title = source.title ?? "New in \(findings.feedTitle ?? source.name)"
        let since = first == last ? (last == today ? "" : "\(last)") : "since \(first)"
        let count = items.count == 1 ? "1 item" : "\(items.count) items"
        var content = collected(items, title: title, subtitle: since.isEmpty ? count : "\(count), \(since)", url: nil)
        content.url = items.count == 1 ? items[0].url : findings.homeURL ?? items.first?.url
        let request = NotificationRequest(identifier: "\(source.name)/\(last)", content: content)
        return Composition(parts: [Composition.Part(request: request, items: items)], announcedDay: accounted)
    }

    /// An absent or far future date counts as the first-seen date: today, for an item that is new.
    private func day(of item: ContentItem, isNew: Bool, _ findings: Findings) -> CalendarDay? {
        if let date = item.date, date <= findings.now.addingTimeInterval(86_400) {
            return CalendarDay(date, in: source.mapping.timeZone)
        }
        return isNew ? CalendarDay(findings.now, in: source.mapping.timeZone) : nil
    }

    private func daysToTell(
        _ days: [CalendarDay: [ContentItem]], new: Set<String>, _ findings: Findings
    ) -> [CalendarDay] {
        if findings.isBaseline {
            switch source.first {
            case .none: return []
            case .latest: return days.keys.max().map { [$0] } ?? []
            case .all: return Array(days.keys)
            }
        }
        if let announced = findings.announcedDay { return days.keys.filter { $0 > announced } }
        // The policy was another one until now: the days of what is new, and no older ones.
        return days.filter { $0.value.contains { new.contains($0.identifier) } }.map(\.key)
    }
}
