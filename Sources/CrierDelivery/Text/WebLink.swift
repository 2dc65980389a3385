import CrierNotifications
import CrierProcess

import struct Foundation.URLComponents

/// An address of outsiders where a click leads.
enum WebLink {
    /// The address if it is an absolute http or https URL, without anything that could end the place it is put into: what could is
    /// encoded, as browsers open an address with it (URL Standard, "query percent-encode set"). Nil for all else, `javascript:` and
    /// half addresses included.
    static func safe(_ url: String?) -> String? {
        guard let url, url.utf8.count <= 2_000, !url.unicodeScalars.contains(where: isUnfit), let url = encoded(url),
            url.utf8.count <= 2_000, let parts = URLComponents(string: url),
            ["http", "https"].contains(parts.scheme?.lowercased()), parts.host?.isEmpty == false
        else { return nil }
        return url
    }

    /// An address as text, for what cannot be linked, as a reader can still copy it (`magnet:`, `gemini:`). Nil for what a browser
    /// would run, and for half an address.
    static func plain(_ url: String?) -> String? {
        let line = HarmlessText.line(url ?? "")
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let scheme = line[..<colon].lowercased()
        let isHalf = scheme.isEmpty || scheme.contains { "/?#".contains($0) }
        return isHalf || ["javascript", "data", "vbscript"].contains(scheme) ? nil : line
    }

    /// Nil where a name or a number of the host would have to be.
    private static func encoded(_ url: String) -> String? {
        guard url.unicodeScalars.contains(where: ends.contains) else { return url }
        guard let authority = url.firstRange(of: "://")?.upperBound else { return nil }
        let path = url[authority...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        let query = url[path...].firstIndex { "?#".contains($0) } ?? url.endIndex
        guard !url[..<path].unicodeScalars.contains(where: ends.contains) else { return nil }
        // In a path browsers read it as the other one.
        let rest = url[path..<query].replacing("\\", with: "/") + url[query...]
        let encoded = rest.unicodeScalars.map { scalar in
            ends.contains(scalar) ? String(scalar).percentEncoded : String(scalar)
        }
        return url[..<path] + encoded.joined()
    }

    /// What ends the place of an address in one text or another.
    private static let ends = Set("<>\"`\\^{|}".unicodeScalars)

    /// The same of each text under one of these names, at any depth: what is not safe is null.
    static func safe(_ members: [String: UserInfoValue], under names: Set<String>) -> [String: UserInfoValue] {
        let pairs = members.map { name, value -> (String, UserInfoValue) in
            guard names.contains(name), case .string(let url) = value else { return (name, safe(value, under: names)) }
            return (name, safe(url).map(UserInfoValue.string) ?? .null)
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func safe(_ value: UserInfoValue, under names: Set<String>) -> UserInfoValue {
        switch value {
        case .array(let elements): .array(elements.map { safe($0, under: names) })
        case .object(let members): .object(safe(members, under: names))
        case .null, .bool, .number, .string: value
        }
    }

    private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || HarmlessText.isHarmful(scalar)
    }
}
