import CrierContent
import CrierNotifications
import CrierStore

import struct Foundation.TimeZone

/// Something polled: a name, an address, and ``SourceSettings``, whose members are its own.
@dynamicMemberLookup
public struct Source: Sendable, Hashable {
    /// Unique in a configuration; the thread identifier of its notifications.
    public var name: String
    public var address: SourceAddress {
        didSet {
            fingerprint = Fingerprint.made(of: address, settings.value.wayOfReading)
            host = HostKey(address)
        }
    }
    /// Copies share them: a source passes through many hands, and in long lists most are made of one by another name and address.
    @usableFromInline private(set) var settings: Shared<SourceSettings>
    /// Of the address and the way of reading: asked for at every turn of a visit, and made once. The time zone does not count: by
    /// default it is the machine's, which travels.
    private(set) var fingerprint: SourceFingerprint
    /// Of the address.
    private(set) var host: HostKey

    /// - Parameters:
    ///   - name: Unique among the sources that are fetched together. The notifications of the source have it before a `/` in their
    ///     identifiers.
    ///   - sinks: The names of the sinks that its notifications go to. None, as by default, is nobody: they are recorded and
    ///     never raised, other than those that a program adds.
    public init(
        name: String, address: SourceAddress, request: SourceRequest = SourceRequest(),
        mapping: ContentMapping = ContentMapping(),
        every: Duration = .seconds(3600), isEveryChosen: Bool = false,
        notify: NotifyPolicy = .each, first: BaselinePolicy = .latest, title: String? = nil, only: String? = nil,
        skip: String? = nil, rules: [ItemRule] = [], updates: UpdatePolicy = .ignore, isUnique: Bool = false,
        level: InterruptionLevel = .active, expectEvery: Duration? = nil, sinks: [String] = [], tags: [String] = [],
        digests: [String] = [], onlyOn: Set<FetchCondition> = []
    ) {
        self.name = name
        self.address = address
        host = HostKey(address)
        var settings = SourceSettings(
            request: request, mapping: mapping, every: every, notify: notify, first: first, level: level, sinks: sinks)
        settings.isEveryChosen = isEveryChosen
        settings.title = title
        settings.only = only
        settings.skip = skip
        settings.rules = rules
        settings.updates = updates
        settings.isUnique = isUnique
        settings.expectEvery = expectEvery
        settings.tags = tags
        settings.digests = digests
        settings.onlyOn = onlyOn
        fingerprint = Fingerprint.made(of: address, settings.wayOfReading)
        self.settings = Shared(settings)
    }

    public subscript<Value>(dynamicMember member: WritableKeyPath<SourceSettings, Value>) -> Value {
        // So that other modules read the member itself: to find it by its path takes a thousand instructions.
        @inlinable get { settings.value[keyPath: member] }
        set {
            let before = settings.value.wayOfReading
            settings.value[keyPath: member] = newValue
            if settings.value.wayOfReading != before {
                fingerprint = Fingerprint.made(of: address, settings.value.wayOfReading)
            }
        }
    }
}

extension Source {
    /// Whether something was edited that its last visit may have failed at.
    ///
    /// - Parameter causes: As they were then, where it failed.
    func mayBeMended(since causes: [UInt8]?) -> Bool {
        causes.map { $0 != Fingerprint.ofPossibleCauses(in: self) } ?? false
    }
}

/// What is said of a source besides its name and address.
public struct SourceSettings: Sendable, Hashable {
    /// What is sent besides, where the address is an http or https URL.
    public var request: SourceRequest { didSet { wayOfReading = Fingerprint.wayOfReading(mapping, request) } }
    /// How its documents are read, with the source's time zone.
    public var mapping: ContentMapping { didSet { wayOfReading = Fingerprint.wayOfReading(mapping, request) } }
    /// The wished time between two visits: from one second on where it is this machine's own, else from a quarter of an hour on
    /// (``HostPaces``).
    public var every: Duration
    /// Whether the user chose ``every`` for this source: then it is not lengthened because its origin cannot say whether anything has
    /// changed.
    public var isEveryChosen = false
    public var notify: NotifyPolicy
    public var first: BaselinePolicy
    /// The title of its notifications where they are not about one item, and of daily ones; nil: the feed's own title, or
    /// its name where it has none.
    public var title: String?
    /// A jq program over the normalised item; items for which it gives false or null raise nothing.
    public var only: String?
    /// A jq program over the normalised item; items for which it gives neither false nor null raise nothing.
    public var skip: String?
    /// What holds for some of its items only.
    public var rules: [ItemRule] = []
    /// What becomes of a known item that changes.
    public var updates = UpdatePolicy.ignore
    /// Whether an address that another source told of is not told again.
    public var isUnique = false
    public var level: InterruptionLevel
    /// A source that has nothing new for this long has gone silent, which is told once; nil is never.
    public var expectEvery: Duration?
    /// The names of the sinks that its notifications go to; without one they are recorded and never raised.
    public var sinks: [String]
    /// What it belongs to, `a/b` for a folder within a folder.
    public var tags: [String] = []
    /// The names of the digests that its new items wait for.
    public var digests: [String] = []
    /// What must hold on the machine while it is fetched by its schedule.
    public var onlyOn: Set<FetchCondition> = []
    /// Of mapping and request (see ``Fingerprint``).
    fileprivate private(set) var wayOfReading: [UInt8]

    fileprivate init(
        request: SourceRequest, mapping: ContentMapping, every: Duration, notify: NotifyPolicy, first: BaselinePolicy,
        level: InterruptionLevel, sinks: [String]
    ) {
        self.request = request
        self.mapping = mapping
        self.every = every
        self.notify = notify
        self.first = first
        self.level = level
        self.sinks = sinks
        wayOfReading = Fingerprint.wayOfReading(mapping, request)
    }
}

/// Where a source's document comes from.
public enum SourceAddress: Sendable, Hashable {
    /// An http, https or file URL.
    case url(String)
    /// A program and its arguments, run without a shell; its standard output is the document.
    case command([String])
}

/// When new items become notifications.
public enum NotifyPolicy: String, Sendable, Hashable, CaseIterable {
    /// One for each new item; more than ten of one fetch become one summary.
    case each
    /// At most one for each calendar day in the source's time zone, and each set of sinks that its items go to.
    case daily
    /// Items are recorded only.
    case none
}

/// What the first successful fetch of a source raises.
public enum BaselinePolicy: String, Sendable, Hashable, CaseIterable {
    /// The newest item, so that a new user sees it work.
    case latest
    /// Nothing: what is there is known.
    case none
    /// Every item, as if it had come since.
    case all
}

/// What becomes of a known item whose title, text or address changes, under the policy `each`.
public enum UpdatePolicy: String, Sendable, Hashable, CaseIterable {
    /// Nothing; it is not looked for.
    case ignore
    /// A notification of its own.
    case notify
    /// The item's notification again, as its next revision: sinks that can, replace what they showed.
    case replace
}
