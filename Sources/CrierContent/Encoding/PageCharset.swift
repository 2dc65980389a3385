/// The encoding that an HTML page names in a `<meta>`, in either form
/// (https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding).
enum PageCharset {
    /// Browsers look at 1,024 bytes first, and later start again where they find one behind them.
    private static let bound = 64 * 1024

    static func find(in page: [UInt8]) -> String? {
        page.withUnsafeBufferPointer { page in
            let head = UnsafeBufferPointer(rebasing: page.prefix(bound))
            var index = 0
            while let open = ByteText.index(of: UInt8(ascii: "<"), in: head, from: index) {
                index = open + 1
                if ByteText.has("<!--", in: head, at: open) {
                    index = ByteText.find("-->", in: head, from: index) ?? head.count
                } else if ByteText.has("<body", in: head, at: open) {
                    return nil
                } else if ByteText.has("<meta", in: head, at: open) {
                    let end = ByteText.index(of: UInt8(ascii: ">"), in: head, from: open) ?? head.count
                    if let label = label(in: UnsafeBufferPointer(rebasing: head[open..<end])) { return label }
                    index = end
                }
            }
            return nil
        }
    }

    /// What follows `charset=` in a tag.
    private static func label(in tag: UnsafeBufferPointer<UInt8>) -> String? {
        guard let start = tag.indices.first(where: { ByteText.has("charset", in: tag, at: $0) }) else { return nil }
        let value = tag[(start + "charset".utf8.count)...].drop(while: \.isASCIISpace)
        guard value.first == UInt8(ascii: "=") else { return nil }
        let name = value.dropFirst().drop { $0.isASCIISpace || isQuote($0) }
        let label = name.prefix { !$0.isASCIISpace && !isQuote($0) && $0 != UInt8(ascii: ";") }
        return label.isEmpty ? nil : String(utf8: label)
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
}
