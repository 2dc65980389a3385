import CrierProcess

/// What is known of the program that shows notifications (Desktop Notifications Specification 1.2).
struct NotificationServer: Sendable, Hashable {
    /// Such as `gnome-shell`, `Plasma`, `dunst`; nil when nobody could be asked.
    var name: String?
    /// Nil when nobody could be asked.
    var capabilities: [String]?

    /// Whether it was asked and did not answer in time.
    var isSilent = false

    /// Whether the body is read as markup. Without an answer it is taken to be: an `&amp;` shown as it is does less harm
    /// than markup of outsiders.
    var readsMarkup: Bool { capabilities?.contains("body-markup") ?? true }

    /// The hints by which notifications of one tag replace each other; all that are in use when nobody could be asked.
    var tagHints: [String] {
        let known = ["x-dunst-stack-tag", "x-canonical-private-synchronous", "private-synchronous", "synchronous"]
        guard let capabilities else { return Array(known.prefix(2)) }
        return Array(known.filter(capabilities.contains).prefix(1))
    }

    /// Whether replacing goes by the number of the earlier notification. Numbers start again with each session and a
    /// stale one may be another program's by then, so a tag is preferred where the server says that it knows tags.
    var replacesByNumber: Bool { capabilities == nil || tagHints.isEmpty }

    /// Plasma keeps only notifications of a known application in its history. GNOME Shell removes those as soon as the
    /// sender has left the bus, which `notify-send` does at once; so only Plasma is told.
    var wantsDesktopEntry: Bool { name == "Plasma" }

    static func ask(in environment: DesktopEnvironment, bus: String, limit: Duration) async -> NotificationServer {
        @Sendable func reply(to method: String) async -> BusCall.Reply {
            let call = BusCall(.session, "org.freedesktop.Notifications", method: method)
            return await call.reply(variables: environment.variables(for: bus), limit: limit)
        }
        async let information = reply(to: "GetServerInformation")
        async let capabilities = reply(to: "GetCapabilities")
        var server = NotificationServer()
        if case .answer(let text) = await information { server.name = quoted(in: text).first }
        switch await capabilities {
        case .answer(let text): server.capabilities = quoted(in: text)
        case .silence: server.isSilent = true
        case .refusal: break
        }
        return server
    }

    /// What no other run of it has, nor of the bus: numbers begin anew with each. Nil where the bus does not say it.
    static func session(in environment: DesktopEnvironment, bus: String, limit: Duration) async -> String? {
        @Sendable func answer(to method: String, _ arguments: [String] = []) async -> String? {
            let call = BusCall(.session, "org.freedesktop.DBus", method: method, arguments: arguments)
            let text = await call.answer(variables: environment.variables(for: bus), limit: limit)
            return text.flatMap { quoted(in: $0).first }
        }
        async let identity = answer(to: "GetId")
        async let owner = answer(to: "GetNameOwner", ["org.freedesktop.Notifications"])
        // A unique name begins with a colon (D-Bus Specification, "Bus names"), and counts on one bus.
        guard let identity = await identity, let owner = await owner, owner.hasPrefix(":") else { return nil }
        return "\(identity) \(owner)"
    }

    /// The strings of an answer: all three tools put them, and nothing else, in double or single quotes.
    static func quoted(in answer: String) -> [String] {
        var strings: [String] = []
        var rest = answer[...]
        while let start = rest.firstIndex(where: { $0 == "\"" || $0 == "'" }) {
            let inside = rest[rest.index(after: start)...]
            guard let end = inside.firstIndex(of: rest[start]) else { break }
            strings.append(String(inside[..<end]))
            rest = inside[inside.index(after: end)...]
        }
        return strings
    }
}

extension DesktopEnvironment {
    /// The program that shows notifications on the session bus, and what it says it can do; nil where none answers.
    public func notificationServer(limit: Duration) async -> (name: String, capabilities: [String])? {
        guard let bus = busAddress else { return nil }
        let server = await NotificationServer.ask(in: self, bus: bus, limit: limit)
        return server.name.map { ($0, server.capabilities ?? []) }
    }
}
