import ArgumentParser
import CrierAgent
import CrierStore
import Foundation

struct Why: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract:
            "Explain the state of one source: its last answer, what was raised, and when it is visited next and why.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The source.")
    var source: String

    @Option(help: "text or json.")
    var format: Fetch.Format = .text

    func run() async throws {
        let (configuration, problems) = try options.loadConfiguration()
        guard let source = try chosenSources([source], of: configuration, problems: problems).first else { return }
        let store = try options.existingStore()
        let state = try storeErrors { try store?.state(of: source.name) ?? SourceState(name: source.name) }
        if format == .json { return JSONLine.write(SourceLine(state)) }
        let now = Date()
        guard let last = state.lastFetched else {
            return Terminal.line("\(source.name.shown) was never visited; `crier fetch \(source.name.shown)` does it.")
        }
        Terminal.line("Last visit    \(RelativeTime.absolute(last)), \(RelativeTime.words(last, from: now))")
        Terminal.line("Answer        \(answer(state))")
        if let since = state.failingSince {
            Terminal.line("Failing       \(state.failures) in a row since \(RelativeTime.absolute(since))")
        }
        let count = try storeErrors { try store?.itemCount(of: source.name) ?? 0 }
        Terminal.line("Known         \(count) item\(count == 1 ? "" : "s")")
        Terminal.line("Notify        \(source.notify.rawValue) to \(source.sinks.map(\.shown).joined(separator: ", "))")
        let notified = state.lastNotified.map { "\(RelativeTime.absolute($0)), \(RelativeTime.words($0, from: now))" }
        Terminal.line("Last notified \(notified ?? "never")")
        if let day = state.announcedDay { Terminal.line("Days told     up to \(day)") }
        if let next = state.nextFetch {
            let words = next <= now ? "due now" : RelativeTime.words(next, from: now)
            Terminal.line(
                "Next visit    \(RelativeTime.absolute(next)), \(words), set by \(state.nextFetchReason ?? "its interval")"
            )
        }
        try printDeliveries(store, source.name)
    }

    private func answer(_ state: SourceState) -> String {
        if let failure = state.failure { return "\(failure.stage.rawValue) failed: \(failure.cause.shown)" }
        let status = state.lastStatus.map { $0 == 304 ? "not modified (304)" : "read (\($0))" } ?? "read"
        return "\(status), \(state.resultInWords)"
    }

    private func printDeliveries(_ store: Store?, _ source: String) throws {
        let deliveries = try storeErrors {
            try store?.deliveries(in: Set(Delivery.State.allCases), source: source, limit: 5) ?? []
        }
        if deliveries.isEmpty { return }
        Terminal.line("Latest deliveries")
        for delivery in deliveries { Terminal.line("  " + delivery.line(now: Date())) }
    }
}

extension Delivery {
    func line(now: Date) -> String {
        let when = ended ?? (state == .pending && attempts > 0 ? nextAttempt : created)
        let trouble = lastError.map { ": \($0.shown)" } ?? ""
        return "\(request.content.title.shown.fitted(to: 50)) → \(sink.shown): \(state.rawValue) "
            + "\(RelativeTime.words(when, from: now))\(trouble)"
    }
}
