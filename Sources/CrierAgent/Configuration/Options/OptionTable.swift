import CrierContent
import CrierFetch
import CrierNotifications

/// Every key of the configuration, one row each, in the order of the reference.
enum OptionTable {
    static let rows = topLevel + sinks + sources + hosts

    private static let topLevel = [
        Option(
            path: "time-zone", type: .timeZone, fallback: .words("the machine's"), example: "Asia/Shanghai",
            summary: "The time zone of every source that names none.")
    ]

    private static let sinks = [
        Option(
            path: "sinks.*.kind", type: .choice(SinkKind.allCases.map(\.rawValue)),
            fallback: .words("the sink's name, if it is a kind"), example: "webhook",
            summary: "What the sink is."),
        Option(
            path: "sinks.*.format", sink: .stdout, type: .choice(StdoutSinkSettings.Format.allCases.map(\.rawValue)),
            fallback: .value("text"), example: "json",
            summary: "Lines to read, or one JSON object per line."),
        Option(
            path: "sinks.*.app-name", sink: .desktop, type: .text, fallback: .value("Crier"), example: "News",
            summary: "The application that the desktop shows as the sender."),
        Option(
            path: "sinks.*.icon", sink: .desktop, type: .text, fallback: .none, example: "dialog-information",
            summary: "A name of the desktop's icon theme, or the absolute path of a picture."),
        Option(
            path: "sinks.*.category", sink: .desktop, type: .text, fallback: .value("x-crier.feed.new"),
            example: "im.received",
            summary: "The category that the desktop may have rules for."),
        Option(
            path: "sinks.*.timeout", sink: .desktop, type: .duration(atLeast: .zero),
            fallback: .words("the desktop's own"),
            example: "10s",
            summary: "How long a notification is shown; `0s` is until it is closed."),
        Option(
            path: "sinks.*.url", sink: .webhook, type: .url(schemes: ["https", "http"]), fallback: .required,
            example: "https://hooks.example.org/in",
            summary: "Where notifications are sent to."),
        Option(
            path: "sinks.*.secret", sink: .webhook, type: .secret, fallback: .none, example: "{env: CRIER_SECRET}",
            summary: "What requests are signed with: where it is found, never the secret itself."),
        Option(
            path: "sinks.*.headers", sink: .webhook, type: .headers, fallback: .value("{}"),
            example: "{X-Team: news}",
            summary: "HTTP fields to send with every request."),
        Option(
            path: "sinks.*.timeout", sink: .webhook, type: .duration(atLeast: .seconds(1)), fallback: .value("20s"),
            example: "5s",
            summary: "How long one attempt may take."),
    ]

    private static let hosts = [
        Option(
            path: "hosts.*.parallel", type: .number(1...64), fallback: .value("1"), example: "4",
            summary: "How many requests to it may be under way at once."),
        Option(
            path: "hosts.*.gap", type: .duration(atLeast: .zero), fallback: .value("2s"), example: "0s",
            summary: "The least time between the starts of two requests to it."),
    ]

    private static let sources = addresses + documents + schedule + notifications

    private static let addresses = [
        Option(
            path: "sources.*.url", type: .url(schemes: ["https", "http", "file"]),
            fallback: .words("this or `command`"), example: "https://example.org/feed.xml",
            summary: "Where the feed, the page or the API is."),
        Option(
            path: "sources.*.command", type: .command, fallback: .words("this or `url`"),
            example: "[git, -C, /srv/project, log, --format=%s]",
            summary: "A program whose output is the document; run without a shell."),
        Option(
            path: "sources.*.enabled", type: .flag, fallback: .value("true"), example: "false",
            summary: "Whether the source is fetched at all."),
    ]

