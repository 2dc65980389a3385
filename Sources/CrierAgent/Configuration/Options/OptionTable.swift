import CrierContent
import CrierFetch
import CrierNotifications

/// Every key of the configuration, one row each, in the order of the reference.
enum OptionTable {
    static let rows = parts.flatMap { $0.rows() }

    /// By what their sections begin with. Made when asked for: a run reads mostly sources, and these are a third of all.
    private static let parts: [(section: String, rows: @Sendable () -> [Option])] = [
        ("", { topLevel }), ("rules", { commonRules }), ("sinks", { sinks }), ("digests", { digests }),
        ("sources", { sources }), ("hosts", { hosts }),
    ]

    private static let topLevel = [
        Option(
            path: "time-zone", type: .timeZone, fallback: .words("the machine's"), example: "Asia/Shanghai",
            summary: "The time zone of all sources, digests and `quiet-hours` that name none."),
        Option(
            path: "quiet-hours", type: .periods, fallback: .none, example: "22:30-07:30",
            summary:
                "When ordinary notifications wait, to come as one summary, by the `time-zone` at the top; `mon..fri 22:30-07:30 Europe/Berlin` names days and a zone."
        ),
        Option(
            path: "background", type: .choice(BackgroundPolicy.allCases.map(\.rawValue)),
            fallback: .value("authorized"), example: "always",
            summary: "Whether the agent, timers and cron fetch only when you have authorized notifications, or always."),
        Option(
            path: "metrics-port", type: .port, fallback: .none, example: "9464",
            summary: "The port of this machine at which the agent shows its metrics; at its socket it always does."),
        Option(
            path: "unique", type: .choice(UniqueWords.all), fallback: .value(UniqueWords.none), example: "url",
            summary: "`url` tells of an address for one source only, the first that has it, at each sink."),
        Option(
            path: "rules", type: .rules(section: commonRulesSection), fallback: .none,
            example: "[{when: '.title | test(\"CVE\")', level: critical}]",
            summary: "What holds for some items of several sources, where a source's own `rules` do not say it."),
    ]

    /// The section of one rule at the top.
    static let commonRulesSection = "rules.*"

    private static let commonRules = [
        Option(
            path: "\(commonRulesSection).tags", type: .texts, fallback: .words("every source"), example: "[security]",
            summary: "The tags of the sources that the rule is for; `a` is also for `a/b`."),
        Option(
            path: "\(commonRulesSection).when", type: .expression(.jq), fallback: .words("every item"),
            example: "'.title | test(\"urgent\"; \"i\")'",
            summary: "Which of their items the rule is for, by the item that Crier has read."),
        Option(
            path: "\(commonRulesSection).skip", type: .flag, fallback: .words("what others say"), example: "true",
            summary: "Whether these items raise nothing; `false` has them told whatever later rules say."),
        Option(
            path: "\(commonRulesSection).level", type: .choice(InterruptionLevel.allCases.map(\.rawValue)),
            fallback: .words("the source's"), example: "critical",
            summary: "How urgently notifications of these items are presented."),
        Option(
            path: "\(commonRulesSection).to", type: .names, fallback: .words("the source's"), example: "[desktop]",
            summary: "The sinks that notifications of these items go to."),
    ]

    private static let hosts = [
        Option(
            path: "hosts.*.parallel", type: .count(atLeast: 1), fallback: .value("1"), example: "4",
            summary: "How many requests to it may be under way at once."),
        Option(
            path: "hosts.*.gap", type: .duration(atLeast: .zero), fallback: .value("2s"), example: "0s",
            summary: "The least time between the starts of two requests to it."),
    ]

    private static let sources = addresses + requests + documents + schedule + notifications + rules

    private static let addresses = [
        Option(
            path: "sources.*.url", type: SourceFields.url,
            fallback: .words("this or `command`"), example: "https://example.org/feed.xml",
            summary: "Where the feed, the page or the API is."),
        Option(
            path: "sources.*.command", type: .command, fallback: .words("this or `url`"),
            example: "[~/bin/news-as-rss, --last, 7d]",
            summary: "A program whose output is the document: a feed, JSON or a page; run without a shell."),
        Option(
            path: "sources.*.enabled", type: .flag, fallback: .value("true"), example: "false",
            summary: "Whether the source is fetched at all."),
        Option(
            path: "sources.*.tags", type: .texts, fallback: .none, example: "[news, tech/linux]",
            summary: "What the source belongs to: its folders in OPML, `a/b` for one within another."),
    ]

