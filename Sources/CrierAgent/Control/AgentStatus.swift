import CrierStore
import Foundation

/// What the agent does now, which the state does not tell.
public struct AgentStatus: Sendable, Hashable, Codable {
    public let process: Int32
    public let since: Date
    /// The sources that are visited now, longest first.
    public let fetching: [String]
    /// When the next source is due.
    public let next: Date?
    public let rest: BackgroundRest?
}

extension AgentDesk {
    func status() throws(StoreError) -> AgentStatus {
        let values = meter.values
        let fetching = values.fetching.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        return AgentStatus(
            process: getpid(), since: meter.started, fetching: fetching, next: values.next,
            rest: try BackgroundRest(configuration, in: store))
    }

    /// The same in one line, for the service manager.
    func statusLine() throws(StoreError) -> String {
        let status = try status()
        let count = configuration.sources.count
        var parts = ["\(count) source\(count == 1 ? "" : "s")"]
        switch status.rest {
        case .switchedOff: parts.append("fetching is switched off")
        case .notAuthorized: parts.append("waits for `crier authorize`")
        case nil: if let next = status.next { parts.append("next fetch \(Self.time(next, now: clock.now))") }
        }
        let (pending, held) = try store.waitingCounts()
        if pending > 0 { parts.append("\(pending) to deliver") }
        if held > 0 { parts.append("\(held) held") }
        return parts.joined(separator: ", ")
    }

    /// In the machine's zone; with its day where that is not today.
    private static func time(_ date: Date, now: Date) -> String {
        let minute = RelativeTime.absolute(date).prefix(16)
        return String(Calendar.current.isDate(date, inSameDayAs: now) ? minute.suffix(5) : minute)
    }
}
