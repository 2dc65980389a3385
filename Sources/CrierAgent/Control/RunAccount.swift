import CrierDelivery
import CrierFetch
import CrierStore
import Foundation

/// What one visit came to, as it is told to the user: the same whether this process made it or the agent did.
public struct VisitAccount: Sendable, Hashable, Codable {
    public let source: String
    public let result: BackgroundFetchResult
    public let failure: FetchFailure?
    /// How many items the source never had before.
    public let newItems: Int
    public let networkIsDown: Bool
    public let nextFetch: Date?
    /// What is odd about the document and its items, in words.
    public let remarks: [String]
    /// Why it was not visited at all, and until when.
    public let refusal: Refusal?
    /// The titles of what was put into the outbox; nil from an agent that does not tell.
    public let raises: [String]?

    public struct Refusal: Sendable, Hashable, Codable {
        /// Who does not want it: "set by …".
        public let words: String
        public let until: Date
    }

    public init(_ report: FetchReport) {
        source = report.source
        result = report.result
        failure = report.failure
        newItems = report.newItemCount
        networkIsDown = report.networkIsDown
        // A failure that is not written down leaves it as it was.
        nextFetch = report.failure == nil || report.purpose == .commit ? report.nextFetch : nil
        remarks = report.remarks
        refusal = report.refusal.map { Refusal(words: $0.words, until: $0.until) }
        raises = report.requests.map(\.content.title)
    }
}

/// What a run came to, as it is told to the user.
public struct RunAccount: Sendable, Hashable, Codable {
    public let visits: [VisitAccount]
    /// Those that were not asked because their host or origin wants to be left alone.
    public let refused: [VisitAccount]
    /// How many are left for the next run, since their hosts are asked one by one.
    public let left: Int
    /// Why digests could not be issued, by name.
    public let digestFailures: [String: String]
    /// Why some items of digests could not be judged, by name; nil: an agent of an earlier version tells.
    public let digestRemarks: [String: String]?
    public let delivery: DeliveryReport
    /// When the earliest of the sources that were not due is.
    public let next: Date?
    /// Why a scheduled run has fetched nothing.
    public let rest: BackgroundRest?
    /// Whether a scheduled run has found before that the network is down; nil: an agent of an earlier version tells.
    public let outageIsKnown: Bool?
    /// Why sources that are due wait, by how many.
    public let waiting: Waiting?

    public struct Waiting: Sendable, Hashable, Codable {
        public let count: Int
        /// The end of a sentence.
        public let words: String
    }

    public init(_ report: OneShot.Report) {
        visits = report.fetches.map(VisitAccount.init)
        refused = report.refused.map(VisitAccount.init)
        left = report.left
        func byName(_ words: (DigestReport) -> String?) -> [String: String] {
            Dictionary(report.digests.compactMap { digest in words(digest).map { (digest.digest, $0) } }) { $1 }
        }
        digestFailures = byName { $0.failure }
        digestRemarks = byName { $0.remark }
        delivery = report.delivery
        next = report.next
        rest = report.rest
        outageIsKnown = report.outageIsKnown
        waiting = report.waiting == 0 ? nil : Waiting(count: report.waiting, words: report.unmet.unmetWords)
    }
}
