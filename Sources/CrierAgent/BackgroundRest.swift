import CrierStore

/// Why nothing is fetched by a schedule alone, be it the agent's or that of a timer or cron. What a person asks for is
/// fetched all the same.
public enum BackgroundRest: String, Sendable, Hashable, Codable {
    case switchedOff
    case notAuthorized

    /// Of one fetch in the background, as on iOS.
    public static let budget = Duration.seconds(30)

    /// Nil where nothing speaks against it.
    public init?(_ configuration: Configuration, in store: Store) throws(StoreError) {
        if try !store.backgroundSettings().isOn {
            self = .switchedOff
            return
        }
        if configuration.background == .always { return nil }
        guard try store.notificationSettings().authorizationStatus != .authorized else { return nil }
        self = .notAuthorized
    }

    /// A sentence without its stop, with what changes it.
    public var words: String {
        switch self {
        case .switchedOff: "\(cause): `\(remedy)` changes that"
        case .notAuthorized: "\(cause): run `\(remedy)`"
        }
    }

    var cause: String {
        switch self {
        case .switchedOff: "fetching in the background is switched off"
        case .notAuthorized: "nothing is fetched in the background unless you allow notifications"
        }
    }

    var remedy: String {
        switch self {
        case .switchedOff: "crier background on"
        case .notAuthorized: "crier authorize"
        }
    }
}
