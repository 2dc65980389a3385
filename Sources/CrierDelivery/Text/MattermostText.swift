/// Text of outsiders in Mattermost, which has a Markdown of its own (mattermost/marked; on phones mattermost/commonmark.js).
///
/// A backslash makes text of a few characters alone, and is shown before all others. What it makes text of is searched for
/// emoji, hashtags and channels all the same. Against these a character is written by its number, as in HTML (`&#58;`): that is
/// shown and copied as the character, and is done only where it would mean something.
enum MattermostText {
    private typealias Scalars = ArraySlice<Unicode.Scalar>

    /// Text where Markdown is read.
    static func markdown(_ text: String, keepsLines: Bool = true) -> String {
        let scalars = Array((keepsLines ? HarmlessText.lines(text) : HarmlessText.line(text)).unicodeScalars)
        return scalars.indices.map { index in
            escaped(scalars[index], between: scalars[..<index], and: scalars[(index + 1)...])
        }.joined()
    }

    /// One line where no Markdown is read, such as a title with a link.
    static func line(_ text: String) -> String {
        HarmlessText.line(text).unicodeScalars.map { $0 == "@" ? brokenName : String($0) }.joined()
    }

    /// It calls people by name: an invisible character behind it breaks the name. By its number it would call them, as the server
    /// reads numbers before it looks for names.
    private static let brokenName = "@\u{200b}"

    private static func escaped(_ scalar: Unicode.Scalar, between before: Scalars, and after: Scalars) -> String {
        if scalar == "@" { return brokenName }
        if meansMore(scalar, between: before, and: after) { return "&#\(scalar.value);" }
        // Before a letter or a digit it is one by itself, and two would be two.
        let isEscaped = scalar == "\\" ? !isWord(after.first) : "`*{}[]()#+-.!_>|~".unicodeScalars.contains(scalar)
        return isEscaped ? "\\\(scalar)" : String(scalar)
    }

    /// Whether a scalar has a meaning here that no backslash takes from it.
    private static func meansMore(_ scalar: Unicode.Scalar, between before: Scalars, and after: Scalars) -> Bool {
        let next = after.first
        switch scalar {
        case ":": return isRead(colonBetween: before, and: next)
        // Emoticons that begin with something else: `;-)`, `x-D`, `<3`. The last begins tags and links as well.
        case ";": return next == ")" || next == "-"
        case "-": return (before.last == "x" || before.last == "X") && (next == "d" || next == "D")
        case "<": return next != nil && next != " "
        // A hashtag, a channel.
        case "#": return next?.properties.isAlphabetic ?? false
        case "~": return isWord(next)
        // A character by its name, a formula.
        case "&": return isWord(next) && after.first { !isWord($0) } == ";"
        case "$": return after.first { $0 == "$" || $0 == "\n" } == "$"
        // With a backslash for each of the two, both would be shown.
        case "\\": return next == "_"
        // Code is indented, and these make a heading of the line before.
        case " ", "\u{a0}": return before.last == nil || before.last == "\n"
        case "=": return before.last == "\n"
        default: return false
        }
    }

    /// Whether a colon may begin an emoji (`:smile:`, `:-)`) or end the scheme of an address, to which servers may add their own.
    private static func isRead(colonBetween before: Scalars, and next: Unicode.Scalar?) -> Bool {
        guard let next, !next.properties.isWhitespace else { return false }
        let word = before.reversed().prefix { isWord($0) }
        if word.isEmpty { return next.isASCII || next == "’" }
        let isAddress = next == "/" || next == "%" || isWord(next) || next.properties.isAlphabetic
        return isAddress && word.contains { $0.properties.isAlphabetic }
    }

    /// Whether it is a letter or a digit of ASCII.
    private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return false }
        switch scalar {
        case "0"..."9", "A"..."Z", "a"..."z": return true
        default: return false
        }
    }
}
