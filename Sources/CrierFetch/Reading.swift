import CrierContent
import CrierHTTP
import CrierHashing
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

enum Fingerprint {
    /// Only whether it is the same as before is asked of a body.
    static func ofBody(_ bytes: [UInt8]) -> [UInt8] { XXH3.hash(bytes) }

    /// In place of that of a body that is not to be known again.
    static let noBody = [UInt8](repeating: 0, count: XXH3.byteCount)

    /// Of where a page stops whose last tags are missing. One that is cut off stops elsewhere when it changes; one that stops at
    /// the same text twice is always written so: it is whole, and keeps its validators and its last item.
    static func ofEnding(_ body: [UInt8]) -> [UInt8] { ofBody(Array(body.suffix(256))) }

    /// That of an address that is read in a way.
    static func made(of address: SourceAddress, _ wayOfReading: [UInt8]) -> SourceFingerprint {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        append(address, to: &bytes)
        bytes += wayOfReading
        return SHA256.hash(bytes).withUnsafeBytes { SourceFingerprint($0) }
    }

    /// The part of mapping and request, which many sources share.
    static func wayOfReading(_ mapping: ContentMapping, _ request: SourceRequest) -> [UInt8] {
        var parts = [mapping.format?.rawValue ?? "", mapping.items ?? ""]
        parts += mapping.fields.map { "\($0.key.rawValue)=\($0.value)" }.sorted()
        parts.append(mapping.datesAreLocal ? "true" : "false")
        parts += request.fingerprint
        return parts.flatMap { [0] + $0.utf8 }
    }

    /// What `"\(address)"` gives, which takes twenty times as long.
    static func append(_ address: SourceAddress, to bytes: inout [UInt8]) {
        switch address {
        case .url(var url):
            let isPlain = url.withUTF8 { text in
                text.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
            }
            bytes += isPlain ? "url(\"".utf8 : "url(".utf8
            bytes += isPlain ? url.utf8 : url.debugDescription.utf8
            bytes += isPlain ? "\")".utf8 : ")".utf8
        case .command(let words): bytes += "command(\(words.debugDescription))".utf8
        }
    }

    /// 0..<1, the same for a name on every machine and in every run: FNV-1a, its bits mixed, as names differ at their ends.
    static func phase(of name: String) -> Double {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01b3 }
        hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
        return Double((hash ^ hash >> 33) >> 32) / 4_294_967_296
    }
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
        if fingerprint != nil, lastSucceeded != nil, !failure.isGone, failure.status != 429,
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
