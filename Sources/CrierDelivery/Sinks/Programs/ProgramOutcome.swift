import CrierHTTP
import CrierNotifications
import CrierProcess

/// What the end of a program means for a delivery.
enum ProgramOutcome {
    private static let temporaryFailure: Int32 = 75

    /// - Parameter limit: How long the program may run until it is asked to end.
    static func attemptLimit(of limit: Duration) -> Duration { limit + limit / 8 + .seconds(30) }

    static func outcome(of ending: BoundedProgram.Ending, name: String, limit: Duration) -> DeliveryOutcome {
        // Whoever says so when it is asked to end has done its work.
        if ending.exitCode == 0 { return .delivered() }
        if ending.isOverdue { return .unanswered(reason: "\(name) did not end within \(limit.inWords)") }
        if ending.isUnknown { return .delivered(remark: unknown(name)) }
        let lines = ending.errorText.split(whereSeparator: \.isNewline)
        let said = HarmlessText.cut(HarmlessText.line(lines.last.map(String.init) ?? ""), to: 200)
        let reason = said.isEmpty ? "" : ": \(said)"
        switch ending.exitCode {
        case temporaryFailure: return .deferred(reason: "\(name) wants to be called again later\(reason)")
        case let code?: return .failed(reason: "\(name) ended with exit status \(code)\(reason)")
        case nil: return .unanswered(reason: "\(name) was ended by a signal\(reason)")
        }
    }

    /// What is amiss where it is not known how a program ended.
    static func unknown(_ name: String) -> String {
        "nobody can say how \(name) ended: another part of this process has waited for it"
    }

    static func outcome(of failure: ProgramFailure) -> DeliveryOutcome {
        if failure.exitCode == 0 { return .delivered() }
        if Task.isCancelled { return .deferred(reason: "the run was stopped") }
        return .failed(reason: HarmlessText.line(failure.description))
    }
}
