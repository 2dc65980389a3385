import CrierDelivery
import CrierFetch
import CrierStore

/// A wake in the background as the system gives it: nobody is at a terminal, and each fetch has its time budget. What comes
/// of it is real.
public struct BackgroundWake: Sendable {
    /// What the system wakes Crier for.
    public enum Occasion: Sendable, Hashable {
        /// The date of one source has come.
        case fetch(Source)
        /// The same, and the time budget ends at once.
        case expiry(Source)
        /// The agent starts.
        case launch
    }

    /// What one wake came to.
    public struct Account: Sendable {
        /// Why nothing was fetched; nil where it was.
        public var closedBecause: String?
        /// The sources that were due, longest waiting first.
        public var due: [String] = []
        public var run: RunAccount
        /// How many deliveries had waited for the user's permission, and do no longer.
        public var released = 0

        public init(closedBecause: String? = nil, run: RunAccount? = nil) {
            self.closedBecause = closedBecause
            self.run = run ?? RunAccount(OneShot.Report())
        }
    }

    private let configuration: Configuration
    private let store: Store
    private let surroundings: Surroundings

    /// - Parameters:
    ///   - store: Under the caller's ``RunLock``.
    ///   - surroundings: Without a question, since nobody is there to be asked.
    public init(_ configuration: Configuration, store: Store, surroundings: Surroundings) {
        self.configuration = configuration
        self.store = store
        self.surroundings = surroundings
    }

    /// - Parameter report: Called for each fetch as it ends.
    /// - Throws: ``StoreError``, `CancellationError`.
    public func run(
        _ occasion: Occasion, report: @escaping @Sendable (FetchReport) async -> Void
    ) async throws -> Account {
        let closedBecause = try BackgroundRest(configuration, in: store)?.words
        let held = try store.waitingCounts().held
        try configuration.adoptEdits(in: store, at: surroundings.clock.now)
        let wiring = Wiring(
            configuration: configuration, store: store, surroundings: surroundings,
            background: try store.backgroundSettings(), budget: occasion.budget)
        var sources = configuration.sources
        var selection = OneShot.Selection.due
        if case .fetch(let source) = occasion { (sources, selection) = ([source], .named) }
        if case .expiry(let source) = occasion { (sources, selection) = ([source], .named) }
        if closedBecause != nil { sources = [] }
        let due = try wiring.scheduler.due(among: sources).due.map(\.name)
        let run = try await OneShot(wiring).run(sources, selection: selection, report: report)
        let heldNow = try store.waitingCounts().held
        var account = Account(closedBecause: closedBecause, run: RunAccount(run))
        account.due = due
        account.released = max(0, held + run.delivery.newlyHeld - heldNow)
        return account
    }
}

extension BackgroundWake.Occasion {
    fileprivate var budget: Duration {
        if case .expiry = self { return .zero }
        return BackgroundRest.budget
    }
}
