import CrierDelivery
import CrierFetch
import CrierHTTP
import CrierNotifications
import CrierStore

extension Surroundings {
    fileprivate var fetchTransport: any HTTPTransport {
        meter.map { CountingTransport(base: transport, meter: $0) } ?? transport
    }
}

/// Everything of one process, put together in one place.
public struct Wiring: Sendable {
    public let configuration: Configuration
    public let store: Store
    public let fetcher: ContentFetcher
    public let scheduler: FetchScheduler
    public let desk: DigestDesk
    public let center: UserNotificationCenter
    let clock: any WallClock

    /// - Parameters:
    ///   - configuration: No two of its sinks have one name, as in one that was read from a file.
    ///   - background: What the user says about the time between two visits.
    ///   - budget: For one fetch; nil: the limits of each request alone.
    ///   - center: That is at work already. Its sinks and quiet hours stay as they are until it is given those of this configuration:
    ///     ``Configuration/namedSinks(_:)``. Nil makes one that has them.
    public init(
        configuration: Configuration, store: Store, surroundings: Surroundings,
        background: BackgroundSettings = BackgroundSettings(), budget: Duration? = nil,
        center: UserNotificationCenter? = nil
    ) {
        self.configuration = configuration
        self.store = store
        clock = surroundings.clock
        fetcher = ContentFetcher(
            store: store, transport: surroundings.fetchTransport, clock: surroundings.clock,
            userAgent: CrierVersion.userAgent, environment: surroundings.environment,
            hosts: HostPaces(named: configuration.hosts, minimumInterval: background.minimumInterval), budget: budget,
            own: .all, readings: surroundings.readings)
        desk = DigestDesk(
            digests: configuration.digests, sources: configuration.sources, store: store, clock: surroundings.clock)
        scheduler = FetchScheduler(
            fetcher: fetcher, store: store, clock: surroundings.clock, conditions: surroundings.conditions,
            observer: surroundings.observer, desk: desk)
        self.center =
            center
            ?? UserNotificationCenter(
                store: store, sinks: configuration.namedSinks(surroundings), quietHours: configuration.quietHours,
                clock: surroundings.clock, own: .all, question: surroundings.question)
    }
}

extension Wiring {
    /// Whether an earlier process was ended while it read a document.
    var hasUnfinished: Bool { fetcher.readings?.unfinished.isEmpty == false }

    /// Counts that as failed.
    func settleUnfinished() async throws(StoreError) -> [FetchReport] {
        try await fetcher.settleUnfinished(among: configuration.sources)
    }
}

extension Configuration {
    /// Its sinks, ready to be used by a ``UserNotificationCenter``.
    public func namedSinks(_ surroundings: Surroundings) -> [NamedSink] {
        sinks.map { sink in
            let named = sink.makeSink(surroundings, looks: digestLooks).ordered(sink.isOrdered)
            guard let audience = surroundings.audience else { return named }
            return named.replacing(
                AttendedSink(name: sink.name, kind: sink.settings.kind, base: named.sink, audience: audience))
        }
    }
}
