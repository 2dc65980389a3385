/// Atom's `link`: an address and what it is to the entry or feed (RFC 4287 section 4.2.7).
struct AtomLink {
    /// May be empty: then it means the base.
    let href: String
    /// In lower case; `alternate` where nothing is said.
    let relation: String
    /// Relations are in lower case (RFC 4287 section 4.2.7.2); others are believed where nothing better is said.
    private let isExact: Bool
    let type: String?
    let length: Int?
    let title: String?

    /// nil without an `href`.
    init?(_ attributes: XMLAttributes) {
        guard let href = attributes.bytes("href") else { return nil }
        self.href = ByteText.string(ByteText.trimmed(href)) ?? ""
        type = attributes.string("type")
        length = attributes.length("length")
        title = attributes.string("title")
        guard let given = attributes.string("rel"), given != "alternate" else {
            relation = "alternate"
            isExact = true
            return
        }
        let relation = given.lowercased()
        isExact = given == relation
        // The registry's full names mean the short ones.
        let registry = "http://www.iana.org/assignments/relation/"
        self.relation = relation.hasPrefix(registry) ? String(relation.dropFirst(registry.count)) : relation
    }

    /// Among the links of an entry; nil where it does not lead to the entry's page.
    var rank: UInt8? {
        guard relation == "alternate" else { return nil }
        return isExact && !href.isEmpty ? typeRank : 2
    }

    /// Pages go before what programs read.
    var typeRank: UInt8 {
        guard let type, type != "text/html" else { return 0 }
        return type.lowercased().contains("html") ? 0 : 1
    }
}
