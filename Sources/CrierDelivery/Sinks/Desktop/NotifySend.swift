import CrierNotifications

/// The command line of `notify-send`.
struct NotifySend: Sendable, Hashable {
    /// What the installed version can do; the options came with 0.7.10, 0.7.11 and 0.8.
    struct Features: Sendable, Hashable {
        var printsNumber = false
        var takesActions = false
        var replaces = false
        var takesBooleans = false

        init() {}

        /// - Parameter help: what `notify-send --help` prints.
        init(help: String) {
            printsNumber = help.contains("--print-id")
            takesActions = help.contains("--action")
            replaces = help.contains("--replace-id")
            takesBooleans = help.contains("boolean")
        }
    }

    /// What the user has set for all notifications.
    struct Settings: Sendable, Hashable {
        var applicationName: String
        var icon: String?
        var category: String
        var desktopEntry: String?
        var expiration: Duration?
    }

    let settings: Settings
    let features: Features
    let server: NotificationServer

    /// Whether it can be known that a notification is clicked.
    var tellsClicks: Bool {
        features.takesActions && features.printsNumber && server.capabilities?.contains("actions") == true
    }

    /// - Parameters:
    ///   - replacing: the number of an earlier notification that this one takes the place of.
    ///   - watch: what a click does.
    func arguments(
        for request: NotificationRequest, replacing number: UInt32?, watch: ClickWatch? = nil
    ) -> [String] {
        let content = request.content
        var arguments = ["-a", settings.applicationName, "-u", Self.urgency(of: content.interruptionLevel)]
        arguments += ["-c", category(of: content.categoryIdentifier)]
        if let icon = settings.icon { arguments += ["-i", icon] }
        if let expiration = settings.expiration {
            arguments += ["-t", "\(Int(min(max(0, expiration / .milliseconds(1)), Double(Int32.max))))"]
        }
        if features.printsNumber { arguments.append("--print-id") }
        if features.replaces, let number { arguments.append("--replace-id=\(number)") }
        if let watch { arguments.append("--action=\(ClickWatch.action)=\(watch.label)") }
        for hint in hints(for: request) { arguments += ["-h", hint] }
        // Without it a title that starts with a hyphen would be read as options.
        arguments.append("--")
        return arguments + texts(of: content)
    }

    private func hints(for request: NotificationRequest) -> [String] {
        let token = IdentifierToken.token(of: request.identifier)
        var hints = server.tagHints.map { "string:\($0):\(token)" }
        if server.wantsDesktopEntry, let entry = settings.desktopEntry { hints.append("string:desktop-entry:\(entry)") }
        switch request.content.sound {
        case nil: if features.takesBooleans { hints.append("boolean:suppress-sound:true") }
        case .default: break
        case .named(let name): hints.append("string:sound-name:\(DesktopText.name(name))")
        }
        return hints
    }

    /// Title and body. There is no place for a subtitle: it is the first line of the body, unless it serves as title.
    private func texts(of content: NotificationContent) -> [String] {
        let title = DesktopText.title(content.headline ?? settings.applicationName)
        let subtitle = DesktopText.title(content.subtitle)
        let lines = (subtitle == title ? [] : [subtitle]) + [content.body]
        let body = DesktopText.body(lines.joined(separator: "\n"), markup: server.readsMarkup)
        return body.isEmpty ? [title] : [title, body]
    }

    private static func urgency(of level: InterruptionLevel) -> String {
        switch level {
        case .passive: "low"
        case .active, .timeSensitive: "normal"
        case .critical: "critical"
        }
    }

    /// A category of the specification as it is, another one under a name of our own, as the specification asks.
    private func category(of identifier: String) -> String {
        let name = DesktopText.name(identifier)
        let classes = ["call", "device", "email", "im", "network", "presence", "transfer"]
        if name.isEmpty { return settings.category }
        if name.hasPrefix("x-") || classes.contains(where: { name == $0 || name.hasPrefix($0 + ".") }) { return name }
        return "x-crier.\(name)"
    }
}
