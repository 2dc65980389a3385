import CrierNotifications

extension NotificationSettings {
    /// The user has allowed notifications.
    package static let authorized = NotificationSettings(authorizationStatus: .authorized, options: .alert)
}
