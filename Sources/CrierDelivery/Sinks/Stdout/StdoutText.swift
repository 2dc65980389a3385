import CrierNotifications

/// A notification as lines for a person: the title, and indented below it subtitle, body and URL.
enum StdoutText {
    /// Ends with a line end.
    static func lines(of content: NotificationContent, isTerminal: Bool) -> String {
        let title = content.headline ?? "(no title)"
        var lines = [isTerminal ? TerminalText.bold(title) : TerminalText.escape(title)]
        let subtitle = TerminalText.escape(content.subtitle)
        if !subtitle.isEmpty { lines.append("  " + subtitle) }
        let body = TerminalText.escapeLines(content.body)
        if !body.isEmpty {
            lines += body.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  " + $0 }
        }
        let url = TerminalText.escape(content.url ?? "")
        if !url.isEmpty { lines.append("  " + url) }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension NotificationContent {
    /// The title as one plain line, or what can stand for it when there is none: the subtitle, the source.
    var headline: String? {
        [title, subtitle, threadIdentifier].lazy.map(HarmlessText.line).first { !$0.isEmpty }
    }
}
