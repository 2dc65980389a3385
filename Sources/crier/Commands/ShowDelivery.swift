import ArgumentParser
import CrierAgent
import CrierNotifications
import CrierStore
import Foundation

struct ShowDelivery: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one delivery: what it says, its attempts and why they failed.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The number in the first column of `crier deliveries list`.")
    var id: Int64

    @Option(help: "text or json.")
    var format: OutputFormat = .text

    func run() async throws {
        let store = try options.storeToLookAt()
        guard let store, let delivery = try storeErrors({ try store.delivery(id) }) else {
            throw failure("there is no delivery \(id)", ExitStatus.usage)
        }
        let failed = try storeErrors { try store.failedAttempts(of: id) }
        if format == .json { return JSONLine.write(ShownDelivery(delivery, failed)) }
        print(delivery.request.content)
        Terminal.line("")
        print(delivery, try storeErrors { try store.tellers(of: [delivery]) })
        for attempt in failed {
            Terminal.line(
                "Attempt \(attempt.number)".padded(to: 14)
                    + "\(RelativeTime.absolute(attempt.ended)): \(attempt.reason.shown)")
        }
    }

    private func print(_ content: NotificationContent) {
        Terminal.line(Terminal.bold(content.title.shown))
        if !content.subtitle.isEmpty { Terminal.line(content.subtitle.shown) }
        for line in content.body.split(separator: "\n", omittingEmptySubsequences: false) {
            Terminal.line(String(line).shown)
        }
        if let url = content.url { Terminal.line(url.shown) }
    }

    private func print(_ delivery: Delivery, _ tellers: [Int64: Delivery]) {
        let now = SystemClock().now
        var rows = [
            ("Identifier", delivery.request.identifier.shown), ("Source", delivery.source?.shown ?? "-"),
            ("Sink", delivery.sink.shown), ("State", delivery.stateInWords),
            ("Level", delivery.request.content.interruptionLevel.rawValue),
            ("Created", RelativeTime.absolute(delivery.created)), ("Attempts", String(delivery.attempts)),
        ]
        if delivery.requestRevision > 1 { rows.append(("Revision", String(delivery.requestRevision))) }
        if delivery.isSinkGone {
            let test = "`crier sink test \(delivery.sink.shown)` succeeds"
            let isAbsent = options.readableConfiguration?.sinks.contains { $0.name == delivery.sink } == false
            let elsewhere = "when its sink leads elsewhere, or \(test)"
            rows.append(("Next attempt", isAbsent ? "once the configuration has its sink again" : elsewhere))
        } else if delivery.state == .pending, !delivery.isQuieted {
            let words = RelativeTime.words(max(delivery.nextAttempt, now), from: now)
            rows.append(("Next attempt", "\(RelativeTime.absolute(delivery.nextAttempt)), \(words)"))
        }
        if let ended = delivery.ended { rows.append(("Ended", RelativeTime.absolute(ended))) }
        if let receipt = delivery.receipt { rows.append(("Receipt", receipt.shown)) }
        if let reason = delivery.reason(tellers) { rows.append(("Reason", reason)) }
        for (name, value) in rows { Terminal.line(name.padded(to: 14) + value) }
    }
}

/// The line of `deliveries show --format json`: that of `list`, and what it says and how it went.
private struct ShownDelivery: Encodable {
    private enum Keys: String, CodingKey {
        case content, revision, receipt, failedAttempts
    }

    let delivery: Delivery
    let failed: [FailedAttempt]

    init(_ delivery: Delivery, _ failed: [FailedAttempt]) {
        self.delivery = delivery
        self.failed = failed
    }

    func encode(to encoder: any Encoder) throws {
        try DeliveryLine(delivery).encode(to: encoder)
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(delivery.request.content, forKey: .content)
        try container.encode(delivery.requestRevision, forKey: .revision)
        try container.encode(delivery.receipt, forKey: .receipt)
        try container.encode(failed, forKey: .failedAttempts)
    }
}
