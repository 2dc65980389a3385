/// Text of outsiders that calls nobody by name, for readers with no escape for that.
enum NamelessText {
    /// `@` calls people and channels by name, but not behind a letter or digit, as in the address of a mailbox: an invisible character
    /// behind it breaks the name. That would become a part of a page's address; in the path of one it is encoded, which leads to
    /// the same page.
    static func callingNobody(_ text: String) -> String {
        // By scalars, as these services read.
        let places = /((?:[hH][tT][tT][pP][sS]?:\/\/|[wW]{3}\.)[^\s\/?#]*)(\S*)|[\p{L}\p{N}_]?@/.matchingSemantics(
            .unicodeScalar)
        return text.replacing(places) { found -> String in
            if let host = found.output.1, let path = found.output.2 {
                return String(host) + path.replacing("@", with: "%40")
            }
            return found.output.0.unicodeScalars.count == 1 ? "@\u{200b}" : String(found.output.0)
        }
    }
}
