import CrierContent
import CrierNotifications
import CrierStore
import Foundation

/// What one fetch did, for whoever asked for it.
public struct FetchReport: Sendable, Hashable {
    public let source: String
    public var result: BackgroundFetchResult
    /// The HTTP status of the answer, where there was one; 200 for files and programs.
    public var status: Int?
    /// Items of the document; empty where it was not read.
    public var items: [ContentItem] = []
    /// Those that the source has never had, oldest first.
    public var newItems: [ContentItem] = []
    /// What was put into the outbox.
    public var requests: [NotificationRequest] = []
    /// What was odd, in words.
    public var remarks: [String] = []
    public var failure: FetchFailure?
    public var nextFetch: Date?
    public var nextFetchReason: String?
    /// The whole network is down: nothing was counted against the source.
    public var networkIsDown = false
    /// The machine's own network may be the cause; decided when the run ends.
    var suspectsNetwork = false

    public init(source: String, result: BackgroundFetchResult) {
        self.source = source
        self.result = result
    }
}
