import CrierAgent
import CrierDelivery
import CrierFetch
import CrierNotifications
import Foundation

/// What a run says at its end, beyond the notifications themselves.
struct FetchSummary {
    let run: RunAccount
    let isQuiet: Bool
    let isJSON: Bool
    let isDryRun: Bool
    let isForced: Bool

    func print() {
        // Every ten minutes cron would send a mail of the same.
        if let first = run.visits.first(where: \.networkIsDown), !(isQuiet && run.outageIsKnown == true) {
            let cause = first.failure.map { " (\($0.cause.shown))" } ?? ""
            Terminal.error(
                "the network is down: no host could be reached\(cause); nothing is counted against their sources")
        }
        printRefusals()
        for (digest, failure) in run.digestFailures.sorted(by: { $0.key < $1.key }) {
            Terminal.error("the digest \(digest.shown) could not be issued: \(failure.shown)")
        }
        for (digest, remark) in (run.digestRemarks ?? [:]).sorted(by: { $0.key < $1.key }) {
            Terminal.error(digest: digest, remark: remark)
        }
        run.delivery.printRest(isQuiet: isQuiet)
        // With JSON, standard output belongs to the notifications.
        if !isQuiet, !isDryRun || run.visits.isEmpty, let sentence {
            isJSON ? Terminal.note(sentence) : Terminal.line(sentence)
        }
    }

    /// One short line.
    private var sentence: String? {
        let visited = run.visits.filter { $0.result != .failed }.count
        let new = run.visits.reduce(0) { $0 + $1.newItems }
        let raised = run.delivery.raised
        if let rest = run.rest, raised == nil { return rest.sentence }
        if run.visits.isEmpty, raised == nil {
            if !run.refused.isEmpty || run.waiting != nil { return nil }
            let next = run.next.map { "the next visit is \(RelativeTime.ahead($0, from: SystemClock().now))" }
            return "Nothing is due; \(next ?? "no visit is planned, and `crier why SOURCE` says why")."
        }
        let sources = visited == 1 ? "1 source" : "\(visited) sources"
        if visited == 0 { return raised?.asSentence }
        let hasChanged = run.visits.contains { $0.result == .newData }
        let none = hasChanged ? "Changed items" : "Nothing new"
        let news = new == 0 ? none : new == 1 ? "1 new item" : "\(new) new items"
        return "\(news) in \(sources)\(raised.map { "; \($0)" } ?? "")."
    }

    /// A schedule waits without words.
    private func printRefusals() {
        if isForced {
            for report in run.refused {
                guard let refusal = report.refusal else { continue }
                Terminal.error("\(report.source.shown): \(notVisited(until: refusal.until, setBy: refusal.words))")
            }
        } else if !isQuiet {
            let refusals = Dictionary(grouping: run.refused.compactMap(\.refusal)) { $0 }
            for (refusal, all) in refusals.sorted(by: { $0.key.until < $1.key.until }) {
                let until = RelativeTime.absolute(refusal.until)
                Terminal.note("\(Self.waiting(all.count)) until \(until): set by \(refusal.words.shown)")
            }
        }
        if let waiting = run.waiting, !isQuiet { Terminal.note("\(Self.waiting(waiting.count)): \(waiting.words)") }
        if run.left > 0, !isQuiet {
            let sources = run.left == 1 ? "1 source is" : "\(run.left) sources are"
            Terminal.note("\(sources) left for the next run: their hosts are asked one by one")
        }
    }

    private static func waiting(_ count: Int) -> String {
        count == 1 ? "1 source that is due waits" : "\(count) sources that are due wait"
    }
}

extension DeliveryReport {
    /// What was raised, and where; nil where nothing was.
    var raised: String? {
        let count = delivered.values.reduce(0, +)
        if count == 0 { return nil }
        let sinks = delivered.keys.sorted().map(\.shown).joined(separator: ", ")
        return "raised \(count == 1 ? "1 notification" : "\(count) notifications") (\(sinks))"
    }

