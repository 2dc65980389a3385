/// What a server that sets no cookies writes into each link, to know its visitor again: another one at each visit.
public struct VisitorSession: Sendable {
    /// Parameters of names that may mean something else, as they stand in most links of a document.
    private let shared: Set<Substring>

    /// - Parameter items: All of the document.
    public init(in items: [ContentItem]) {
        let links = items.compactMap(\.url)
        // One may be a page that is named so.
        guard links.count > 1, links.contains(where: Self.mayName) else {
            shared = []
            return
        }
        let parameters = links.map { Set(Self.parameters($0).filter(Self.mayBeSession)) }
        let counts = Dictionary(grouping: parameters.joined(), by: \.self).mapValues(\.count)
        // Links to other sites have none. Where there are two, they are pages.
        let isShared = counts.count == 1 && counts.values.allSatisfy { $0 > 1 && $0 * 2 > links.count }
        shared = isShared ? Set(counts.keys) : []
    }

    /// An address as it is without a session.
    public func removed(from url: String) -> String {
        guard Self.mayName(url), url.hasPrefix("http://") || url.hasPrefix("https://") else { return url }
        let end = url.firstIndex(of: "#") ?? url.endIndex
        let pathEnd = url[..<end].firstIndex(of: "?") ?? end
        let path = Self.withoutSession(url[..<pathEnd])
        guard pathEnd < end else { return path + url[end...] }
        let kept = Self.parameters(url).filter { !Self.isSession($0) && !shared.contains($0) }
        return path + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&")) + url[end...]
    }

    /// An address without those sessions that are nothing else.
    public static func removed(from url: String) -> String { VisitorSession(in: []).removed(from: url) }

    /// Hardly any address does.
    private static func mayName(_ url: String) -> Bool {
        withUTF8(of: url) { bytes in
            for index in 0..<max(0, bytes.count - 3) where bytes[index] | 0x20 == UInt8(ascii: "s") {
                let rest = (bytes[index + 1] | 0x20, bytes[index + 2] | 0x20, bytes[index + 3] | 0x20)
                if rest == (UInt8(ascii: "e"), UInt8(ascii: "s"), UInt8(ascii: "s")) { return true }
                if (rest.0, rest.1) == (UInt8(ascii: "i"), UInt8(ascii: "d")), bytes[index + 3] == UInt8(ascii: "=") {
                    return true
                }
            }
            return false
        }
    }

    private static func parameters(_ url: String) -> [Substring] {
        let beforeFragment = url.prefix { $0 != "#" }
        guard let start = beforeFragment.firstIndex(of: "?") else { return [] }
        return beforeFragment[start...].dropFirst().split(separator: "&", omittingEmptySubsequences: false)
    }

    /// Servlet containers write the session into the path (Jakarta Servlet 6.0 §7.1.3).
    private static func withoutSession(_ path: Substring) -> String {
        let segments = path.split(separator: ";", omittingEmptySubsequences: false)
        return segments.dropFirst().reduce(String(segments[0])) { path, segment in
            let isSession = segment.prefix { $0 != "=" }.lowercased() == "jsessionid"
            return path + (isSession ? String(segment.drop { $0 != "/" }) : ";" + segment)
        }
    }

    /// By a name that means nothing else.
    private static func isSession(_ parameter: Substring) -> Bool {
        ["phpsessid", "jsessionid"].contains(parameter.prefix { $0 != "=" }.lowercased())
    }

    /// By a name that may mean something else, and a value that no page has by which it is looked up by hand.
    private static func mayBeSession(_ parameter: Substring) -> Bool {
        let name = parameter.prefix { $0 != "=" }
        guard ["sid", "sessionid", "session_id"].contains(name.lowercased()) else { return false }
        let value = parameter[name.endIndex...].dropFirst()
        return value.utf8.count >= 26 && value.allSatisfy(\.isHexDigit)
    }
}
