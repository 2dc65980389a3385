/// A sink that shows notifications on the desktop.
public struct DesktopSinkSettings: Sendable, Hashable {
    public var appName: String
    /// A name of the icon theme, or a file.
    public var icon: String?
    /// The `category` hint of the Desktop Notifications Specification.
    public var category: String
    /// How long a notification stays; nil is the server's own default, zero stays until it is closed.
    public var timeout: Duration?

    public init(
        appName: String = "Crier", icon: String? = nil, category: String = "x-crier.feed.new", timeout: Duration? = nil
    ) {
        self.appName = appName
        self.icon = icon
        self.category = category
        self.timeout = timeout
    }
}
