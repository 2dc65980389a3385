import CrierProcess

/// A sink that hands over to the program `apprise`.
public struct AppriseSinkSettings: Sendable, Hashable {
    /// The URLs of its targets, one in each line.
    public var targets: SecretReference

    public init(targets: SecretReference) {
        self.targets = targets
    }
}
