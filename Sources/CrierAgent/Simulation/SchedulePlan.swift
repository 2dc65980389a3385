import CrierFetch
import Foundation

/// What the schedule of a configuration comes to in the days ahead, if every origin answers that nothing has changed.
public struct SchedulePlan: Sendable, Hashable {
    /// The requests to one host.
    public struct Host: Sendable, Hashable {
        /// Nil is this machine: its files, programs and loopback.
        public let name: String?
        /// For each of ``SchedulePlan/days``.
        public let requests: [Int]

        public var total: Int { requests.reduce(0, +) }
    }

    /// How long it takes from the publication of an item to its notification, in seconds.
    public struct Delay: Sendable, Hashable {
        /// On average.
        public let expected: TimeInterval
        public let longest: TimeInterval
    }

    /// What becomes of one source.
    public struct Visits: Sendable, Hashable {
        public let source: String
        public let host: String?
        public let count: Int
        /// Where items come at any time alike; nil where nothing is raised, or the days are too few to say.
        public let delay: Delay?
        /// Where they come as they did in the last weeks; nil where nothing is remembered of that.
        public let history: Delay?
        /// How many items of the last weeks say so.
        public let historyCount: Int
    }

    /// An issue of a digest.
    public struct Issue: Sendable, Hashable {
        public let digest: String
        public let date: Date
        /// The reader's.
        public let timeZone: TimeZone
    }

    /// A time at which not everything is raised.
    public struct QuietTime: Sendable, Hashable {
        public let interval: DateInterval
        /// Nothing but critical notifications is raised.
        public let isMuted: Bool
    }

    public internal(set) var interval: DateInterval
    /// Of the configuration's time zone; the first and the last are not whole.
    public internal(set) var days: [CalendarDay]
    /// Busiest first.
    public internal(set) var hosts: [Host] = []
    /// As in the configuration.
    public internal(set) var sources: [Visits] = []
    public internal(set) var quietTimes: [QuietTime] = []
    public internal(set) var issues: [Issue] = []
    /// Why the agent fetches nothing at all as things are, in one sentence; nil where it does.
    public internal(set) var closedBecause: String?

    public var total: Int { hosts.reduce(0) { $0 + $1.total } }
}
