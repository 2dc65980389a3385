import CrierContent
import Foundation

/// An address without what does not change where it leads, to tell the same page from another: scheme, `www.`,
/// trailing slash, default port, the case of the host, and parameters that only tell senders or sessions apart. A fragment counts: the
/// entries of a change log, or the answers of a thread, are on one page.
package enum CanonicalURL {
    private static let trackers: Set<String> = [
        "fbclid", "gclid", "dclid", "msclkid", "yclid", "igshid", "mc_cid", "mc_eid", "_hsenc", "_hsmi", "mkt_tok",
    ]

    /// The same for all spellings of its escapes, too (RFC 3986 §6.2.2). For what is compared at once, not for what is kept: states of
    /// before have the others.
    static func ofAllSpellings(_ url: String) -> String {
        let url = of(url)
        guard url.utf8.contains(0x25), var parts = URLComponents(string: url), parts.scheme == "https" else {
            return url
        }
        parts.percentEncodedFragment = parts.percentEncodedFragment.map(URLReference.withPlainEscapes)
        parts.percentEncodedQuery = parts.percentEncodedQuery.map(URLReference.withPlainEscapes)
        parts.percentEncodedPath = URLReference.withPlainEscapes(parts.percentEncodedPath)
        return parts.string ?? url
    }

    /// What is no http or https URL stays as it is.
    package static func of(_ url: String) -> String {
        // Of some addresses that are stored, earlier versions left more escaped.
        let url = VisitorSession.removed(from: URLReference.unescaped(url))
        guard var parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), var host = parts.host?.lowercased()
        else { return url }
        if host.hasPrefix("www.") { host.removeFirst(4) }
        if parts.port == (scheme == "http" ? 80 : 443) { parts.port = nil }
        parts.scheme = "https"
        parts.host = host
        if let fragment = parts.fragment, leadsNowhere(fragment) { parts.fragment = nil }
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        parts.percentEncodedPath = path
        parts.removeParameters { isTracker($0.lowercased()) }
        return parts.string ?? url
    }

    /// The same address with the other scheme of the web; of all its spellings with and without `www.`, too, and with and without a
    /// slash at the end of its path. None of what is no such address.
    static func otherSpellings(of url: String, ofAll isOfAll: Bool) -> [String] {
        let schemes = ["https://", "http://"]
        guard let scheme = schemes.first(where: url.hasPrefix) else { return [] }
        let rest = url.dropFirst(scheme.count)
        var rests = [rest]
        if isOfAll {
            rests.append(rest.hasPrefix("www.") ? rest.dropFirst(4) : "www." + rest)
            if !rest.contains(where: { "?#".contains($0) }) {
                rests += rests.map { $0.hasSuffix("/") ? $0.dropLast() : $0 + "/" }
            }
        }
        return schemes.flatMap { scheme in rests.map { scheme + $0 } }.filter { $0 != url }
    }

    /// Whether two identifiers are the address of one page with numbers for its fragment, as some count the editions of an article.
    static func areEditions(_ one: String, _ other: String) -> Bool {
        func page(_ address: String) -> Substring? {
            guard address.hasPrefix("http"), let mark = address.lastIndex(of: "#") else { return nil }
            let number = address[address.index(after: mark)...]
            return number.utf8.count < 5 && Int(number) != nil ? address[..<mark] : nil
        }
        return page(one).map { $0 == page(other) } ?? false
    }

    /// What stands behind the host of a canonical address; nil where that has none.
    static func withoutHost(_ url: String) -> Substring? {
        url.firstRange(of: "://").map { url[$0.upperBound...].drop { !["/", "?", "#"].contains($0) } }
    }

    /// Whether a fragment is empty, a directive to the browser, or a parameter that only tells senders apart.
    private static func leadsNowhere(_ fragment: String) -> Bool {
        let name = fragment.prefix { $0 != "=" }.lowercased()
        return fragment.isEmpty || fragment.hasPrefix(":~:") || name == "xtor" || isTracker(name)
    }

    private static func isTracker(_ name: String) -> Bool {
        name.hasPrefix("utm_") || trackers.contains(name)
    }
}

extension URLComponents {
    /// Leaves out those parameters of the query whose names are unwanted; without any other, the query.
    mutating func removeParameters(named isUnwanted: (String) -> Bool) {
        guard let items = percentEncodedQueryItems else { return }
        let kept = items.filter { !isUnwanted($0.name) }
        percentEncodedQueryItems = kept.isEmpty ? nil : kept
    }
}
