/// The one door through which text of outsiders reaches a terminal.
public enum TerminalText {
    /// One line without controls (C0, C1, DEL, so no ANSI or OSC sequence starts), bidirectional controls and invisible
    /// characters; line ends and tabs become spaces. Joiners stay where emoji and scripts need them.
    public static func escape(_ text: String) -> String { HarmlessText.line(text) }

    /// The same line by line; every kind of line end becomes `\n`.
    public static func escapeLines(_ text: String) -> String { HarmlessText.lines(text) }

    /// Text in bold (ECMA-48 §8.3.117), escaped.
    static func bold(_ text: String) -> String { "\u{1b}[1m\(escape(text))\u{1b}[0m" }
}
