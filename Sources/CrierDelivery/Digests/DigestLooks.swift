import CrierNotifications

/// How the digests of a configuration look: the user's own templates by the names of the digests, else Crier's.
public struct DigestLooks: Sendable {
    /// Mustache over the keys of the JSON look.
    public var texts: [String: NotificationTemplate] = [:]
    public var pages: [String: NotificationTemplate] = [:]

    public init() {}

    /// For a terminal, or the text of a mail. Ends with a line end.
    public func text(of page: DigestPage, printed print: DigestPrint) -> String {
        guard let template = texts[page.name] else { return print.text(of: page) }
        return Self.ended(template.render(page.members))
    }

    /// A page of HTML that needs nothing but itself.
    public func html(of page: DigestPage) -> String {
        Self.ended((pages[page.name] ?? DigestTemplates.html)?.render(page.members) ?? "")
    }

    public func markdown(of page: DigestPage) -> String {
        Self.ended(DigestTemplates.markdown?.render(page.withoutNames.members) ?? "")
    }

    private static func ended(_ text: String) -> String { text.hasSuffix("\n") ? text : text + "\n" }
}
