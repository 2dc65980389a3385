/// How much longer than it is a document may become, by what stands in it once and counts in many places: the text of an
/// entity, the address that others are relative to, the authors of a feed.
struct ContentGrowth {
    private var left: Int

    /// - Parameter length: bytes of the document.
    init(of length: Int) {
        left = ContentGrowth.bound(of: length)
    }

    /// Ten times the document is more than an honest one unfolds to.
    static func bound(of length: Int) -> Int { 10 * length + 1_000_000 }

    /// What an address gets from the one that it is resolved against.
    static func bytes(of url: String, from reference: String) -> Int { max(0, url.utf8.count - reference.utf8.count) }

    /// The absolute URL; nil where that is empty or too long.
    mutating func resolve(_ reference: String, against base: String) -> String? {
        let url = URLReference.resolve(reference, against: base)
        left -= ContentGrowth.bytes(of: url, from: reference)
        return ContentBounds.url(url)
    }

    /// Gives the items that have no authors those of their feed, as a reader has them.
    ///
    /// - Returns: How many bytes that are.
    static func inherit(_ authors: [String], to items: inout [ContentItem]) -> Int {
        if authors.isEmpty { return 0 }
        let bytes = authors.reduce(0) { $0 + $1.utf8.count }
        var heirs = 0
        for index in items.indices where items[index].authors.isEmpty {
            items[index].authors = authors
            heirs += 1
        }
        return heirs * bytes
    }

    mutating func inherit(_ authors: [String], to items: inout [ContentItem]) {
        left -= ContentGrowth.inherit(authors, to: &items)
    }

    /// - Throws: ``ContentError`` of the kind `tooLarge` where the bound is passed.
    func check() throws(ContentError) {
        if left < 0 { throw ContentError(.tooLarge, "the document unfolds to far more than it holds") }
    }
}