    private static let documents = [
        Option(
            path: "sources.*.format", type: .choice(SourceFields.formats), fallback: .value("auto"), example: "json",
            summary: "What the document is; `auto` tells feeds apart by their content."),
        Option(
            path: "sources.*.items", type: .expression(.ofFormat), fallback: .words("the document's own list"),
            example: ".results[]",
            summary: "What yields the items of a `json`, `html` or `xml` document."),
        Option(
            path: "sources.*.fields", type: .fields, fallback: .value("{}"),
            example: "{id: ._id, title: .desc, url: .url}",
            summary: "What yields each field of an item, seen from the item."),
        Option(
            path: "sources.*.when", type: .expression(.jq), fallback: .none, example: ".error == false",
            summary: "What must hold for a JSON document to be a success; else the fetch has failed."),
        Option(
            path: "sources.*.time-zone", type: .timeZone, fallback: .words("the `time-zone` at the top"),
            example: "Asia/Shanghai",
            summary: "The time zone of its days, and of its dates that name none."),
        Option(
            path: "sources.*.dates", type: .choice(SourceFields.dates), fallback: .value("declared"), example: "local",
            summary: "`local` takes dates to be in the source's time zone, in spite of a `Z` that they carry."),
    ]

    private static let schedule = [
        Option(
            path: "sources.*.every", type: .duration(atLeast: .seconds(1)), fallback: .value("1h"), example: "6h",
            summary: "The time between two fetches: at least `15m`, but `1s` for files, commands and this machine.")
    ]

    private static let notifications = [
        Option(
            path: "sources.*.notify", type: .choice(NotifyPolicy.allCases.map(\.rawValue)), fallback: .value("each"),
            example: "daily",
            summary: "One notification for each new item, at most one a day, or none."),
        Option(
            path: "sources.*.first", type: .choice(BaselinePolicy.allCases.map(\.rawValue)),
            fallback: .value("latest"), example: "none",
            summary: "What the first fetch raises: the newest item, none or all."),
        Option(
            path: "sources.*.title", type: .text, fallback: .words("made from the name"), example: "Fresh reading",
            summary: "The title of notifications that are not about one item."),
        Option(
            path: "sources.*.only", type: .expression(.jq), fallback: .none,
            example: "'.title | test(\"release\"; \"i\")'",
            summary: "Which items are worth a notification: a condition on the item that Crier has read."),
        Option(
            path: "sources.*.level", type: .choice(InterruptionLevel.allCases.map(\.rawValue)),
            fallback: .value("active"), example: "time-sensitive",
            summary: "How urgently its notifications are presented."),
        Option(
            path: "sources.*.to", type: .names, fallback: .words("every sink"), example: "[desktop]",
            summary: "The sinks that its notifications go to."),
    ]

    /// The rows of a section, such as `sources.*`; for a sink also by kind (nil: those of every kind).
    static func rows(in section: String, sink: SinkKind? = nil) -> [Option] {
        rows.filter { $0.section == section && ($0.sink == nil || $0.sink == sink) }
    }
}

/// The words that `format`, `dates` and `fields` take.
enum SourceFields {
    static let automatic = "auto"
    static let formats = [automatic] + ContentFormat.allCases.map(\.rawValue)
    static let localDates = "local"
    static let dates = ["declared", localDates]
    static let names = ContentField.allCases.map(\.rawValue)
}

/// What the sections are, for the schema and the reference.
enum OptionSections {
    static let sinks = "Where notifications go, by name; one sink `stdout` if there are none."
    static let sources = "What is fetched, by name."
    static let hosts =
        "How fast a host may be asked, by `name` or `name:port`; this machine's own hosts are paced only if they stand here."

    /// A name, an IPv4 address or an IPv6 address in brackets; a port may follow.
    static let hostPattern = "^([A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?$"

    static func isHost(_ text: String) -> Bool {
        guard text.utf8.count <= 260, let pattern = try? Regex(hostPattern) else { return false }
        return text.wholeMatch(of: pattern) != nil
    }

    /// What a source or sink may be called: 1 to 64 characters, none of them a space, a control character or one that
    /// means something to YAML, a shell or a path.
    static let namePattern =
        "^[^-\\s\\u0000-\\u001f/\\\\:,\"'#\\[\\]{}&*!|>%@`][^\\s\\u0000-\\u001f/\\\\:,\"'#\\[\\]{}]{0,63}$"

    static func isName(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        guard let first = scalars.first, scalars.count <= 64, !"-&*!|>%@`".unicodeScalars.contains(first) else {
            return false
        }
        return scalars.allSatisfy {
            !$0.properties.isWhitespace && $0.properties.generalCategory != .control
                && !"/\\:,\"'#[]{}".unicodeScalars.contains($0)
        }
    }
}
