/// Reads ETags (RFC 9110 §8.8.3).
enum EntityTag {
    /// Put behind it by servers that compress, each with the marks that it likes: `-gzip`, `--gzip`, `;br`, or behind the quotes.
    private static let codings = ["gzip", "br", "zstd", "deflate"].map { Array($0.utf8) }
    private static let separators = Array("-;:+._\"".utf8)

    /// What tells one document from another in it: neither how strong it is nor how the body was compressed, both of which a server
    /// may say otherwise in a 304.
    static func mark(of etag: [UInt8]) -> ArraySlice<UInt8> {
        var mark = etag.starts(with: "W/".utf8) ? etag.dropFirst(2) : etag[...]
        if mark.first == UInt8(ascii: "\"") { mark.removeFirst() }
        if mark.last == UInt8(ascii: "\"") { mark.removeLast() }
        while let coding = codings.first(where: { mark.suffix($0.count).elementsEqual($0) }) {
            var rest = mark.dropLast(coding.count)
            let count = rest.count
            while let last = rest.last, separators.contains(last) { rest.removeLast() }
            if rest.count == count { break }
            mark = rest
        }
        return mark
    }
}
