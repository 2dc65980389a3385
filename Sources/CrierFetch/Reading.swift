import CrierContent
import CrierHTTP
import CrierStore
import Foundation

/// A document that was read, or need not be.
struct Reading {
    /// Nil: nothing has changed.
    var content: DecodedContent?
    /// The identifiers that the items would have had in the zone of the last document; empty where it is the same.
    var formerIdentifiers: [String] = []
    /// Of the body that ``content`` or what is stored came from; behind it that of its ending, see ``Fingerprint/ofEnding(_:)``.
    var hash: [UInt8]?
}

extension SourceState {
    /// What was learned from another address, or read in another way, is no longer a ground to skip anything.
    mutating func becomeValid(for source: Source) {
        // Gone back to what is remembered, behind another that said nothing.
        if fingerprint == source.fingerprint, visited != fingerprint, !isKnownSinceBaseline {
            (knownUntil, knownSince) = (nil, nil)
        }
        becomeCurrent(for: source)
        guard fingerprint != source.fingerprint else { return }
        fingerprint = nil
        forgetDocument()
    }

    func knows(_ hash: [UInt8]) -> Bool { bodyHash?.prefix(Fingerprint.noBody.count).elementsEqual(hash) == true }

    func knows(ending: [UInt8]) -> Bool { bodyHash?.dropFirst(Fingerprint.noBody.count).elementsEqual(ending) == true }

    /// Whether the document that is known always breaks off, and is asked for without conditions.
    var breaksOff: Bool { bodyHash?.count ?? 0 > Fingerprint.noBody.count && etag == nil && lastModified == nil }

    mutating func forgetDocument() {
        etag = nil
        lastModified = nil
        bodyHash = nil
    }

    /// Takes note of where a visit that failed led. Only an answer tells that. Behind a success it says nothing of where the document is, as
    /// it may be the page of a login or of a repair, unless somebody wants to be left alone there: that address takes the place of the
    /// one whose validators are remembered. While what is remembered is another address's, so is where that led: the first success
    /// must tell that it comes from elsewhere.
    mutating func lead(to failure: SourceFailure, of source: Source) {
        guard (fingerprint ?? source.fingerprint) == source.fingerprint else { return }
        guard failure.status != nil || visited != source.fingerprint else { return }
        if fingerprint != nil, lastSucceeded != nil, !failure.isGone, !failure.isOfLimit,
            failure.retryAfter == nil
        {
            return
        }
        if lastURL != failure.url { (etag, lastModified) = (nil, nil) }
        lastURL = failure.url
    }

    /// What is remembered is still that of another address, as far as is known: the next success, too, must tell that it comes from
    /// elsewhere.
    mutating func keepOrigin(of before: SourceState) {
        fingerprint = before.fingerprint
        lastURL = before.lastURL
        // Its own has not been read.
        forgetDocument()
    }

    var validators: HTTPValidators { HTTPValidators(etag: etag, lastModified: lastModified) }
}
