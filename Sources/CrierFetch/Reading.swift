import CrierContent
import CrierHTTP
import CrierNotifications
import CrierStore
import Crypto
import Foundation

/// A document that was read, or need not be.
struct Reading {
    /// Nil: nothing has changed.
    var content: DecodedContent?
    /// Of the body that ``content`` or what is stored came from.
    var hash: [UInt8]?
}

/// Why a source gave nothing, with what decides when to try again.
struct SourceFailure: Error {
    var failure: FetchFailure
    var status: Int?
    var retryAfter: Duration?
    var suspectsNetwork = false

    init(failure: FetchFailure) {
        self.failure = failure
    }

    init(_ error: any Error) {
        switch error {
        case let error as VisitFailure:
            failure = FetchFailure(.fetch, error.cause)
            status = error.status
            retryAfter = error.retryAfter
            suspectsNetwork = error.suspectsNetwork
        case let error as ContentError:
            failure = FetchFailure(.decode, error.description)
        default:
            failure = FetchFailure(.decode, "\(error)")
        }
    }
}

enum Fingerprint {
    static func of(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// Changes when the address or the way of reading changes. The time zone does not count: by default it is the machine's,
    /// which travels.
    static func of(_ source: Source) -> [UInt8] {
        let mapping = source.mapping
        let fields = mapping.fields.map { "\($0.key.rawValue)=\($0.value)" }.sorted()
        let parts =
            ["\(source.address)", mapping.format?.rawValue ?? "", mapping.items ?? ""] + fields
            + ["\(mapping.datesAreLocal)"]
        return of(Array(parts.joined(separator: "\u{0}").utf8))
    }

    /// 0..<1, the same for a name on every machine and in every run.
    static func phase(of name: String) -> Double {
        Double(of(Array(name.utf8)).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }) / 4_294_967_296
    }
}

extension SourceState {
    /// What was learned from another address, or read in another way, is no longer a ground to skip anything.
    func valid(for source: Source) -> SourceState {
        guard fingerprint != Fingerprint.of(source) else { return self }
        var state = self
        state.fingerprint = nil
        state.forgetDocument()
        state.wishes = OriginWishes()
        return state
    }

    mutating func forgetDocument() {
        etag = nil
        lastModified = nil
        bodyHash = nil
    }

    var validators: HTTPValidators { HTTPValidators(etag: etag, lastModified: lastModified) }
}

extension FetchReport {
    mutating func tell(_ reading: Reading, _ findings: Findings, _ composition: Composition) {
        result = findings.new.isEmpty && composition.parts.isEmpty ? .noData : .newData
        content = reading.content
        self.findings = findings
        self.composition = composition
    }

    mutating func fail(_ failure: SourceFailure) {
        result = .failed
        status = failure.status
        self.failure = failure.failure
        suspectsNetwork = failure.suspectsNetwork
        retryAfter = failure.retryAfter
    }
}
