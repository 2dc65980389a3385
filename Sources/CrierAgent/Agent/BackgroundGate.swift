import CrierStore

/// Whether Crier may fetch by itself, as iOS lets an app do so: the one place that says it.
public enum BackgroundGate {
    /// Of one fetch in the background, as on iOS.
    public static let budget = Duration.seconds(30)

    /// Why nothing is fetched in the background, in one sentence; nil where there is no reason not to.
    public static func closedBecause(_ configuration: Configuration, _ store: Store) throws(StoreError) -> String? {
        if try !store.backgroundSettings().isOn {
            return "fetching in the background is switched off: `crier background on` changes that"
        }
        let isAuthorized = try store.notificationSettings().authorizationStatus == .authorized
        if isAuthorized || configuration.background == .always { return nil }
        return "nothing is fetched in the background before you allow notifications: run `crier authorize`"
    }
}
