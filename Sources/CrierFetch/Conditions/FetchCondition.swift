/// What must hold on the machine for a source to be fetched by its schedule.
public enum FetchCondition: String, Sendable, Hashable, CaseIterable {
    /// The connection does not cost by what goes through it.
    case unmetered
    /// The machine does not run on its battery.
    case acPower = "ac-power"

    /// Why it does not hold, as the end of a sentence.
    public var unmetWords: String {
        switch self {
        case .unmetered: "the connection is metered"
        case .acPower: "the machine runs on its battery"
        }
    }
}

extension Set<FetchCondition> {
    /// In a fixed order.
    package var sorted: [FetchCondition] { FetchCondition.allCases.filter(contains) }

    /// Why they do not hold, as the end of a sentence.
    public var unmetWords: String { sorted.map(\.unmetWords).joined(separator: ", and ") }
}

/// Tells which conditions hold, and when that may have changed.
public struct MachineConditions: Sendable {
    /// Those of the given ones that do not hold. What is not known counts as holding.
    public let unmet: @Sendable (Set<FetchCondition>) async -> Set<FetchCondition>
    /// An element when one of the given ones may have changed, as far as that is told.
    public let changes: @Sendable (Set<FetchCondition>) -> AsyncStream<Void>

    public init(
        unmet: @escaping @Sendable (Set<FetchCondition>) async -> Set<FetchCondition>,
        changes: @escaping @Sendable (Set<FetchCondition>) -> AsyncStream<Void> = { _ in AsyncStream { $0.finish() } }
    ) {
        self.unmet = unmet
        self.changes = changes
    }

    /// Nothing is known.
    public static let unknown = MachineConditions { _ in [] }

    /// Those that any of the sources asks for and that do not hold.
    public func unmet(of sources: some Sequence<Source>) async -> Set<FetchCondition> {
        let wanted = sources.reduce(into: Set<FetchCondition>()) { $0.formUnion($1.onlyOn) }
        return wanted.isEmpty ? [] : await unmet(wanted)
    }
}
