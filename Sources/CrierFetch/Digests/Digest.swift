import CrierNotifications

import struct Foundation.TimeZone

/// One notification that sums up what is new at set times.
public struct Digest: Sendable, Hashable {
    /// What its items are put under.
    public enum Grouping: String, Sendable, Hashable, CaseIterable {
        case source, tag, day
        /// The first category of each item, in the order in which the documents have them.
        case category
    }

    /// Which items stand first.
    public enum Order: String, Sendable, Hashable, CaseIterable {
        case newest, oldest
        /// As their documents have them.
        case document
    }

    /// What becomes of an issue without items.
    public enum Emptiness: String, Sendable, Hashable, CaseIterable {
        case skip, say
    }

    /// The languages that Crier speaks in digests, by their tags.
    public enum Language: String, Sendable, Hashable, CaseIterable {
        case english = "en"
        case simplifiedChinese = "zh-Hans"
    }

    /// Unique in a configuration.
    public var name: String
    public var at: CalendarExpression
    /// The reader's: of its times and days.
    public var timeZone: TimeZone
    /// The names of the sinks that it goes to.
    public var sinks: [String]
    /// Nil is its name.
    public var title: String?
    /// A jq program over the normalised item; those for which it gives false or null are not told.
    public var only: String?
    public var grouping: Grouping = .source
    public var order: Order = .newest
    /// The most items that are shown; less than zero is none.
    public var limit = 50
    public var emptiness: Emptiness = .skip
    /// Whether pictures are shown by their addresses, whose servers then see who reads.
    public var showsImages = false
    public var language: Language = .english
    public var level: InterruptionLevel = .active

    public init(name: String, at: CalendarExpression, timeZone: TimeZone, sinks: [String] = []) {
        self.name = name
        self.at = at
        self.timeZone = at.timeZone ?? timeZone
        self.sinks = sinks
    }
}
