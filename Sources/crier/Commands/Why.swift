import ArgumentParser
import CrierAgent
import CrierFetch
import CrierNotifications
import CrierStore
import Foundation

struct Why: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract:
            "Explain the state of one source: its last answer, what was raised, and when it is visited next and why.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The source.", completion: .sources)
    var source: String

    @Option(help: "text or json.")
    var format: OutputFormat = .text

    func run() async throws {
        let (configuration, problems) = try options.loadConfiguration()
        guard let source = try chosenSources([source], of: configuration, problems: problems).first else { return }
        let account = try SourceAccount(
            of: source, configuration, in: try options.foreseenStore(of: configuration),
            unmet: await MachineConditions.ofThisMachine.unmet(of: [source]),
            now: SystemClock().now)
        if format == .json { return JSONLine.write(AccountLine(account)) }
        for line in account.lines { Terminal.line(line) }
    }
}

extension SourceAccount {
    /// For people.
    fileprivate var lines: [String] {
        let name = source.name.shown
        guard let last = state.lastFetched else {
            if let leftAlone { return ["\(name) was never visited; it is left alone \(leftAlone)."] }
            if let next, (state.nextFetch ?? now) > now { return ["\(name) was never visited; it is on \(next)."] }
            if let outageWords { return ["\(name) was never visited; \(outageWords)."] }
            if !unmet.isEmpty { return ["\(name) was never visited; it waits, since \(unmet.unmetWords)."] }
            return ["\(name) was never visited; `crier fetch \(name)` does it."]
        }
        let rows: [(label: String, text: String?)] = [
            ("Last visit", moment(last)), ("Answer", answer), ("Address", state.answeringURL(of: source)?.shown),
            ("Moved", move),
            ("Failing", failing), ("Last success", state.failure == nil ? nil : moment(state.lastSucceeded)),
            ("Gone", gone), ("Known", "\(itemCount) item\(itemCount == 1 ? "" : "s")"), ("Empty", empty),
            ("Last new", news), ("Changes", changes),
            ("Notify", "\(source.notify.rawValue) to \(source.sinks.map(\.shown).joined(separator: ", "))"),
            ("Told in", digests.isEmpty ? nil : "the digest \(digests)"),
            ("Last notified", moment(state.lastNotified)), ("Days told", state.announcedDay.map { "up to \($0)" }),
            ("Next visit", next), ("Postponed", postponed), ("Left alone", leftAlone),
            ("Only on", onlyOn), ("Network", outageWords), ("Background", rest?.words),
        ]
        let lines = rows.compactMap { row in
            row.text.map { row.label.padded(to: 14) + $0 }
        }
        let latest = deliveries.map { "  " + $0.line(tellers, now: now) }
        return latest.isEmpty ? lines : lines + ["Latest deliveries"] + latest
    }

    private func moment(_ date: Date?) -> String {
        guard let date else { return "never" }
        return "\(RelativeTime.absolute(date)), \(RelativeTime.words(date, from: now))"
    }

    private var answer: String {
        if let failure = state.failure {
            // The cause of a failed fetch names its status itself.
            let status = failure.stage == .fetch ? "" : state.lastStatus.map { " (\($0))" } ?? ""
            return "\(failure.stage.rawValue) failed\(status): \(failure.cause.shown)"
        }
        let status = state.lastStatus.map { $0 == 304 ? "not modified (304)" : "read (\($0))" } ?? "read"
        return "\(status), \(state.resultInWords)"
    }

    private var digests: String { source.digests.map(\.shown).joined(separator: ", ") }

    private var move: String? {
        if let adoptedURL, let date = state.move?.adoptedOn {
            return "adopted on \(RelativeTime.absolute(date)): \(adoptedURL.shown) is visited instead of "
                + "\(configuredURL?.shown ?? ""); to make it last, write that as the url of \(source.name.shown)"
        }
        if let announced = state.announcedURL(of: source) {
            return "its feed says that it is at \(announced.shown) now; to follow it, write that as the url of "
                + source.name.shown
        }
        guard let expectedMove, let target = expectedMove.target else { return nil }
        return "the origin redirects for good to \(target.shown), seen \(expectedMove.sightings) of "
            + "\(SourceMove.sightingsToAdopt) times, a day or more apart; then that is adopted"
    }

    private var failing: String? {
        guard let since = state.failingSince else { return nil }
        let told = state.failureTold.map { "; a notice was made on \(RelativeTime.absolute($0))" } ?? ""
        return "\(state.failures) in a row since \(RelativeTime.absolute(since))\(told)"
    }

    private var gone: String? {
        guard let since = state.goneSince else { return nil }
        let name = source.name.shown
        let what = state.wishes.hints.isExpired ? ", as its feed says that nothing will follow" : ""
        return "since \(RelativeTime.absolute(since))\(what); "
            + (isStopped ? "stopped: `crier fetch \(name) --force` asks for it again" : "asked once more after a week")
    }

    private var empty: String? {
        state.emptySince.map {
            "no items since \(RelativeTime.absolute($0)): `crier try \(source.name.shown)` shows what is read"
        }
    }

    private var changes: String? {
        guard toldNoMore > 0 else { return nil }
        return
            "\(toldNoMore) item\(toldNoMore == 1 ? " has" : "s have") changed \(ItemUpdates.limit) times; no more are told "
            + "of \(toldNoMore == 1 ? "it" : "them")"
    }

    private var news: String {
        let expected = source.expectEvery.map { ", expected every \($0.words)" } ?? ""
        let told = state.silenceTold.map { "; a notice of silence was made on \(RelativeTime.absolute($0))" } ?? ""
        return moment(lastNew) + expected + told
    }

    private var next: String? {
        if isStopped { return "on request only, set by \(state.nextFetchReason ?? "status 410")" }
        guard let next = state.nextFetch else { return nil }
        let words = next <= now ? "due now" : RelativeTime.words(next, from: now)
        return "\(RelativeTime.absolute(next)), \(words), set by \(state.nextFetchReason?.shown ?? "its interval")"
    }

    private var outageWords: String? { outage.map { "no host could be reached since \($0.words.shown)" } }

    private var onlyOn: String? {
        guard !source.onlyOn.isEmpty else { return nil }
        let wanted = source.onlyOn.sorted.map(\.rawValue).joined(separator: ", ")
        if unmet.isEmpty { return wanted }
        return "\(wanted); it waits, since \(unmet.unmetWords): `crier fetch \(source.name.shown)` does not"
    }

    private var leftAlone: String? {
        refusal.map { "until \(moment($0.until)), also with --force: set by \($0.words.shown)" }
    }

    private var postponed: String? {
        guard let postponedFrom, let until = state.nextFetch else { return nil }
        return "from \(RelativeTime.absolute(postponedFrom)) (its interval of \(source.every.words)) "
            + "until \(RelativeTime.absolute(until)) by \(state.nextFetchReason?.shown ?? "its interval")"
    }
}

extension Delivery {
    fileprivate func line(_ tellers: [Int64: Delivery], now: Date) -> String {
        let isLater = state == .pending && !isQuieted && !isSinkGone && nextAttempt > now
        let when = ended ?? (isLater ? nextAttempt : created)
        let trouble = reason(tellers).map { ": \($0)" } ?? ""
        return "\(request.content.title.shown.fitted(to: 50)) → \(sink.shown): \(stateInWords) "
            + "\(RelativeTime.words(when, from: now))\(trouble)"
    }
}
