import CrierContent
import CrierNotifications

/// What holds for those items of a source that a jq program keeps.
public struct ItemRule: Sendable, Hashable {
    /// A jq program over the normalised item; nil keeps every item.
    public var when: String?
    /// Whether they raise nothing; nil leaves that to other rules.
    public var skip: Bool?
    public var level: InterruptionLevel?
    /// The sinks that their notifications go to.
    public var sinks: [String]?

    public init(
        when: String? = nil, skip: Bool? = nil, level: InterruptionLevel? = nil, sinks: [String]? = nil
    ) {
        self.when = when
        self.skip = skip
        self.level = level
        self.sinks = sinks
    }
}

/// What the rules of a source say of one item: every rule that keeps it counts, and of several that say the same thing the
/// first.
public struct Ruling: Sendable, Hashable {
    var skip: Bool?
    public var level: InterruptionLevel?
    public var sinks: [String]?

    public init() {}

    public var isSkipped: Bool { skip ?? false }

    /// Has it told, unless an earlier rule skips it.
    mutating func keep() { skip = skip ?? false }

    mutating func add(_ rule: ItemRule) {
        skip = skip ?? rule.skip
        level = level ?? rule.level
        sinks = sinks ?? rule.sinks
    }
}

extension [ItemRule] {
    /// What they say of each item, by identifier. A rule does not hold for an item on which its program fails.
    ///
    /// - Parameter faults: Gets to know why, by identifier.
    fileprivate func rulings(
        on items: [ContentItem], programs: JQPrograms, faults: inout [String: String]
    ) throws(ContentError) -> [String: Ruling] {
        var rulings = Dictionary(items.map { ($0.identifier, Ruling()) }) { first, _ in first }
        for rule in self {
            var verdicts = items.map { _ in JQVerdict.met }
            if let when = rule.when { verdicts = try JQFilter(when, programs: programs).verdicts(on: items) }
            for (item, verdict) in zip(items, verdicts) {
                switch verdict {
                case .met: rulings[item.identifier]?.add(rule)
                case .unmet: break
                case .failed(let reason):
                    faults[item.identifier] = faults[item.identifier] ?? reason
                    // It may be one that is to be told.
                    if rule.skip == false { rulings[item.identifier]?.keep() }
                }
            }
        }
        return rulings
    }
}

extension Findings {
    /// Leaves out what the rules skip; compiled when there is something to judge, and not before.
    ///
    /// - Parameter faults: Why a condition could not be judged before, by the identifier of the item.
    mutating func apply(
        _ rules: [ItemRule], programs: JQPrograms, faults: [String: String]
    ) throws(ContentError) {
        let items = new + updated
        if items.isEmpty { return }
        var faults = faults
        defer {
            // Of what was left out before and is so still it was said then.
            remark(faults, of: items.filter { !wasLeftOut.contains($0.identifier) || !isSkipped($0) })
            remarkLastUpdates()
        }
        if rules.isEmpty { return }
        rulings = try rules.rulings(on: items, programs: programs, faults: &faults)
        let (own, changed) = (new, updated)
        new = own.filter { !isSkipped($0) }
        updated = changed.filter { !isSkipped($0) }
    }

    private func isSkipped(_ item: ContentItem) -> Bool { rulings[item.identifier]?.isSkipped == true }

    /// What the rules say of known items, too, of which nothing is told.
    mutating func judgeKnown(by rules: [ItemRule], programs: JQPrograms) throws(ContentError) {
        var faults: [String: String] = [:]
        let judged = try rules.rulings(on: items, programs: programs, faults: &faults)
        rulings.merge(judged) { ruling, _ in ruling }
    }

    /// Of those that are told as changed now, and not again.
    private mutating func remarkLastUpdates() {
        let last = updated.filter { change(of: $0) == ItemUpdates.limit }
        guard let first = last.first else { return }
        let more = last.count == 1 ? "" : " and \(last.count - 1) more"
        remarks.append(
            "no more changes are told of \(first.title ?? first.identifier)\(more), which changed "
                + "\(ItemUpdates.limit) times")
    }

    /// Of those that are news: of the others it was said when they were.
    private mutating func remark(_ faults: [String: String], of items: [ContentItem]) {
        let unjudged = items.filter { faults[$0.identifier] != nil }
        guard let first = unjudged.first, let fault = faults[first.identifier] else { return }
        let more = unjudged.count == 1 ? "" : " and \(unjudged.count - 1) more"
        remarks.append(
            "a condition (`only`, `skip`, `rules`) fails on \(first.title ?? first.identifier)\(more), and is left out of "
                + "account there: \(fault)")
    }
}
