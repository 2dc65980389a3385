import CrierAgent
import CrierFetch
import CrierHTTP
import CrierStore
import Foundation

/// All that can be said of one source: what `crier why` tells, as text and as JSON.
struct SourceAccount {
    let source: Source
    let state: SourceState
    let itemCount: Int
    /// How many of the document's items have changed too often for their changes to be told.
    let toldNoMore: Int
    let deliveries: [Delivery]
    /// By the numbers of those of them that they tell of.
    let tellers: [Int64: Delivery]
    /// Who wants it to be left alone, and until when.
    let refusal: FetchRefusal?
    let now: Date
    /// What the machine lacks of what the source wants.
    let unmet: Set<FetchCondition>
    /// The outage of the network that leads to it.
    let outage: NetworkOutage?
    /// Why it is not fetched by a schedule alone.
    let rest: BackgroundRest?

    init(
        of source: Source, _ configuration: Configuration, in store: Store?, unmet: Set<FetchCondition>, now: Date
    ) throws {
        self.source = source
        rest = try storeErrors { try store.flatMap { try BackgroundRest(configuration, in: $0) } }
        outage = source.liesBeyond ? try storeErrors { try store?.outage(at: now) } : nil
        self.unmet = source.onlyOn.intersection(unmet)
        self.now = now
        let hosts = try storeErrors { try store?.hosts() ?? [:] }
        state = try storeErrors {
            let state = try store?.state(of: source.name) ?? SourceState(name: source.name)
            let floor = try store?.backgroundSettings().minimumInterval ?? .zero
            return state.foreseen(for: source, hosts: hosts, floor: floor, now: now)
        }
        refusal = FetchRefusal(of: source, in: state, hosts: hosts, now: now)
        itemCount = try storeErrors { try store?.itemCount(of: source.name) ?? 0 }
        let lastRead = (state.lastRead ?? .distantPast).addingTimeInterval(-ItemSighting.accuracy)
        toldNoMore = try storeErrors {
            if source.updates == .ignore { return 0 }
            return try store?.itemCount(of: source.name, changedAtLeast: ItemUpdates.limit, since: lastRead) ?? 0
        }
        deliveries = try storeErrors {
            try store?.deliveries(in: Set(Delivery.State.allCases), source: source.name, limit: 5, now: now) ?? []
        }
        tellers = try storeErrors { [deliveries] in try store?.tellers(of: deliveries) ?? [:] }
    }

    /// The address in the configuration, as it may be shown; nil for a program.
    var configuredURL: String? {
        if case .url(let url) = source.address { URLCredentials.removed(from: url) } else { nil }
    }

    var adoptedURL: String? { state.adoptedURL(of: source) }

    /// A permanent redirect that is not adopted yet.
    var expectedMove: SourceMove? { state.move?.target == nil ? nil : state.move }

    var isStopped: Bool { state.schedule.isStopped(for: source) }

    /// Nil where nothing was ever read: silence is counted from the first visit on.
    var lastNew: Date? { itemCount == 0 ? nil : state.lastNew }

    /// When the source's own interval would have led to a visit, where something else decided for later.
    var postponedFrom: Date? {
        guard let last = state.lastFetched, let next = state.nextFetch, next > now else { return nil }
        let every = Double(source.every.components.seconds)
        // The interval's own spread is a tenth.
        guard next.timeIntervalSince(last) > every * 1.1 + 1 else { return nil }
        return last.addingTimeInterval(every)
    }
}

/// `why --format json`: the keys of `status`, and the rest of the account.
struct AccountLine: Encodable {
    private let account: SourceAccount

    init(_ account: SourceAccount) {
        self.account = account
    }

    func encode(to encoder: any Encoder) throws {
        try SourceLine(account.state, of: account.source, unmet: account.unmet).encode(to: encoder)
        try Rest(account).encode(to: encoder)
    }

    private struct Rest: Encodable {
        @Nullable var url: String?
        @Nullable var lastURL: String?
        @Nullable var lastSucceeded: Date?
        @Nullable var adoptedOn: Date?
        @Nullable var movingTo: String?
        @Nullable var sightings: Int?
        @Nullable var announcedURL: String?
        let stopped: Bool
        @Nullable var failureTold: Date?
        @Nullable var lastNew: Date?
        @Nullable var expectEvery: Int64?
        @Nullable var silenceTold: Date?
        @Nullable var emptySince: Date?
        let every: Int64
        @Nullable var postponedFrom: Date?
        @Nullable var outageSince: Date?
        @Nullable var outageCause: String?
        @Nullable var refusedUntil: Date?
        @Nullable var refusedBy: String?
        let items: Int
        let toldNoMore: Int
        let notify: String
        let to: [String]
        let onlyOn: [String]
        @Nullable var announcedDay: String?
        let deliveries: [DeliveryLine]

        init(_ account: SourceAccount) {
            url = account.configuredURL
            lastURL = account.state.answeringURL(of: account.source)
            lastSucceeded = account.state.lastSucceeded
            adoptedOn = account.adoptedURL == nil ? nil : account.state.move?.adoptedOn
            movingTo = account.expectedMove?.target
            sightings = account.expectedMove?.sightings
            announcedURL = account.state.announcedURL(of: account.source)
            stopped = account.isStopped
            failureTold = account.state.failureTold
            lastNew = account.lastNew
            expectEvery = account.source.expectEvery?.components.seconds
            silenceTold = account.state.silenceTold
            emptySince = account.state.emptySince
            every = account.source.every.components.seconds
            postponedFrom = account.postponedFrom
            outageSince = account.outage?.since
            outageCause = account.outage?.cause
            refusedUntil = account.refusal?.until
            refusedBy = account.refusal?.words
            items = account.itemCount
            toldNoMore = account.toldNoMore
            notify = account.source.notify.rawValue
            to = account.source.sinks
            onlyOn = account.source.onlyOn.sorted.map(\.rawValue)
            announcedDay = account.state.announcedDay
            deliveries = account.deliveries.map(DeliveryLine.init)
        }
    }
}
