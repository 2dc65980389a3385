import CrierContent
import CrierNotifications
import CrierStore
import Foundation

/// What one fetch did, for whoever asked for it.
///
/// A ``FetchScheduler`` forgets the document once a ``FetchPurpose/commit`` is told: those that its `report` is called with have
/// ``content``, ``composition``, ``findings``, ``remarks`` and ``newItems``, those that it returns do not.
public struct FetchReport: Sendable, Hashable {
    public let source: String
    /// How it ended; ``BackgroundFetchResult/noData`` also where the source was not asked.
    public var result: BackgroundFetchResult
    /// The HTTP status of the answer, where there was one; 200 for files and programs.
    public var status: Int?
    /// The address of the visit, after redirects and without credentials; nil for a program.
    public var url: String?
    /// Nil where there is nothing to say of it.
    private var document: Shared<Document>?
    /// What was put into the outbox: that, and what Crier itself has to say about the source.
    public var requests: [NotificationRequest] = []
    /// Why the source could not be fetched or read; nil where it was, or was not asked at all.
    public var failure: FetchFailure?
    /// When the source is due again; nil where it is visited on request only, and where nothing was decided about that.
    public var nextFetch: Date?
    /// Which rule says so, in words.
    public var nextFetchReason: String?
    /// The whole network is down: nothing was counted against the source.
    public var networkIsDown = false
    /// Why it was not asked at all: then nothing else is told.
    public var refusal: FetchRefusal?
    /// Another visit of the source has written what it found since this one began, as where a program fetches by itself what its
    /// ``FetchScheduler`` has due: nothing of this one is written or raised, and what only it has found comes with the next.
    public private(set) var isOvertaken = false
    /// What the log says of it.
    public internal(set) var visit: FetchVisit?
    /// What the origin asked for with its refusal.
    var retryAfter: Duration?
    /// Whether the host was asked too often.
    private(set) var isOfLimit = false
    /// The machine's own network may be the cause of the failure, which is not written down yet. A ``FetchScheduler`` decides about
    /// it when its run ends; for a fetch by itself see ``ContentFetcher/settle(_:of:networkIsDown:)``.
    public internal(set) var suspectsNetwork = false
    /// Whether that has answered itself (``HTTPStatus/ofNetwork``).
    var meetsNetwork = false
    /// Whether somebody has answered who may be that, or the host.
    private(set) var meetsSomebody = false
    /// What the fetch was for.
    package internal(set) var purpose = FetchPurpose.commit
    /// Whether a host was reached, though it gave no answer.
    private var hasFailedAtHost = false
    /// Whether it proves that there is a way to a host.
    var hasReachedHost: Bool { status != nil || hasFailedAtHost }

    /// Whether it proves that there is a way beyond this machine and its own network.
    public var hasLeftNetwork: Bool { hasReachedHost && host?.liesBeyond == true }
    /// Whether the network is down beyond this machine's own.
    public var isCutOff: Bool { networkIsDown && host?.liesBeyond == true }

    /// Whether it proves that there is a way beyond this machine.
    public var hasLeftMachine: Bool { hasReachedHost && host?.isLocal == false }

    private var host: HostKey? { url.map(HostKey.init(url:)) }

    /// What the document holds; nil where it was not read, had not changed or is forgotten.
    public var content: DecodedContent? { document?.value.content }
    /// What is told of new items; empty after a failure, and when the document is forgotten.
    public var composition: Composition { document?.value.composition ?? Composition() }
    /// What decided about notifications; nil after a failure, where there was nothing to decide, and when the document is
    /// forgotten.
    public var findings: Findings? { document?.value.findings }
    /// What would be raised nowhere, as other sources have told of the same addresses (``Source/isUnique``): by the identifier of its
    /// request, that of the notification that did. Empty after a ``FetchPurpose/commit``, whose outbox knows.
    public internal(set) var toldByOthers: [String: String] {
        get { document?.value.toldByOthers ?? [:] }
        set {
            guard var changed = document?.value else { return }
            changed.toldByOthers = newValue
            document = Shared(changed)
        }
    }
    /// What is odd about the document and its items, in words; empty when the document is forgotten.
    public var remarks: [String] { (content?.remarks ?? []) + (findings?.remarks ?? []) }
    /// Those items that the source has never had, oldest first; empty when the document is forgotten.
    public var newItems: [ContentItem] { findings?.new ?? [] }
    /// How many ``newItems`` there are, also when the document is forgotten.
    public internal(set) var newItemCount = 0

    public init(source: String, result: BackgroundFetchResult) {
        self.source = source
        self.result = result
    }

    /// To be called where nothing of it was written.
    ///
    /// Not inlined: there would be place for another report in each task that does.
    @inline(never)
    mutating func becomeOvertaken() {
        isOvertaken = true
        result = .noData
        failure = nil
        requests = []
        newItemCount = 0
        forgetDocument()
    }

    /// Once it is told and written down, a run of thousands of sources need not keep their documents.
    mutating func forgetDocument() { document = nil }
}

extension FetchReport {
    /// What was read, and what came of it: much to hold for those thousands, of which most have nothing new.
    private struct Document: Sendable, Hashable {
        let content: DecodedContent?
        let findings: Findings
        let composition: Composition
        var toldByOthers: [String: String]
    }

    mutating func tell(
        _ reading: Reading, _ findings: Findings, _ composition: Composition, toldByOthers: [String: String]
    ) {
        result = composition.result(of: findings)
        newItemCount = findings.new.count
        visit?.newItems = newItemCount
        guard reading.content != nil || result == .newData else { return }
        document = Shared(
            Document(
                content: reading.content, findings: findings, composition: composition, toldByOthers: toldByOthers))
    }

    mutating func fail(_ failure: SourceFailure) {
        result = .failed
        status = failure.status
        url = failure.url
        self.failure = failure.failure
        suspectsNetwork = failure.suspectsNetwork
        meetsNetwork = failure.meetsNetwork
        meetsSomebody = failure.meetsSomebody
        hasFailedAtHost = failure.hasReachedHost
        retryAfter = failure.retryAfter
        isOfLimit = failure.isOfLimit
    }
}
