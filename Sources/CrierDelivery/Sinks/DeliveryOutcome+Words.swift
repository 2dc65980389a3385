import CrierNotifications

extension DeliveryOutcome {
    /// The same with its reason or remark in other words.
    func saying(_ change: (String) -> String) -> DeliveryOutcome {
        switch self {
        case .delivered(let receipt, let remark): .delivered(receipt: receipt, remark: remark.map(change))
        case .deferred(let reason): .deferred(reason: change(reason))
        case .failed(let reason, let retryAfter): .failed(reason: change(reason), retryAfter: retryAfter)
        case .unreached(let reason): .unreached(reason: change(reason))
        case .unanswered(let reason, let retryAfter): .unanswered(reason: change(reason), retryAfter: retryAfter)
        case .putOff(let reason, let receipt): .putOff(reason: change(reason), receipt: receipt)
        case .rejected(let reason): .rejected(reason: change(reason))
        case .gone(let reason): .gone(reason: change(reason))
        }
    }
}
