import CrierProcess

/// How text of outsiders is written where some characters mean something. Every kind makes the text plain first.
public enum Escaping: Sendable, Hashable, CaseIterable {
    /// Nothing means anything: a terminal, a mail's text.
    case plain
    /// Between tags and in quoted attributes (HTML §13.1.2, XML §2.4).
    case html
    /// Within the quotes of a JSON string (RFC 8259 §7).
    case json
    /// Within the double quotes of YAML, whose escapes are those of JSON too (YAML 1.2.2 §7.3.1). Within single ones an escape
    /// stands as it is written, and no text ends them.
    case yaml
    /// A value of `application/x-www-form-urlencoded` (URL Standard §5.2).
    case form
    /// CommonMark §2.4, as Discord reads it too. Mattermost has a Markdown of its own, which this is not for.
    case markdown
    /// Slack's `&`, `<` and `>`.
    case slack

    /// - Parameter keepsLines: whether line ends stay; else they become spaces.
    public func escape(_ text: String, keepsLines: Bool = true) -> String {
        let plain = keepsLines ? HarmlessText.lines(text) : HarmlessText.line(text)
        switch self {
        case .plain: return plain
        case .html:
            return Self.replace(plain) { ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"][$0] }
        case .slack: return Self.replace(plain) { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] }
        case .json: return Self.json(plain)
        case .yaml: return Self.withoutApostrophes(Self.json(plain))
        case .form: return plain.percentEncoded
        case .markdown: return Self.markdown(plain)
        }
    }

    private static func json(_ text: String) -> String {
        String(decoding: JSONWriter.bytes(.string(text)).dropFirst().dropLast(), as: UTF8.self)
    }

    /// The same JSON.
    static func withoutApostrophes(_ json: String) -> String { replace(json) { $0 == "'" ? #"\u0027"# : nil } }

    private static func replace(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if let other = replacement(scalar) { result += other } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    /// `@` calls people and channels by name in chats: an invisible character behind it breaks the name. A full stop and
    /// a closing bracket make a list only behind a number.
    private static func markdown(_ text: String) -> String {
        replace(text) { scalar in
            if scalar == "@" { return "@\u{200b}" }
            return "\\`*_{}[]()<>#+-.!|~:&$^=\"'".unicodeScalars.contains(scalar) ? "\\\(scalar)" : nil
        }
    }
}
