/// Text of outsiders that calls nobody by name, for readers with no escape for that.
enum NamelessText {
    /// `@` calls people and channels by name, in Slack so does `!` before a `>` (`<!here>`), in Feishu and Lark `<at …>` and in Google
    /// Chat `<users/…>`: an invisible character behind it breaks the name. The address of a mailbox stays, as behind a letter or digit only Discord's `@everyone` and `@here` call. In the path of a
    /// page's address, of which that character would become a part, the two are encoded, which leads to the same page.
    static func callingNobody(_ text: String) -> String {
        // By scalars, as these services read.
        let addresses = /((?:https?:\/\/|www\.)[^\s\/?#]*)(\S*)/.ignoresCase().matchingSemantics(.unicodeScalar)
        let groups = /!(?=(?:channel|here|everyone|subteam)[^\n<>]{0,100}(?:>|&gt;))/.ignoresCase()
            .matchingSemantics(.unicodeScalar)
        let mailboxes = /[\p{L}\p{N}_]@(?!everyone|here)(?:[\p{L}\p{N}\-]+\.)+[\p{L}\p{N}]|@/.ignoresCase()
            .matchingSemantics(.unicodeScalar)
        let elements = /(?:<|&lt;)(?=at(?:\s|>|&gt;)|users\/)/.ignoresCase().matchingSemantics(.unicodeScalar)
        return text.replacing(addresses) { found in
            String(found.output.1) + found.output.2.replacing("@", with: "%40").replacing(groups, with: "%21")
        }
        .replacing(mailboxes) { $0.output == "@" ? "@\u{200b}" : String($0.output) }
        .replacing(groups, with: "!\u{200b}")
        .replacing(elements) { "\($0.output)\u{200b}" }
    }
}
