/// Atom's `link`: an address and what it is to the entry or feed (RFC 4287 section 4.2.7).
struct FeedLink {
    let href: String
    /// In lower case; `alternate` where nothing is said.
    let relation: String
    let type: String?
    let length: Int?

    /// nil without an `href`.
    init?(_ attributes: XMLAttributes) {
        guard let href = attributes.string("href") else { return nil }
        self.href = href
        let relation = attributes.string("rel")?.lowercased() ?? "alternate"
        // The registry's full names mean the short ones.
        let registry = "http://www.iana.org/assignments/relation/"
        self.relation = relation.hasPrefix(registry) ? String(relation.dropFirst(registry.count)) : relation
        type = attributes.string("type")
        length = attributes.string("length").flatMap { Int($0) }
    }

    /// Among the links of an entry; nil where it does not lead to the entry's page.
    var rank: UInt8? {
        guard relation == "alternate" else { return nil }
        guard let type = type?.lowercased() else { return 0 }
        return type.contains("html") ? 0 : 1
    }
}
