import Foundation

/// The addresses of a document's items, or of stored ones.
struct Pages {
    /// The query of all of them, such as `ref=rss`, which tells none from another.
    private let common: String?

    init(_ urls: [String?]) {
        let queries = Set(urls.compactMap(\.self).map { Self.parts(of: $0)?.percentEncodedQuery })
        common = urls.count > 1 && queries.count == 1 ? queries.first ?? nil : nil
    }

    /// Nil also where it is that of all.
    func query(of url: String?) -> String? {
        Self.parts(of: url)?.percentEncodedQuery.flatMap { $0 == common ? nil : $0 }
    }

    static func path(of url: String?) -> String? { parts(of: url)?.percentEncodedPath }

    /// Whether two addresses have the same query, or one of them has none.
    static func areAlike(_ one: String?, _ other: String?) -> Bool {
        let queries = [one, other].map { parts(of: $0)?.percentEncodedQuery }
        return queries[0] == queries[1] || queries.contains(nil)
    }

    private static func parts(of url: String?) -> URLComponents? {
        url.flatMap { URLComponents(string: CanonicalURL.ofAllSpellings($0)) }
    }
}
