/// English months with a slip of the keyboard in them.
enum MonthTypos {
    /// The month whose name is one slip away (a letter lost, added, replaced, or two of them exchanged), or two where its
    /// first three letters are right; nil for other words.
    ///
    /// The first letter must be right, and `may`, `june`, `july` and `march`, which are one slip from words that are no
    /// months, are not guessed; `sept` is, with two letters exchanged.
    static func month(_ word: ByteCursor) -> Int? {
        let length = word.end - word.index
        guard length >= 4, length <= 11 else { return nil }
        let letters = word.bytes[word.index..<word.end].map(\.asciiLowercased)
        guard letters.allSatisfy(\.isASCIILetter) else { return nil }
        if letters == Array("setp".utf8) || letters == Array("spet".utf8) { return 9 }
        for (month, name) in names where name.first == letters.first && abs(name.count - length) <= 2 {
            let bound = name.count > 5 && name.prefix(3) == letters.prefix(3) ? 2 : 1
            // No two names are so near to one another that a word could be both.
            if editDistance(letters, name) <= bound { return month }
        }
        return nil
    }

    private static let names: [(month: Int, name: [UInt8])] = [
        (1, "january"), (2, "february"), (4, "april"), (8, "august"), (9, "september"), (10, "october"),
        (11, "november"),
        (12, "december"),
    ].map { ($0, Array($1.utf8)) }
}
