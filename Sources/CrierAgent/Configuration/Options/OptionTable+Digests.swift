import CrierFetch
import CrierNotifications

extension OptionTable {
    /// Every key of a digest.
    static let digests = digestContents + digestLooks

    private static let digestContents = [
        Option(
            path: "digests.*.at", type: .calendar, fallback: .required, example: "mon..fri 08:30",
            summary: "When it is issued, as systemd's timers are written; a missed one is issued at the next start."),
        Option(
            path: "digests.*.time-zone", type: .timeZone, fallback: .words("the `time-zone` at the top"),
            example: "Asia/Tokyo", summary: "The reader's time zone: of `at`, of times and of days."),
        Option(
            path: "digests.*.to", type: .names, fallback: .words("every sink"), example: "[email]",
            summary: "The sinks that it goes to."),
        Option(
            path: "digests.*.sources", type: .texts, fallback: .words("every source, unless `tags` says which"),
            example: "[example]",
            summary: "The sources whose new items it tells of; with `notify: none` they are told of nowhere else."),
        Option(
            path: "digests.*.tags", type: .texts, fallback: .none, example: "[news, tech]",
            summary: "The same by tags: `tech` is also `tech/linux`; beside `sources` it adds to them."),
        Option(
            path: "digests.*.only", type: .expression(.jq), fallback: .none,
            example: "'.title | test(\"swift\"; \"i\")'",
            summary: "Which items it tells of: a condition on the item that Crier has read; "
                + "one on which it fails is told all the same."),
        Option(
            path: "digests.*.empty", type: .choice(Digest.Emptiness.allCases.map(\.rawValue)), fallback: .value("skip"),
            example: "say", summary: "Whether it says so when nothing is new."),
        Option(
            path: "digests.*.level", type: .choice(InterruptionLevel.allCases.map(\.rawValue)),
            fallback: .value("active"), example: "passive", summary: "How urgently it is presented."),
    ]

    private static let digestLooks = [
        Option(
            path: "digests.*.title", type: .text, fallback: .words("its name"), example: "Good morning",
            summary: "What stands at its top."),
        Option(
            path: "digests.*.group-by", type: .choice(Digest.Grouping.allCases.map(\.rawValue)),
            fallback: .value("source"), example: "tag",
            summary: "What items are put under: their source, its first tag, their day or their first category."),
        Option(
            path: "digests.*.order", type: .choice(Digest.Order.allCases.map(\.rawValue)), fallback: .value("newest"),
            example: "document", summary: "Which items stand first; `document` leaves them as they came."),
        Option(
            path: "digests.*.max", type: .count(atLeast: 1), fallback: .value("50"), example: "20",
            summary: "The most items that are shown; the others are counted."),
        Option(
            path: "digests.*.images", type: .flag, fallback: .value("false"), example: "true",
            summary: "Whether HTML shows pictures by their addresses, whose servers then see who reads."),
        Option(
            path: "digests.*.language", type: .choice(Digest.Language.allCases.map(\.rawValue)),
            fallback: .words("that of the locale, else `en`"), example: "zh-Hans",
            summary: "The language of Crier's own words in it."),
        Option(
            path: "digests.*.text", type: .template, fallback: .words("Crier's own layout"),
            example: "'{{title}}: {{summary}}'",
            summary: "A template of text for terminals and mails, over the keys of `--preview --format json`."
        ),
        Option(
            path: "digests.*.html", type: .template, fallback: .words("Crier's own layout"),
            example: "'<h1>{{title}}</h1>'",
            summary: "A template of HTML for mails, feeds and the page that a click opens."),
        Option(
            path: "digests.*.markdown", type: .template, fallback: .words("Crier's own layout"),
            example: "'# {{title}}'", summary: "A template of Markdown for `--format markdown`."),
    ]
}
