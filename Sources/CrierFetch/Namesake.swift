import CrierContent
import CrierStore
import Foundation

/// An item that seems to be stored under another name.
struct Namesake {
    let item: ContentItem
    /// From where it may have moved.
    let moves: Set<HostMove>
    /// Whether that is sure of it alone: it is called by the number of its page's edition, or was there before at the same address and
    /// says the same, or stands for what was in the last document.
    let isItself: Bool

    /// - Parameter lastRead: When the last document was read, of an item that was there before.
    init(_ item: ContentItem, _ former: [StoredNamesake], lastRead: Date? = nil) {
        self.item = item
        moves = Set(former.map { HostMove(from: $0.url, to: item.url) })
        let url = item.url.map(CanonicalURL.ofAllSpellings)
        isItself = former.contains { stored in
            if CanonicalURL.areEditions(stored.identifier, item.identifier) { return true }
            guard let lastRead, let summary = stored.summary, let text = item.summary,
                stored.url.map(CanonicalURL.ofAllSpellings) == url
            else { return false }
            return summary == text || stored.wasThere(at: lastRead)
        }
    }
}

extension [Namesake] {
    /// Those that all may have made.
    var commonMoves: Set<HostMove> {
        first.map { first in reduce(first.moves) { $0.intersection($1.moves) } } ?? []
    }

    /// All, if they are most of so many items, are of three times at least where they have dates, and are with those that are known of the
    /// hosts that they were of, or moved from one to one: a few may be others that say the same.
    ///
    /// - Parameters:
    ///   - titles: How many they must have.
    ///   - times: How many they must have where they have dates.
    func ifMost(of count: Int, beside known: [Namesake], titles: Int = 1, times least: Int = 3) -> [Namesake] {
        let times = compactMap(\.item.date?.second)
        let areSeveral = (times.isEmpty || Set(times).count >= least) && Set(map(\.item.title)).count >= titles
        let all = self + known
        let haveOneMove = all.allSatisfy { $0.moves.contains(where: \.isNone) } || !all.commonMoves.isEmpty
        return self.count * 2 > count && areSeveral && haveOneMove ? self : []
    }
}