    /// Says what was not raised, and why.
    func printRest(isQuiet: Bool) {
        if newlyHeld > 0 || (held > 0 && !isQuiet) {
            let count = held == 1 ? "1 notification waits" : "\(held) notifications wait"
            Terminal.error("\(count) for your permission: run `crier authorize`")
        }
        if quieted > 0, !isQuiet {
            let verb = quieted == 1 ? "waits" : "wait"
            Terminal.note("\(quieted) \(verb) until it is no longer quiet: see `crier status`")
        }
        // Every ten minutes cron would send a mail of the same.
        for (sink, trouble) in waiting.sorted(by: { $0.key < $1.key }) where !(isQuiet && trouble.isRepeated) {
            Terminal.error("\(sink.shown): \(trouble.count) not delivered yet: \(trouble.reason.shown)")
        }
        for (sink, pause) in paused.sorted(by: { $0.key < $1.key }) where !isQuiet {
            let count = pause.count == 1 ? "1 waits" : "\(pause.count) wait"
            Terminal.note(
                "\(sink.shown): \(count), as it is paused until \(RelativeTime.absolute(pause.until)): "
                    + "`crier sink test \(sink.shown)` tries it now")
        }
        for (sink, count) in gone.sorted(by: { $0.key < $1.key }) where !isQuiet {
            let wait = count == 1 ? "1 waits" : "\(count) wait"
            Terminal.note("\(sink.shown): \(wait), as it is gone: `crier sink test \(sink.shown)` tries it again")
        }
        for (sink, wait) in later.sorted(by: { $0.key < $1.key }) where !isQuiet {
            let next = RelativeTime.ahead(wait.until, from: SystemClock().now)
            Terminal.note("\(sink.shown): \(wait.count) not delivered yet, tried again \(next)")
        }
        for (sink, trouble) in remarks.sorted(by: { $0.key < $1.key }) {
            let count = trouble.count == 1 ? "1 raised with a remark" : "\(trouble.count) raised with remarks"
            Terminal.error("\(sink.shown): \(count): \(trouble.reason.shown)")
        }
        for (sink, trouble) in dead.sorted(by: { $0.key < $1.key }) {
            Terminal.error(
                "\(sink.shown): \(trouble.count) given up: \(trouble.reason.shown); see `crier deliveries list`")
        }
    }
}

extension BackgroundRest {
    var sentence: String { words.asSentence }
}

/// What a dry run would have raised.
struct DryRunText {
    let isJSON: Bool
    let isQuiet: Bool
    /// Whether nothing is raised at all, as the user has said.
    let isDenied: Bool

    func print(_ fetches: [FetchReport]) {
        if isDenied, fetches.contains(where: { !$0.requests.isEmpty }) {
            Terminal.note("Notifications are denied: what is new would be recorded; `crier authorize` changes that.")
        }
        for fetch in fetches where fetch.result != .failed {
            for request in fetch.requests {
                let teller = fetch.toldByOthers[request.identifier]
                if isDenied || teller != nil {
                    if isJSON || isQuiet { continue }
                    line("would not raise", request, teller.map { "told in \($0)" } ?? request.identifier)
                } else if isJSON {
                    JSONLine.write(
                        PlannedNotification(
                            source: fetch.source, identifier: request.identifier, title: request.content.title))
                } else {
                    line("would raise", request, request.identifier)
                }
            }
            if fetch.requests.isEmpty, !isJSON, !isQuiet {
                Terminal.line("\(fetch.source.shown): would raise nothing")
            }
        }
    }

    private func line(_ verb: String, _ request: NotificationRequest, _ more: String) {
        Terminal.line("\(verb): \(request.content.title.shown)  \(Terminal.faint(more.shown))")
    }
}

private struct PlannedNotification: Encodable {
    let type = "planned"
    let source: String
    let identifier: String
    let title: String
}

/// In words, of somebody who wants to be left alone.
func notVisited(until date: Date, setBy words: String) -> String {
    let moment = "\(RelativeTime.absolute(date)), \(RelativeTime.words(date, from: SystemClock().now))"
    return "not visited until \(moment): set by \(words.shown)"
}
