/// Whether the user lets Crier raise notifications (`UNAuthorizationStatus`, same numbers).
public enum AuthorizationStatus: Int, Sendable, Hashable {
    /// The user has not been asked, or has not answered: notifications are held.
    case notDetermined = 0
    /// The user said no: notifications are recorded and never raised.
    case denied = 1
    /// The user said yes.
    case authorized = 2
}

/// What a notification may do (`UNAuthorizationOptions`, same bits). One that is authorized always shows its text.
public struct AuthorizationOptions: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Set the number on the icon.
    public static let badge = AuthorizationOptions(rawValue: 1)
    /// Play a sound.
    public static let sound = AuthorizationOptions(rawValue: 2)
    /// Show text.
    public static let alert = AuthorizationOptions(rawValue: 4)
}

/// What the user has decided (`UNNotificationSettings`).
public struct NotificationSettings: Sendable, Hashable {
    public let authorizationStatus: AuthorizationStatus
    /// What is allowed; empty unless authorized.
    public let options: AuthorizationOptions

    public init(authorizationStatus: AuthorizationStatus, options: AuthorizationOptions = []) {
        self.authorizationStatus = authorizationStatus
        self.options = authorizationStatus == .authorized ? options : []
    }
}
