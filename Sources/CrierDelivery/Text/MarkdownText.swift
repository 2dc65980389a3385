/// Text of outsiders in a document of Markdown that is also to be read as it is: as few escapes as CommonMark 0.31 needs.
///
/// Chats give a meaning to more characters; that is ``Escaping/markdown``.
enum MarkdownText {
    /// One line that stays text wherever it stands: behind a mark, in a link, at the beginning of a line.
    static func line(_ text: String) -> String {
        let characters = Array(HarmlessText.line(text))
        let digits = characters.prefix { $0.isASCII && $0.isNumber }.count
        var result = ""
        for (index, character) in characters.enumerated() {
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            let previous = index > 0 ? characters[index - 1] : nil
            let isEscaped =
                switch character {
                case "\\", "`", "*", "[", "]", "<", "~", "|", "$": true
                // Within a word it is a letter like others (§6.2).
                case "_": previous?.isWordCharacter != true || next?.isWordCharacter != true
                // What could be an entity (§2.5).
                case "&": next == "#" || next?.isWordCharacter == true
                // A heading's closing marks (§4.2) and what begins a block (§4.1, §5.1, §5.2).
                case "#": index == 0 || index == characters.count - 1
                case "+", "-", "=", ">", ":": index == 0
                case ".", ")": index == digits
                default: false
                }
            if isEscaped { result.append("\\") }
            result.append(character)
            // It calls people by name where such documents are shared: an invisible character breaks the name.
            if character == "@", next?.isWordCharacter == true { result.append("\u{200b}") }
        }
        return DigestPrint.isolated(result)
    }

    /// An address that is safe to link, fit for `<…>`, for `(…)` and for being read as it is (§6.3).
    static func destination(_ url: String) -> String {
        var result = ""
        for scalar in url.unicodeScalars {
            if "()[]*@!$~".unicodeScalars.contains(scalar) {
                result += "%" + String(scalar.value, radix: 16, uppercase: true)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result.replacing(/&(?=[A-Za-z#][A-Za-z0-9]*;)/, with: "&amp;")
    }
}

extension Character {
    fileprivate var isWordCharacter: Bool { isLetter || isNumber }
}
