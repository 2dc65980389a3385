import CrierContent
import CrierHashing
import CrierNotifications
import Foundation

/// What Crier itself has to say about a source. Its identifiers are made from what is stored with them, so that a run that
/// was killed repeats nothing.
enum SourceNotice: Hashable {
    /// A permanent redirect was adopted.
    case moved(to: String)
    /// The feed says that it wants to be read elsewhere.
    case announced(at: String)
    /// The origin says that it is gone (410).
    case gone(since: Date)
    /// The feed says that nothing will follow.
    case ended(since: Date)
    case failing(since: Date, times: Int, cause: String)
    case recovered(since: Date, times: Int)
    /// Nothing new for longer than the user expects.
    case silent(since: Date)
    /// Nothing is found in its page.
    case empty(since: Date)

    /// Goes to the source's sinks, through the gate, as its other notifications do.
    func request(of source: Source, namesCommands: Bool) -> NotificationRequest {
        let text = text(source)
        let body = [text.body, namesCommands ? advice(source) : nil].compactMap(\.self).joined(separator: " ")
        let content = NotificationContent(
            title: text.title, subtitle: "", body: body, threadIdentifier: source.name,
            interruptionLevel: .active, userInfo: ["notice": .string(kind.rawValue)], url: url)
        return NotificationRequest(identifier: "\(source.name)/\(identifier)", content: content)
    }

    private enum Kind: String, CaseIterable {
        case moved, announced, gone, ended, failing, recovered, silent, empty

        var beginning: String {
            switch self {
            case .moved: "moved-to-"
            case .announced: "announced-at-"
            default: "\(rawValue)-since-"
            }
        }
    }

    private var kind: Kind {
        switch self {
        case .moved: .moved
        case .announced: .announced
        case .gone: .gone
        case .ended: .ended
        case .failing: .failing
        case .recovered: .recovered
        case .silent: .silent
        case .empty: .empty
        }
    }

    /// How the identifiers of notices begin behind the names of their sources.
    static let beginnings = Kind.allCases.map(\.beginning)

    private var identifier: String {
        switch self {
        case .moved(let url): kind.beginning + SHA256.hash(url).prefix(8).hexadecimal
        // It may have a token that is new at each visit.
        case .announced(let url): kind.beginning + SHA256.hash(Self.withoutQuery(url)).prefix(8).hexadecimal
        case .gone(let since), .ended(let since), .failing(let since, _, _), .recovered(let since, _),
            .silent(let since), .empty(let since):
            kind.beginning + since.formatted(.iso8601)
        }
    }

    /// None with a query: see ``withoutQuery(_:)``.
    private var url: String? {
        switch self {
        case .moved(let url), .announced(let url): Self.withoutQuery(url) == url ? url : nil
        default: nil
        }
    }

    /// A query may hold a secret of the user, and the services that are told of a move are others' machines.
    private static func withoutQuery(_ url: String) -> String {
        url.firstIndex(of: "?").map { url[..<$0] + "?…" } ?? url
    }

    private func text(_ source: Source) -> (title: String, body: String) {
        let name = PlainText.cut(source.title ?? source.name, to: 120)
        let day = { (date: Date) in CalendarDay(date, in: source.mapping.timeZone).description }
        switch self {
        case .moved(let url):
            return ("\(name) has moved", "It is visited at \(Self.withoutQuery(url)) from now on.")
        case .announced(let url):
            return (
                "\(name) wants to be read elsewhere",
                "Its feed says that it is at \(Self.withoutQuery(url)) now. It is visited where it was, which may have nothing new any more."
            )
        case .gone:
            return (
                "\(name) is gone",
                "Its origin says that it is gone for good (status 410). It is asked once more in a week."
            )
        case .ended:
            return ("\(name) has ended", "Its feed says that nothing will follow. It is asked once more in a week.")
        case .failing(let since, let times, let cause):
            return (
                "\(name) keeps failing",
                "\(times) visits in a row since \(day(since)): \(PlainText.cut(cause, to: 300))."
            )
        case .recovered(let since, let times):
            let count = times == 1 ? "once" : "\(times) times in a row"
            return ("\(name) works again", "It had failed since \(day(since)), \(count).")
        case .silent(let since):
            return ("\(name) has gone silent", "It answers, but has had nothing new since \(day(since)).")
        case .empty(let since):
            return ("\(name) shows no items", "It answers, but nothing has been found in its page since \(day(since)).")
        }
    }

    private func whole(_ url: String, of source: Source) -> String {
        Self.withoutQuery(url) == url ? "" : " `crier why \(source.name)` tells the whole of it."
    }

    /// What the user of the command can do.
    private func advice(_ source: Source) -> String? {
        switch self {
        case .moved(let url):
            "To make that last, write it into the configuration as the url of \(source.name)."
                + whole(url, of: source)
        case .announced(let url):
            "To follow it, write that into the configuration as the url of \(source.name)." + whole(url, of: source)
        case .recovered: nil
        case .failing, .silent: "`crier why \(source.name)` tells more."
        case .empty: "`crier try \(source.name)` shows why: its expressions may have to be written anew."
        case .gone, .ended:
            "`crier fetch \(source.name) --force` asks at any time, `crier remove \(source.name)` ends that."
        }
    }
}
