import CrierContent
import CrierNotifications

/// Whether and why an item of a document is told of, in words.
public struct ItemVerdict: Sendable, Hashable {
    public let item: ContentItem
    public let notifies: Bool
    public let reason: String
}

extension FetchReport {
    private static let denied = "notifications are denied, `crier authorize` changes that"
    private static let silent = "the source notifies of nothing"

    /// The verdict on each item of the document, in document order.
    ///
    /// - Parameter authorization: What the user has said of notifications: where it was no, nothing is raised.
    public func verdicts(
        for source: Source, authorization: AuthorizationStatus = .authorized
    ) -> [ItemVerdict] {
        guard let content, let findings else { return [] }
        let kept = Set(findings.items.map(\.identifier))
        let new = Set(findings.new.map(\.identifier))
        let waiting = findings.held.waiting.union(composition.held.map(\.identifier))
        let digested = source.digests.isEmpty ? [] : Set(NotificationComposer(source: source).waiting(findings))
        var told: [String: Composition.Part] = [:]
        for part in composition.parts {
            for item in part.items { told[item.identifier] = part }
        }
        return content.items.map { item in
            if let part = told[item.identifier] {
                if let teller = toldByOthers[part.request.identifier] {
                    return ItemVerdict(item: item, notifies: false, reason: "told in \(teller)")
                }
                if authorization == .denied {
                    return ItemVerdict(item: item, notifies: false, reason: Self.denied)
                }
                let reason =
                    part.items.count == 1
                    ? "as “\(part.request.content.title)”"
                    : "with \(part.items.count - 1) more, as “\(part.request.content.title)”"
                return ItemVerdict(item: item, notifies: true, reason: reason)
            }
            let reason =
                if source.notify == .none, source.digests.isEmpty {
                    Self.silent
                } else if digested.contains(item.identifier) {
                    authorization == .denied
                        ? Self.denied : "it waits for the digest \(source.digests.joined(separator: ", "))"
                } else if !kept.contains(item.identifier) {
                    source.skip == nil
                        ? "`only` leaves it out" : "`\(source.only == nil ? "" : "only` or `")skip` leaves it out"
                } else if findings.rulings[item.identifier]?.isSkipped == true {
                    "a rule skips it"
                } else if waiting.contains(item.identifier) {
                    "it waits for its day"
                } else if !new.contains(item.identifier) {
                    if findings.wasLeftOut.contains(item.identifier) {
                        "it was left out before the conditions or the way of reading were edited"
                    } else if findings.isToldNoMore(item) {
                        "it has changed \(ItemUpdates.limit) times, and is told of no more"
                    } else {
                        "it is known"
                    }
                } else if source.notify == .daily {
                    "its day is not the one to tell"
                } else {
                    source.first == .none ? "the first fetch raises nothing" : "the first fetch raises the newest only"
                }
            return ItemVerdict(item: item, notifies: false, reason: reason)
        }
    }
}
