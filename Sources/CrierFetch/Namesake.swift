import CrierContent
import CrierStore

/// An item that seems to be stored under another name.
struct Namesake {
    let item: ContentItem
    /// From where it may have moved.
    let moves: Set<HostMove>
    /// Whether that is sure of it alone: it is called by the number of its page's edition, or was there before and says the same at
    /// the same address.
    let isItself: Bool

    init(_ item: ContentItem, _ former: [StoredNamesake], isOld: Bool = false) {
        self.item = item
        moves = Set(former.map { HostMove(from: $0.url, to: item.url) })
        let url = item.url.map(CanonicalURL.ofAllSpellings)
        isItself = former.contains {
            CanonicalURL.areEditions($0.identifier, item.identifier)
                || isOld && $0.summary != nil
                    && $0.summary == item.summary && CanonicalURL.ofAllSpellings($0.url) == url
        }
    }
}

extension [Namesake] {
    /// Those that all may have made.
    var commonMoves: Set<HostMove> {
        first.map { first in reduce(first.moves) { $0.intersection($1.moves) } } ?? []
    }

    /// All, if they are most of so many items, are of three times at least where they have dates, and are with those that are known of one
    /// host or moved from one to one: a few may be others that say the same.
    ///
    /// - Parameter titles: How many they must have.
    func ifMost(of count: Int, beside known: [Namesake], titles: Int = 1) -> [Namesake] {
        let times = compactMap(\.item.date?.second)
        let areSeveral = (times.isEmpty || Set(times).count >= 3) && Set(map(\.item.title)).count >= titles
        return self.count * 2 > count && areSeveral && !(self + known).commonMoves.isEmpty ? self : []
    }
}
