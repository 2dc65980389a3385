import CrierContent
import CrierNotifications

/// What holds for those items of a source that a jq program keeps.
public struct ItemRule: Sendable, Hashable {
    /// A jq program over the normalised item; nil keeps every item.
    public var when: String?
    /// Whether they raise nothing.
    public var skip: Bool
    public var level: InterruptionLevel?
    /// The sinks that their notifications go to.
    public var sinks: [String]?

    public init(
        when: String? = nil, skip: Bool = false, level: InterruptionLevel? = nil, sinks: [String]? = nil
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
    public var isSkipped = false
    public var level: InterruptionLevel?
    public var sinks: [String]?

    public init() {}

    mutating func add(_ rule: ItemRule) {
        isSkipped = isSkipped || rule.skip
        level = level ?? rule.level
        sinks = sinks ?? rule.sinks
    }
}

/// The rules of a source, compiled.
struct ItemRules {
    private let rules: [(rule: ItemRule, filter: JQFilter?)]

    init(_ rules: [ItemRule], programs: JQPrograms) throws(ContentError) {
        var compiled: [(rule: ItemRule, filter: JQFilter?)] = []
        for rule in rules {
            var filter: JQFilter?
            if let when = rule.when { filter = try JQFilter(when, programs: programs) }
            compiled.append((rule, filter))
        }
        self.rules = compiled
    }

    /// By identifier.
    func rulings(on items: [ContentItem]) throws(ContentError) -> [String: Ruling] {
        var rulings = Dictionary(items.map { ($0.identifier, Ruling()) }) { first, _ in first }
        for (rule, filter) in rules {
            for item in try filter?.items(items) ?? items { rulings[item.identifier]?.add(rule) }
        }
        return rulings
    }
}

extension Findings {
    /// Leaves out what the rules skip; compiled when there is something to judge, and not before.
    mutating func apply(_ rules: [ItemRule], programs: JQPrograms) throws(ContentError) {
        let items = new + updated
        if rules.isEmpty || items.isEmpty { return }
        rulings = try ItemRules(rules, programs: programs).rulings(on: items)
        let rulings = rulings
        let isTold = { (item: ContentItem) in rulings[item.identifier]?.isSkipped != true }
        new = new.filter(isTold)
        updated = updated.filter(isTold)
    }
}
