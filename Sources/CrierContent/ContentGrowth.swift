/// How much longer than it is a document may become, by what stands in it once and counts in many places: the text of an
/// entity, the address that others are relative to, the authors of a feed.
struct ContentGrowth {
    private var left: Int

    /// - Parameter length: bytes of the document.
    init(of length: Int) {
        // Ten times the document is more than an honest one unfolds to.
        left = 10 * length + 1_000_000
    }

    var isExcessive: Bool { left < 0 }

    mutating func count(_ bytes: Int) { left -= bytes }

    /// The absolute URL.
    mutating func resolve(_ reference: String, against base: String?) -> String {
        let url = URLReference.resolve(reference, against: base)
        count(max(0, url.utf8.count - reference.utf8.count))
        return url
    }

    /// Gives the items that have no authors those of their feed, as a reader has them.
    mutating func inherit(_ authors: [String], to items: inout [ContentItem]) {
        if authors.isEmpty { return }
        let bytes = authors.reduce(0) { $0 + $1.utf8.count }
        for index in items.indices where items[index].authors.isEmpty {
            items[index].authors = authors
            count(bytes)
        }
    }

    /// - Throws: ``ContentError`` of the kind `tooLarge` where the bound is passed.
    func check() throws(ContentError) {
        if isExcessive { throw ContentError(.tooLarge, "the document unfolds to far more than it holds") }
    }
}
