import CrierHTTP

/// A request as it came over the wire.
public struct ReceivedRequest: Sendable, Hashable {
    public let method: String
    /// The path with its query, or the absolute URL that a proxy gets.
    public let target: String
    public let fields: HTTPFields
    public let body: [UInt8]
    /// The head, byte for byte, with the empty line that ends it.
    public let head: [UInt8]

    /// Takes the first whole request off the front of a buffer; nil while there is none.
    init?(takenFrom buffer: inout [UInt8]) {
        guard let headEnd = buffer.firstRange(of: [0x0d, 0x0a, 0x0d, 0x0a])?.upperBound else { return nil }
        let lines = String(decoding: buffer[..<headEnd], as: UTF8.self).split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        var fields = HTTPFields()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { fields.append(String(parts[0]), Array(parts[1].utf8.drop { $0 == 0x20 })) }
        }
        let length = max(0, fields["Content-Length"].flatMap { Int($0) } ?? 0)
        guard buffer.count - headEnd >= length else { return nil }
        let bodyEnd = headEnd + length
        method = words.first.map(String.init) ?? ""
        target = words.count > 1 ? String(words[1]) : ""
        self.fields = fields
        head = Array(buffer[..<headEnd])
        body = Array(buffer[headEnd..<bodyEnd])
        buffer.removeFirst(bodyEnd)
    }
}
