import CrierStore

/// Why a source gave nothing, with what decides when to try again.
struct SourceFailure: Error {
    var stage = FetchFailure.Stage.fetch
    var cause: String
    /// The HTTP status, where there was an answer.
    var status: Int?
    /// The address that was visited, without credentials; nil for a program.
    var url: String?
    /// Whether the address itself is gone for good, and not one that it leads to for the time being.
    var isGone = false
    /// What the origin asks for.
    var retryAfter: Duration?
    /// Whether its host was asked too often.
    var isOfLimit = false
    /// Whether the machine's own network may be the cause.
    var suspectsNetwork = false
    /// Whether that has answered itself, in the place of whoever was asked.
    var meetsNetwork = false
    /// Whether somebody has answered who may be that, or the host.
    var meetsSomebody = false
    /// Whether a host was reached, though it gave no answer.
    var hasReachedHost = false
    /// Whether it was this side that ended it.
    var isCancelled = false

    /// Whether it says that there is nothing, rather than that it cannot be had.
    var saysGone: Bool { status == 404 || status == 410 }

    var failure: FetchFailure { FetchFailure(stage, cause) }
}

extension SourceFailure {
    /// - Parameter report: What is known of the answer, where there was one.
    init(_ error: any Error, after report: FetchReport) {
        switch error {
        case let error as SourceFailure: self = error
        case is CancellationError:
            self.init(cause: "it was stopped", status: report.status, url: report.url, isCancelled: true)
        default: self.init(stage: .decode, cause: "\(error)", status: report.status, url: report.url)
        }
    }
}
