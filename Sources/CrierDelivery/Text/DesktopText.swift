/// Text as notification servers and `notify-send` want it.
enum DesktopText {
    /// Characters of a title and of a body.
    static let titleLimit = 200
    static let bodyLimit = 500

    /// A title: one plain line, never markup (Desktop Notifications Specification, "summary").
    static func title(_ text: String) -> String {
        HarmlessText.cut(HarmlessText.line(text), to: titleLimit)
    }

    /// A body as an argument of `notify-send`: markup of the text's own is escaped where the server reads markup, and
    /// every backslash is doubled because `notify-send` expands C escapes in it.
    static func body(_ text: String, markup: Bool) -> String {
        let plain = HarmlessText.cutList(HarmlessText.lines(text), to: bodyLimit)
        // By scalars: a bracket with a mark upon it is another character, and a bracket still.
        return (markup ? Escaping.slack.escape(plain) : plain).replacing("\\", with: "\\\\")
    }

    /// Only the letters a category or a sound name is made of.
    static func name(_ text: String) -> String {
        let others = "0123456789._-".unicodeScalars
        return String(text.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || others.contains($0)) })
    }
}