    static let requests = [
        Option(
            path: "sources.*.headers", type: .headers(ofWebhook: false), fallback: .value("{}"),
            example: "{Accept-Language: de, X-Key: {env: NEWS_KEY}}",
            summary: "HTTP fields to send, each a text or where a secret is found; another origin never gets them."),
        Option(
            path: "sources.*.auth", type: .authorization, fallback: .none,
            example: "{user: me, password: {file: ~/.news-password}}",
            summary: "Who asks, by user and password (Basic) or by a token (Bearer); another origin never gets it."),
        Option(
            path: "sources.*.secrets", type: .secrets, fallback: .value("{}"),
            example: "{key: {file: ~/.news-key}}",
            summary: "What is secret in `url`, where it stands by its name as `{key}`; another origin never gets it."),
        Option(
            path: "sources.*.method", type: .choice(RequestMethods.all),
            fallback: .words("`GET`, or `POST` where there is a `body`"), example: "POST",
            summary: "How an API is asked; only `GET` and `QUERY` ask \"has it changed?\"."),
        Option(
            path: "sources.*.body", type: .text, fallback: .none, example: "'{\"query\": \"{posts {id title}}\"}'",
            summary:
                "What is sent to an API; it goes as JSON, XML or a form, by its first character, unless `headers` says otherwise."
        ),
        Option(
            path: "sources.*.proxy", type: .url(schemes: ["http", "https", "socks5", "socks5h"]),
            fallback: .words("`https_proxy`, `http_proxy`, `all_proxy` and `no_proxy` of the environment"),
            example: "socks5h://127.0.0.1:9050",
            summary: "The proxy that the source is reached through."),
        Option(
            path: "sources.*.ca-file", type: .path,
            fallback: .words("`CURL_CA_BUNDLE` or `SSL_CERT_FILE` of the environment, else the system's"),
            example: "~/.config/crier/authority.pem",
            summary: "The certificate authorities (PEM) that the source's server must be vouched for by."),
    ]

    private static let documents = [
        Option(
            path: "sources.*.format", type: .choice(SourceFields.formats), fallback: .value("auto"),
            example: "json-feed",
            summary: "What the document is; `auto` tells feeds apart by their content."),
        Option(
            path: "sources.*.items", type: .expression(.ofFormat), fallback: .words("the document's own list"),
            example: ".results[]",
            summary: "What yields the items of a `json`, `html` or `xml` document."),
        Option(
            path: "sources.*.fields", type: .fields, fallback: .none,
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
            summary:
                "The time between two fetches: at least `15m`, but `1s` for files, commands and this machine; where it is not given, an origin that cannot say whether something has changed is asked once a day while its answers stay equal."
        ),
        Option(
            path: "sources.*.only-on", type: .choices(FetchCondition.allCases.map(\.rawValue)), fallback: .none,
            example: "[unmetered, ac-power]",
            summary:
                "Waits while the connection is metered, or the machine runs on its battery; what is not known counts as fine."
        ),
    ]

    private static let notifications = [
        Option(
            path: "sources.*.notify", type: .choice(NotifyPolicy.allCases.map(\.rawValue)), fallback: .value("each"),
            example: "daily",
            summary: "One notification for each new item, at most one a day, or none."),
        Option(
            path: "sources.*.first", type: .choice(BaselinePolicy.allCases.map(\.rawValue)),
            fallback: .value("latest"), example: "none",
            summary: "What the first fetch raises: the newest item (of `notify: daily` the newest day), none or all."),
        Option(
            path: "sources.*.title", type: .text, fallback: .words("the feed's title, else the name"),
            example: "Fresh reading",
            summary: "The title of notifications that are not about one item."),
        Option(
            path: "sources.*.only", type: .expression(.jq), fallback: .none,
            example: "'.title | test(\"release\"; \"i\")'",
            summary: "Which items are worth a notification: a condition on the item that Crier has read, whose keys "
                + "`crier parse --format json` shows (`title`, `url`, `published`, `authors`, `categories`, …); "
                + "one on which it fails is told all the same, and of several answers all must be met."),
        Option(
            path: "sources.*.skip", type: .expression(.jq), fallback: .none,
            example: "'.categories | any(. == \"sponsored\")'",
            summary: "Which items are not worth a notification: the opposite of `only`."),
        Option(
            path: "sources.*.rules", type: .rules(section: rulesSection), fallback: .none,
            example: "[{when: '.title | test(\"CVE\")', level: critical}]",
            summary:
                "What holds for some of its items: every rule that applies counts, the first that says a thing decides it."
        ),
        Option(
            path: "sources.*.updates", type: .choice(UpdatePolicy.allCases.map(\.rawValue)),
            fallback: .value("ignore"), example: "replace",
            summary:
                "What becomes with `notify: each` of a known item whose title, text or address changes: nothing, a notification of its own, or its own anew, at most 24 times an item."
        ),
        Option(
            path: "sources.*.level", type: .choice(InterruptionLevel.allCases.map(\.rawValue)),
            fallback: .value("active"), example: "time-sensitive",
            summary: "How urgently its notifications are presented."),
        Option(
            path: "sources.*.expect-every", type: .duration(atLeast: .seconds(3600)), fallback: .none, example: "14d",
            summary: "Tells once when the source has had nothing new for that long; again only after it has."),
        Option(
            path: "sources.*.to", type: .names, fallback: .words("every sink"), example: "[desktop]",
            summary: "The sinks that its notifications go to."),
    ]

