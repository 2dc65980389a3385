import CrierNotifications

/// How the digests of a configuration look: the user's own templates by the names of the digests, else Crier's.
public struct DigestLooks: Sendable {
    /// A user's own templates for one digest: Mustache over the keys of the JSON look; nil is Crier's own look.
    public struct Templates: Sendable {
        /// For terminals and the text of mails.
        public var text: NotificationTemplate?
        public var html: NotificationTemplate?
        public var markdown: NotificationTemplate?

        public init(
            text: NotificationTemplate? = nil, html: NotificationTemplate? = nil, markdown: NotificationTemplate? = nil
        ) {
            self.text = text
            self.html = html
            self.markdown = markdown
        }
    }

    private let own: [String: Templates]

    /// - Parameter own: By the names of digests.
    public init(own: [String: Templates] = [:]) {
        self.own = own
    }

    /// For a terminal, or the text of a mail. Ends with a line end.
    public func text(of page: DigestPage, printed print: DigestPrint) -> String {
        guard let template = own[page.name]?.text else { return print.text(of: page) }
        let text = template.render(page.members) { DigestPrint.isolated(Escaping.plain.escape($0, keepsLines: false)) }
        return Self.ended(print.isForTerminal ? text : HarmlessText.withoutSequences(text))
    }

    /// A page of HTML that needs nothing but itself.
    public func html(of page: DigestPage) -> String {
        Self.ended((own[page.name]?.html ?? DigestTemplates.html)?.render(page.members) ?? "")
    }

    /// The same as a part of another document: without Crier's own head and styles, or the user's own as it is.
    func fragment(of page: DigestPage) -> String {
        Self.ended((own[page.name]?.html ?? DigestTemplates.fragment)?.render(page.members) ?? "")
    }

    /// CommonMark, which can be read as it is.
    public func markdown(of page: DigestPage) -> String {
        let template = own[page.name]?.markdown ?? DigestTemplates.markdown
        // Two lines of a summary, as everywhere: of 80 columns, as there is no telling where it is read.
        let text = template?.render(page.withSummaries(of: 160).members) {
            WebLink.safe($0).map(MarkdownText.destination) ?? MarkdownText.line($0)
        }
        return Self.ended(text ?? "")
    }

    private static func ended(_ text: String) -> String { text.hasSuffix("\n") ? text : text + "\n" }
}
