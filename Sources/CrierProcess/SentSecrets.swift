/// Secrets that somebody was sent who may repeat them in what he says, such as an API that tells which key is wrong.
package struct SentSecrets: Sendable {
    private var secrets: [String]

    package init(_ secrets: [String] = []) { self.secrets = secrets }

    package mutating func insert(_ secret: String) { secrets.append(secret) }

    package func hide(in texts: inout [String]) {
        if secrets.isEmpty { return }
        for index in texts.indices { texts[index] = hidden(in: texts[index]) }
    }

    /// The text with `…` in the place of each, as it is and percent-encoded; of `Bearer abc` also of what is behind the blank.
    package func hidden(in text: String) -> String {
        if secrets.isEmpty { return text }
        let bare = secrets.compactMap { secret in
            secret.firstIndex(of: " ").map { String(secret[secret.index(after: $0)...]) }
        }
        let all = secrets + bare
        let forms = Set(all + all.map(\.percentEncoded)).filter { $0.count >= Self.shortest }
        // One may hold another.
        return forms.sorted { $0.count > $1.count }.reduce(text) { Self.text($0, without: $1) }
    }

    /// Shorter ones are words of any text.
    package static let shortest = 6

    private static func text(_ text: String, without secret: String) -> String {
        // Nearly always.
        guard text.contains(secret.prefix(shortest)) else { return text }
        // A text that was cut, by jq too, may end within it.
        var shown = text.replacing(secret, with: "…")
        let secret = Array(secret.utf8)
        for end in ["…", "..."] {
            var parts = shown.split(separator: end, omittingEmptySubsequences: false)
            let last = parts.removeLast()
            shown = parts.map { Self.text($0, cutBefore: end, without: secret) }.joined() + last
        }
        return Self.text(shown[...], cutBefore: "", without: secret)
    }

    /// - Parameter end: What stands where it was cut. Without that nobody knows of a few characters whether they are the beginning of
    ///   a secret: `https://`, or a word.
    private static func text(_ text: Substring, cutBefore end: String, without secret: [UInt8]) -> String {
        let least = end.isEmpty ? max(shortest, min(12, secret.count / 2)) : shortest
        let tail = Array(text.utf8.suffix(secret.count))
        var count = tail.count
        while count >= least, !tail.suffix(count).elementsEqual(secret.prefix(count)) { count -= 1 }
        return count < least ? text + end : String(Substring(text.utf8.dropLast(count))) + "…"
    }
}
