/// Secrets that somebody was sent who may repeat them in what he says, such as an API that tells which key is wrong.
package struct SentSecrets: Sendable {
    private enum Entry: Sendable {
        case secret(String)
        /// What stands in an address where it may be read, and what is sent there.
        case mark(String, for: String)
    }

    /// One list, as every visit has a place for it and hardly any has something to put there.
    private var entries: [Entry]

    package init(_ secrets: [String] = []) { entries = secrets.map { .secret($0) } }

    package mutating func insert(_ secret: String) { entries.append(.secret(secret)) }

    /// How the secret of a name stands in an address that may be read.
    package static func mark(of name: String) -> String { "{\(name)}" }

    /// Takes those that an address holds, in which they stand by the marks of their names. They are sent percent-encoded (RFC 3986 §2.1).
    package mutating func insert(_ secrets: [String: String], ofAddress address: String) {
        // One may hold another.
        let marks = secrets.map { (mark: Self.mark(of: $0), value: $1.percentEncoded) }.sorted {
            $0.value.count > $1.value.count
        }
        var all = SentSecrets()
        all.entries = marks.map { .mark($0.mark, for: $0.value) }
        all.entries.insert(.mark(address, for: all.filled(address)), at: 0)
        entries += secrets.values.map { .secret($0) } + all.entries
    }

    /// An address with secrets in the place of their marks, as it is sent.
    package func filled(_ address: String) -> String {
        entries.reduce(address) { address, entry in
            if case .mark(let mark, let value) = entry { address.replacing(mark, with: value) } else { address }
        }
    }

    /// One that was sent, or that an origin says, with marks in the place of secrets. Short ones are known in the whole address only.
    package func shown(_ address: String) -> String {
        entries.reduce(address) { address, entry in
            guard case .mark(let mark, let value) = entry, value.count >= Self.shortest else { return address }
            return address.replacing(value, with: mark)
        }
    }

    package func hide(in texts: inout [String]) {
        if entries.isEmpty { return }
        for index in texts.indices { texts[index] = hidden(in: texts[index]) }
    }

    /// The text with `…` in the place of each, as it is and percent-encoded; of `Bearer abc` also of what is behind the blank.
    package func hidden(in text: String) -> String {
        if entries.isEmpty { return text }
        let secrets = entries.compactMap { if case .secret(let secret) = $0 { secret } else { nil } }
        let bare = secrets.compactMap { secret in
            secret.firstIndex(of: " ").map { String(secret[secret.index(after: $0)...]) }
        }
        let all = secrets + bare
        let forms = Set(all + all.map(\.percentEncoded)).filter { $0.count >= Self.shortest }
        // One may hold another.
        return forms.sorted { $0.count > $1.count }.reduce(text) { Self.text($0, without: $1) }
    }

    /// Shorter ones are words of any text.
    private static let shortest = 6

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
