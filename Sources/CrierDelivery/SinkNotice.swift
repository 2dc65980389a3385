import CrierNotifications
import CrierStore

import struct Foundation.Date

/// What is told, through another sink, of one that does not work.
package enum SinkNotice {
    /// - Parameter attempts: So many are made of each that waits, and then it is given up; nil: they go on.
    case broken(attempts: Int?)
    case gone
    /// It refuses one notification after the other: each is given up, and nothing waits or is paused.
    case refusing
    /// It has not worked for so long that what waits there is given up.
    case exhausted

    /// How the identifiers of all begin.
    static let prefix = Store.noticePrefix

    /// Whether a request is one. Attempts of what was made before may have shown what it tells.
    package static func isOne(_ request: NotificationRequest) -> Bool { request.identifier.hasPrefix(prefix) }

    /// Nil where the host of the centre does not want to know.
    func request(of sink: String, _ reason: String, at date: Date, for own: OwnNotices) -> NotificationRequest? {
        guard own.contains(.conditions) else { return nil }
        let body = "\(reason)\n\(consequence)" + (own.contains(.commands) ? " \(advice(on: sink))" : "")
        let content = NotificationContent(title: "The sink \(sink) \(trouble)", body: body, threadIdentifier: "crier")
        return NotificationRequest(
            identifier: Self.prefix + "\(sink)-\(date.milliseconds)", content: content)
    }

    private var trouble: String {
        switch self {
        case .broken: "does not work"
        case .gone: "is gone"
        case .refusing: "refuses what it is given"
        case .exhausted: "has not worked for long"
        }
    }

    private var consequence: String {
        switch self {
        case .broken(nil): "Nothing is lost: its notifications wait, for up to 30 days."
        case .broken(let attempts?): "Its notifications wait. Each is given up after \(attempts) attempts."
        case .gone: "Nothing is lost: its notifications wait."
        case .refusing: "Its last notifications were given up."
        case .exhausted: "What has waited for it is given up now."
        }
    }

    private func advice(on sink: String) -> String {
        switch self {
        case .broken: "`crier status` shows them."
        case .gone: "They go there again once its address is another, or `crier sink test \(sink)` succeeds."
        case .refusing, .exhausted:
            "`crier deliveries list --in dead` shows them, and `crier deliveries retry --all` tries them again."
        }
    }
}
