import CrierContent
import CrierHashing
import CrierStore

/// By what bodies, ways of reading and names are told from others. States hold what is made here: made otherwise it is a migration.
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

    /// Of what else of a source a visit may fail at. The rest of what is remembered holds however that is edited.
    static func ofPossibleCauses(in source: Source) -> [UInt8] {
        let request = source.request
        var parts = [source.mapping.when, source.only, source.skip, request.proxy, request.caFile]
        parts += source.rules.map(\.when)
        let secrets =
            request.fields.map(\.value.reference) + [request.authorization?.secret]
            + request.secrets.sorted { $0.key < $1.key }.map(\.value)
        parts += secrets.map { $0?.place.description }
        return XXH3.hash(parts.flatMap { [0] + ($0 ?? "").utf8 })
    }

    /// The mark of what leaves items of a source out; nil where nothing does.
    static func ofConditions(in source: Source) -> [UInt8]? {
        let rules = source.rules.filter { $0.skip != nil }
        if source.only == nil, source.skip == nil, rules.isEmpty { return nil }
        let parts: [String?] = [source.only, source.skip] + rules.flatMap { ["\($0.skip == true)", $0.when] }
        return Array(XXH3.hash(parts.flatMap { [0] + ($0 ?? "").utf8 }).prefix(8))
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
