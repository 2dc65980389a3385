import CrierContent
import CrierNotifications
import CrierStore
import Foundation

/// The daily policy: at most one notification per calendar day in the source's time zone, when there is new content of that
/// day and no later day is accounted for. Days that went by unseen are told of in the same notification, "since" the first;
/// what comes late of earlier ones without news is told in one of its own.
/// Where rules send items elsewhere, there is one for each set of sinks.
extension NotificationComposer {
    func daily(_ findings: Findings) -> Composition {
        let accounted = AccountedDays(before: findings, of: source)
        let today = accounted.today
        let released = Set(findings.held.due.map(\.identifier))
        var composition = Composition()
        var (days, late): ([CalendarDay: [ContentItem]], [CalendarDay: [ContentItem]]) = ([:], [:])
        for item in newInDocumentOrder(findings) {
            let date = NewItems.date(of: item, firstSeen: findings.now)
            var day = accounted.day(ofNew: CalendarDay(date, in: source.mapping.timeZone))
            // What is held no longer is told, whatever its date is by now.
            if released.contains(item.identifier), day > today || accounted.includes(day) { day = today }
            if findings.lateDays.contains(day) {
                late[day, default: []].append(item)
            } else if day <= today {
                days[day, default: []].append(item)
            } else {
                composition.held.append(item)
            }
        }
        let chosen = findings.isBaseline ? baseline(days) : days.keys.filter { !accounted.includes($0) }
        // Of a day of which the baseline tells nothing, what comes later is told.
        let isSilent = findings.isBaseline && chosen.isEmpty
        let latest = days.keys.max().map { isSilent ? min($0, today.previous) : $0 }
        // A visit that finds nothing leaves also a mark that is not believed: as of now it would be.
        let before = latest == nil ? findings.announcedDay : accounted.last
        composition.announcedDay = [before, latest].compactMap { $0 }.max()
        // And so is it where other sources have told all of it.
        let begun = findings.isBaseline ? latest.map { min($0, today.previous) } : nil
        composition.dayIfToldByOthers = [before, begun].compactMap { $0 }.max()
        composition.isDayFree = accounted.isCertain
        composition.parts =
            parts(of: days.filter { chosen.contains($0.key) }, today: today, findings)
            + parts(of: late, today: today, isLate: true, findings)
        return composition
    }

    private func parts(
        of days: [CalendarDay: [ContentItem]], today: CalendarDay, isLate: Bool = false, _ findings: Findings
    ) -> [Composition.Part] {
        guard let last = days.keys.max(), let first = days.keys.min() else { return [] }
        // The newest day first; within a day the document's own order, as the API groups it.
        let items = days.keys.sorted(by: >).flatMap { days[$0] ?? [] }
        let since = first == last ? (last == today ? "" : "\(last)") : "since \(first)"
        return grouped(items, findings).map { sinks, items in
            let request = announcement(of: items, upTo: last, since: since, to: sinks, findings)
            return Composition.Part(request: request, items: items, sinks: sinks, isLate: isLate)
        }
    }

    private func announcement(
        of items: [ContentItem], upTo last: CalendarDay, since: String, to sinks: [String]?, _ findings: Findings
    ) -> NotificationRequest {
        let title = source.title ?? "New in \(findings.feedTitle ?? source.name)"
        let count = items.count == 1 ? "1 item" : "\(items.count) items"
        var content = collected(
            items, findings, title: title, subtitle: since.isEmpty ? count : "\(count), \(since)", url: nil)
        content.url = items.count == 1 ? items[0].url : findings.homeURL ?? items.first?.url
        let route = sinks.map { "-" + $0.joined(separator: "+") } ?? ""
        return NotificationRequest(identifier: "\(source.name)/day-\(last)\(route)", content: content)
    }

    /// New items that the document no longer holds come last.
    func newInDocumentOrder(_ findings: Findings) -> [ContentItem] {
        let new = Set(findings.new.map(\.identifier))
        let held = findings.items.filter { new.contains($0.identifier) }
        let identifiers = Set(held.map(\.identifier))
        return held + findings.new.filter { !identifiers.contains($0.identifier) }
    }

    private func baseline(_ days: [CalendarDay: [ContentItem]]) -> [CalendarDay] {
        switch source.first {
        case .none: []
        case .latest: days.keys.max().map { [$0] } ?? []
        case .all: Array(days.keys)
        }
    }
}

extension AccountedDays {
    init(before findings: Findings, of source: Source) {
        self.init(upTo: findings.announcedDay, on: findings.announcedOn, in: source.mapping.timeZone, findings.now)
    }
}

extension ContentFetcher {
    /// One mark stands for all days before it. On some of those the source had nothing since it is followed: what is new of them, within
    /// ``lateness``, was not told. On the others it may be something that was, under another name.
    func lateDays(of findings: Findings, in source: Source) throws(StoreError) -> Set<CalendarDay> {
        guard source.notify == .daily, !findings.isBaseline, !findings.new.isEmpty else { return [] }
        let (accounted, zone) = (AccountedDays(before: findings, of: source), source.mapping.timeZone)
        let new = findings.new.map { CalendarDay(NewItems.date(of: $0, firstSeen: findings.now), in: zone) }
        var late = Set(new).filter { $0 < accounted.today && accounted.includes($0) }
        guard !late.isEmpty, let first = try store.firstSighting(of: source.name) else { return [] }
        let earliest = max(CalendarDay(first, in: zone), CalendarDay(number: accounted.today.number - Self.lateness))
        late = late.filter { $0 >= earliest }
        guard let begin = late.min()?.moment(0, in: zone), let end = late.max()?.next.moment(0, in: zone), begin < end
        else { return [] }
        return late.subtracting(
            try store.itemDates(of: source.name, in: begin..<end).map { CalendarDay($0, in: zone) })
    }

    /// In days: what is dated further back is an archive, and is recorded.
    private static let lateness = 30
}
