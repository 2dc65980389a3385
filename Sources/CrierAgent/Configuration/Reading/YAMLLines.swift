import CYAML

/// Where the lines of libyaml lie in those that an editor shows: in YAML 1.1 a line ends at U+0085, U+2028 and U+2029, too
/// (section 4.2.2), which are no line ends elsewhere.
struct YAMLLines {
    /// Those of these characters that may end a comment, by the line of libyaml that begins behind them.
    private var endsOfComments: [Int: (name: String, position: FilePosition)] = [:]
    /// Where each line of libyaml begins; empty where they are the same.
    private var beginnings: [FilePosition] = []

    init(_ text: String) {
        // In bytes first: most texts hold none, and some are long.
        var text = text
        let mayHoldSome = text.withUTF8 { bytes in bytes.contains { $0 == 0xC2 || $0 == 0xE2 } }
        guard mayHoldSome, text.unicodeScalars.contains(where: Self.isUnseen) else { return }
        var position = FilePosition(line: 1, column: 1)
        beginnings = [position]
        var mayBeComment = false
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if Self.isUnseen(scalar) {
                if mayBeComment {
                    endsOfComments[beginnings.count] = (scalar.notation, position)
                }
                mayBeComment = false
                position.column += 1
                beginnings.append(position)
            } else if scalar == "\r" || scalar == "\n" && previous != "\r" {
                position = FilePosition(line: position.line + 1, column: 1)
                beginnings.append(position)
                mayBeComment = false
            } else if scalar != "\n" {
                position.column += 1
                if scalar == "#", previous?.properties.isWhitespace != false { mayBeComment = true }
            }
            previous = scalar
        }
    }

    func position(_ mark: yaml_mark_t) -> FilePosition {
        guard mark.line < beginnings.count else { return FilePosition(line: mark.line + 1, column: mark.column + 1) }
        var position = beginnings[mark.line]
        position.column += mark.column
        return position
    }

    /// The character that may have ended a comment right before a line, so that the rest of it is read as something else.
    func endOfComment(before mark: yaml_mark_t) -> (name: String, position: FilePosition)? { endsOfComments[mark.line] }

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{85}" || scalar == "\u{2028}" || scalar == "\u{2029}"
    }
}