    /// The section of one rule of a source.
    static let rulesSection = "sources.*.rules.*"

    private static let rules = [
        Option(
            path: "\(rulesSection).when", type: .expression(.jq), fallback: .words("every item"),
            example: "'.title | test(\"urgent\"; \"i\")'",
            summary: "Which items the rule is for, by the item that Crier has read."),
        Option(
            path: "\(rulesSection).skip", type: .flag, fallback: .words("what others say"), example: "true",
            summary: "Whether they raise nothing; `false` has them told whatever later rules say."),
        Option(
            path: "\(rulesSection).level", type: .choice(InterruptionLevel.allCases.map(\.rawValue)),
            fallback: .words("the source's"), example: "critical",
            summary: "How urgently their notifications are presented."),
        Option(
            path: "\(rulesSection).to", type: .names, fallback: .words("the source's"), example: "[desktop]",
            summary: "The sinks that their notifications go to."),
    ]

    /// The rows of a section, such as `sources.*`; for a sink also by kind (nil: those of every kind).
    static func rows(in section: String, sink: SinkKind? = nil) -> [Option] {
        parts.filter { section.hasPrefix($0.section) }.flatMap { $0.rows() }
            .filter { $0.section == section && ($0.sink == nil || $0.sink == sink) }
    }
}

/// The words that `format`, `dates` and `fields` take.
package enum SourceFields {
    static let url = OptionType.url(schemes: ["https", "http", "file"])
    package static let automatic = "auto"
    package static let formats = [automatic] + ContentFormat.allCases.map(\.rawValue)
    package static let localDates = "local"
    package static let dates = ["declared", localDates]
    package static let names = ContentField.allCases.map(\.rawValue)
}

/// The words that `unique` takes.
enum UniqueWords {
    static let none = "none"
    static let url = "url"
    static let all = [none, url]
}

/// The methods that ask for something and change nothing, and POST, which many APIs ask by.
enum RequestMethods {
    static let all = ["GET", "POST", "QUERY", "PROPFIND", "REPORT", "SEARCH"]
}

/// What the sections are, for the schema and the reference.
package enum OptionSections {
    static let sinks = "Where notifications go, by name; one sink `stdout` if there are none."
    static let sources = "What is fetched, by name."
    static let digests = "What sums up many items at set times, by name."
    static let rules = "One rule of a source."
    static let commonRules = "One rule for several sources."
    static let hosts =
        "How fast a host may be asked, by `name` or `name:port`; this machine's own hosts are paced only if they stand here."

    /// What keys of the user's own begin with, at the top.
    static let ownPrefix = "x-"
    static let own =
        "Keys at the top that begin with `x-` are yours: what stands there is not read, and may be an anchor for others (`x-often: &often {every: 15m}`, then `<<: *often` in a source)."

    /// A name, an IPv4 address or an IPv6 address in brackets; a port may follow.
    static let hostPattern = "^([A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?$"

    static func isHost(_ text: String) -> Bool {
        guard text.utf8.count <= 260, let pattern = try? Regex(hostPattern) else { return false }
        guard text.wholeMatch(of: pattern) != nil else { return false }
        return text.firstMatch(of: /:([0-9]+)$/).map { UInt16($0.1) ?? 0 != 0 } ?? true
    }

    /// What a source or sink may be called: 1 to 64 characters, none of them a space, a control character, one that nobody sees
    /// or one that means something to YAML, a shell or a path.
    static let namePattern =
        "^[^-\(unfit)&*!|>%@`][^\(unfit)]{0,63}$"

    private static let unfit =
        "\\s\\u0000-\\u001f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff/\\\\:,\"'#\\[\\]{}"

    package static let nameRule =
        "1 to 64 characters without spaces, without invisible characters and without any of / \\ : , \" ' # [ ] { }, not beginning with any of "
        + "- & * ! | > % @ `"

    package static func isName(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        switch scalars.first {
        case nil, "-", "&", "*", "!", "|", ">", "%", "@", "`": return false
        default: break
        }
        return (text.utf8.count <= 64 || scalars.count <= 64)
            && scalars.allSatisfy { scalar in
                switch scalar {
                case "/", "\\", ":", ",", "\"", "'", "#", "[", "]", "{", "}": false
                default: !scalar.isSpaceOrControl && !scalar.isInvisible
                }
            }
    }
}
