import CrierContent
import CrierStore
import Foundation

/// What a fetch found, as far as it decides what is raised.
public struct Findings: Sendable, Hashable {
    /// The items of the document that pass the source's `only`, in document order.
    public var items: [ContentItem]
    /// Those of them that the source has never had, oldest first.
    public var new: [ContentItem]
    /// Whether the source has had something that it never had before, whatever its `only` keeps of it.
    public var hasNews = false
    /// Known items that changed, where updates are followed.
    public var updated: [ContentItem] = []
    /// The identifiers of those that have but other addresses, as all have: that is no change that counts.
    var moved: Set<String> = []
    /// How often each of them has changed, this time included, by identifier.
    var changes: [String: Int] = [:]
    /// Of all items of the document, by identifier, where updates are followed.
    var contentHashes: [String: [UInt8]] = [:]
    /// Those of known items as they were, where updates were not followed then.
    var formerHashes: [String: [UInt8]] = [:]
    /// The identifiers of those items that the source's conditions leave out and that were never told.
    var leftOut: Set<String> = []
    /// The same of those of which that was so before.
    var wasLeftOut: Set<String> = []
    /// What waited for its day. Those whose time has come are among ``new``, unless they are not wanted.
    var held = HeldItems()
    /// Those of all items of the document of which nothing is to be written.
    var unchanged: UnchangedItems?
    /// What the source's rules say of new and updated items, by identifier; those that are skipped are among neither.
    public var rulings: [String: Ruling] = [:]
    /// What is odd about the items, in words.
    public internal(set) var remarks: [String] = []
    /// Whether this is the first successful fetch.
    public var isBaseline: Bool
    /// The last day that is accounted for under the daily policy.
    public var announcedDay: CalendarDay?
    /// When it was accounted for.
    var announcedOn: Date?
    /// Days of new items that are accounted for, as a later one is, though they had none.
    var lateDays: Set<CalendarDay> = []
    /// Whether nothing that was remembered is in the document, which lies at another address than before.
    private(set) var startsAnew = false
    /// Whether the document, which lies at another address than before, is empty: the next one tells whether it starts anew.
    var mayStartAnew = false
    /// After a change of address or mapping, when the source had items last, where it has come to have none before that.
    var lastItems: Date?
    /// The title of the feed.
    public var feedTitle: String?
    /// The feed's home page.
    public var homeURL: String?
    public var now: Date

    public init(
        items: [ContentItem], new: [ContentItem], isBaseline: Bool = false, announcedDay: CalendarDay? = nil,
        feedTitle: String? = nil, homeURL: String? = nil, now: Date
    ) {
        self.items = items
        self.new = new
        self.isBaseline = isBaseline
        self.announcedDay = announcedDay
        self.feedTitle = feedTitle
        self.homeURL = homeURL
        self.now = now
    }

    /// Another source has taken the name, or everything in it is called otherwise.
    mutating func startAnew() {
        startsAnew = true
        held = HeldItems()
        (announcedDay, announcedOn) = (nil, nil)
    }

    /// - Parameters:
    ///   - known: What is known of the items, by identifier.
    ///   - isFeed: Whether they are of a feed.
    mutating func noteUpdates(of known: [String: KnownContent], isFeed: Bool) {
        (updated, moved) = ItemUpdates.among(items, contentHashes, known: known, isFeed: isFeed)
        changes = known.mapValues { $0.updates + 1 }
    }

    /// The mark of an update: that of an item which is as it was once is another one.
    func change(of item: ContentItem) -> Int { changes[item.identifier] ?? 1 }

    /// Whether it has changed too often by now.
    func isToldNoMore(_ item: ContentItem) -> Bool { change(of: item) > ItemUpdates.limit }

    /// Why items count as known that are not.
    enum KnownCause: String {
        case otherReading = "the address or the way of reading has changed"
        case littleBefore = "the document before was empty or cut off"
        case otherLeft = "others have left the list"
    }

    static func takenForKnown(_ count: Int, _ cause: KnownCause) -> [String] {
        if count == 0 { return [] }
        let words = "\(count) \(count == 1 ? "item is" : "items are") taken for known: \(cause.rawValue), "
        return [words + "and no later date says that \(count == 1 ? "it is" : "they are") new"]
    }

    static func renamed(_ count: Int) -> String {
        "\(count) \(count == 1 ? "item is" : "items are") taken for known: only what identifies "
            + "\(count == 1 ? "it" : "them") has changed"
    }

    func sinks(of item: ContentItem) -> [String]? { rulings[item.identifier]?.sinks }
}

extension Findings {
    /// Before the document is looked at.
    ///
    /// - Parameters:
    ///   - due: Those of the held items whose time has come, as far as they are wanted.
    ///   - url: Where the document was found, after redirects.
    init(
        of due: [ContentItem], among held: HeldItems, _ reading: Reading, at url: String?, _ state: SourceState,
        _ now: Date
    ) {
        self.init(
            items: due, new: due, isBaseline: state.isBaseline(of: reading.content, at: url),
            announcedDay: state.announcedDay.flatMap(CalendarDay.init), feedTitle: reading.content?.title,
            homeURL: reading.content?.homeURL, now: now)
        announcedOn = state.announcedOn
        hasNews = !due.isEmpty
        self.held = held
    }
}
