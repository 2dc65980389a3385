import ArgumentParser
import CrierAgent
import CrierNotifications
import CrierStore
import Foundation

struct Log: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Show the latest visits, attempts to deliver and wake-ups: what led to each, and how it went.",
        discussion: """
            The latest come last. Visits and wake-ups are kept for 30 days, of them the latest 100,000 and 20,000; wake-ups are not shown of a single source. A visit says what led to it: its schedule, or somebody's \
            request (`crier fetch --force`). Bytes are those of the document after decompression; an answer 304 has \
            none. --format json prints one object per line; its keys are told at https://github.com/crier/crier#commands.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The source; all of them where none is named.", completion: .everySource)
    var source: String?

    @Option(name: [.short, .long], help: ArgumentHelp("How many lines to show.", valueName: "number"))
    var lines = 50

    @Option(help: "text or json.")
    var format: OutputFormat = .text

    func validate() throws {
        guard (1...1_000_000).contains(lines) else { throw ValidationError("--lines takes a number from 1 to 1000000") }
    }

    func run() async throws {
        let store = try options.storeToLookAt()
        try options.checkIsKnown(source: source, in: store)
        if let (agent, _) = await AgentClient.ofState(try options.statePath()) { try? await agent.writeLog() }
        let entries = try storeErrors { try store?.log(of: source, limit: lines, now: SystemClock().now) ?? [] }
        if entries.isEmpty, format == .text {
            return Terminal.line(
                source.map { "Nothing is written down of \($0.shown)." } ?? "Nothing is written down yet.")
        }
        for entry in entries {
            switch format {
            case .json: entry.writeJSON()
            case .text: Terminal.line(entry.line)
            }
        }
    }
}

extension LogEntry {
    /// For people.
    fileprivate var line: String {
        let subject = if case .wake = event { "agent" } else { source?.shown ?? "crier" }
        return "\(RelativeTime.absolute(date))  \(subject): \(words)"
    }

    fileprivate func writeJSON() {
        switch event {
        case .fetch(let visit, let result, let status, let failure):
            JSONLine.write(VisitLine(self, visit, result, status: status, failure: failure))
        case .delivery(let title, let sink, let state, let reason):
            JSONLine.write(AttemptLine(self, sink: sink, title: title, state: state, reason: reason))
        case .attempt(let title, let sink, let number, let reason):
            JSONLine.write(AttemptLine(self, sink: sink, title: title, attempt: number, reason: reason))
        case .wake(let reason):
            JSONLine.write(WakeLine(date: date, reason: reason.rawValue))
        }
    }

    private var words: String {
        switch event {
        case .fetch(let visit, let result, let status, let failure):
            let cause =
                switch visit.trigger {
                case .schedule: "by its schedule"
                case .request: "on request"
                }
            let answer = status.map { " (\($0))" } ?? ""
            let outcome =
                switch result {
                case .newData where visit.newItems == 0: "changed items\(answer)"
                case .newData: visit.newItems == 1 ? "1 new item\(answer)" : "\(visit.newItems) new items\(answer)"
                case .noData: "nothing new\(answer)"
                case .failed: failure?.shown ?? "failed"
                }
            let size = visit.bytes == 0 ? "" : ", \(visit.bytes.formatted(.byteCount(style: .file)))"
            return "visited \(cause): \(outcome), \(Int(visit.duration * 1000)) ms\(size)"
        case .delivery(let title, let sink, let state, let reason):
            let trouble = reason.map { ": \($0.shown)" } ?? ""
            return "\(sink.shown): \(state.rawValue) “\(title.shown.fitted(to: 50))”\(trouble)"
        case .attempt(let title, let sink, let number, let reason):
            return "\(sink.shown): attempt \(number) failed for “\(title.shown.fitted(to: 50))”: \(reason.shown)"
        case .wake(let reason): return "woke up: \(reason.words)"
        }
    }
}

extension WakeReason {
    fileprivate var words: String {
        switch self {
        case .schedule: "the date of a source or a digest had come"
        case .delivery: "the date of a delivery had come"
        case .network: "the network has changed"
        case .resume: "the machine had slept"
        case .clock: "the clock was set"
        case .timeZone: "the time zone has changed"
        case .configuration: "the configuration has changed"
        case .request: "somebody asked for a run"
        case .command: "another command has changed something"
        }
    }
}

/// One line of `log --format json` for a wake-up of the agent.
private struct WakeLine: Encodable {
    let type = "wake"
    let date: Date
    let reason: String
}

/// One line of `log --format json` for a visit.
private struct VisitLine: Encodable {
    let type = "fetch"
    let date: Date
    @Nullable var source: String?
    let trigger: String
    let result: String
    @Nullable var status: Int?
    @Nullable var failure: String?
    let newItems: Int
    let duration: Double
    let bytes: Int

    init(_ entry: LogEntry, _ visit: FetchVisit, _ result: BackgroundFetchResult, status: Int?, failure: String?) {
        date = entry.date
        trigger = visit.trigger.rawValue
        self.result = result.rawValue
        newItems = visit.newItems
        duration = visit.duration
        bytes = visit.bytes
        source = entry.source
        self.status = status
        self.failure = failure
    }
}

/// The same for an attempt to deliver.
private struct AttemptLine: Encodable {
    let type = "delivery"
    let date: Date
    @Nullable var source: String?
    let sink: String
    let title: String
    @Nullable var state: String?
    @Nullable var attempt: Int?
    @Nullable var reason: String?

    init(
        _ entry: LogEntry, sink: String, title: String, state: Delivery.State? = nil, attempt: Int? = nil,
        reason: String?
    ) {
        date = entry.date
        self.sink = sink
        self.title = title
        source = entry.source
        self.state = state?.rawValue
        self.attempt = attempt
        self.reason = reason
    }
}
