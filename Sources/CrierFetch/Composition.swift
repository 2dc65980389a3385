import CrierContent
import CrierNotifications
import CrierStore

/// What is to be raised after a fetch.
public struct Composition: Sendable, Hashable {
    /// A request and the items it tells of.
    public struct Part: Sendable, Hashable {
        public let request: NotificationRequest
        public let items: [ContentItem]
        /// Where it goes; nil is to the source's sinks.
        public let sinks: [String]?
        /// Whether it takes the place of an earlier one of its identifier.
        public let isReplacing: Bool
        /// Whether it tells of days before that which is accounted for, under the daily policy.
        let isLate: Bool

        init(
            request: NotificationRequest, items: [ContentItem], sinks: [String]? = nil, isReplacing: Bool = false,
            isLate: Bool = false
        ) {
            self.request = request
            self.items = items
            self.sinks = sinks
            self.isReplacing = isReplacing
            self.isLate = isLate
        }
    }

    public var parts: [Part] = []
    /// The items that wait for their day from now on, under the daily policy.
    public var held: [ContentItem] = []
    /// The last day that is accounted for afterwards, under the daily policy.
    public var announcedDay: CalendarDay?
    /// That day where other sources have told all that ``parts`` tell of.
    var dayIfToldByOthers: CalendarDay?
    /// The addresses that tell of none of the items, see ``Source/isUnique``.
    var commonAddresses: Set<String> = []
    /// Whether the day that ``parts`` tell of is surely not told yet: what is called after it was told by a clock that was ahead.
    var isDayFree = false

    public var requests: [NotificationRequest] { parts.map(\.request) }

    /// How a visit ends that has found this.
    func result(of findings: Findings) -> BackgroundFetchResult {
        findings.new.isEmpty && parts.isEmpty ? .noData : .newData
    }
}
