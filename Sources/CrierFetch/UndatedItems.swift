import CrierContent
import CrierStore
import Foundation

/// Items of a feed that are stored under other names and without dates.
extension ContentFetcher {
    /// Those of which most were in the last document, when they had no dates.
    ///
    /// - Parameters:
    ///   - items: All of a document of which no identifier is known.
    ///   - stored: What is stored and not in it, with the titles of some.
    ///   - known: Those that are recognized already.
    func namesakesWithoutDates(
        in items: [ContentItem], of source: Source, _ stored: [StoredNamesake], beside known: [Namesake],
        lastRead: Date?
    ) throws(StoreError) -> [Namesake] {
        guard let lastRead else { return [] }
        let knownOnes = Set(known.map(\.item.identifier))
        let addresses = Dictionary(grouping: items, by: \.url)
        let candidates = items.filter { item in
            guard !knownOnes.contains(item.identifier), addresses[item.url]?.count == 1 else { return false }
            return item.wasThere(by: lastRead, days: source.mapping.timeZone) ?? item.isCalledByItsAddress
        }
        let since = lastRead.addingTimeInterval(-ItemSighting.accuracy)
        let recent = TitledPage.namesakes(among: candidates, stored.filter { $0.lastSeen >= since })
        if recent.isEmpty { return [] }
        let former = try store.document(of: source.name, since: since)
        let count = min(items.count, former.count) - known.count
        if recent.ifMost(of: count, beside: known, titles: 3).isEmpty { return [] }
        return TitledPage.namesakes(among: candidates, stored)
    }
}

/// By what an item is recognized that had no date: it has one now, or is called by its address and has moved to another host.
private struct TitledPage: Hashable {
    let title: String
    let page: Substring

    private init?(_ title: String?, _ url: String?) {
        guard let title, let page = url.map(CanonicalURL.ofAllSpellings).flatMap(CanonicalURL.withoutHost) else {
            return nil
        }
        (self.title, self.page) = (title, page)
    }

    /// - Parameter items: Items of a feed of which none is known, each with an address of its own.
    static func namesakes(among items: [ContentItem], _ stored: [StoredNamesake]) -> [Namesake] {
        let undated = Dictionary(grouping: stored.filter { $0.date == nil }) { TitledPage($0.title, $0.url) }
        return items.compactMap { item in
            TitledPage(item.title, item.url).flatMap { undated[$0] }.map { Namesake(item, $0) }
        }
    }
}
