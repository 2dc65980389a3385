/// Text of outsiders that calls nobody by name, for readers with no escape for that.
enum NamelessText {
    /// `@` calls people and channels by name, but not behind a letter or digit, as in the address of a mailbox: an invisible character
    /// behind it breaks the name. That would become a part of a page's address; in one it is encoded, which leads to the same page.
    static func callingNobody(_ text: String) -> String {
        // By scalars, as these services read.
        let places = /(?:https?:\/\/|www\.)\S+|[\p{L}\p{N}_]?@/.matchingSemantics(.unicodeScalar)
        return text.replacing(places) { found -> String in
            let scalars = found.output.unicodeScalars
            if scalars.count == 1 { return "@\u{200b}" }
            if scalars.count == 2 { return String(found.output) }
            return scalars.reduce(into: "") { $0 += $1 == "@" ? "%40" : String($1) }
        }
    }
}
