import Testing

@testable import CrierAgent

/// What ends a line in YAML 1.1 and in no editor.
@Suite struct YAMLLinesTests {
    private static let lineEnds = ["\u{85}", "\u{2028}", "\u{2029}"]

    @Test(arguments: lineEnds, ["\n", "\r\n"]) func placesAreThoseThatAnEditorShows(character: String, end: String) {
        let text = [
            "sources:", "  a: {url: 'file:///x', title: 't\(character)t', evry: 1h}", "  b: {ulr: 'file:///y'}", "",
        ].joined(separator: end)
        let said = problems(text)
        #expect(said.count == 2)
        #expect(said.first?.hasPrefix("2:39: sources.a: unknown key \"evry\"") == true, "\(said)")
        #expect(said.last?.hasPrefix("3:7: sources.b: unknown key \"ulr\"") == true, "\(said)")
    }

    @Test(arguments: zip(lineEnds, ["U+0085", "U+2028", "U+2029"])) func oneThatEndsACommentIsTold(
        character: String, name: String
    ) {
        let said = problems("x-a: b\n  # what\(character)follows\nsources: {a: {url: 'file:///x'}}\n")
        #expect(said == ["2:9: the character \(name), at which a comment ends in YAML; expected a space"])
    }

    @Test(arguments: lineEnds) func oneThatEndsACommentBehindAValueIsTold(character: String) {
        let said = problems("x-a: b # what\(character)follows\nsources: {a: {url: 'file:///x'}}\n")
        #expect(said.count == 1)
        #expect(said.first?.hasPrefix("1:14: the character U+") == true, "\(said)")
    }

    @Test(arguments: lineEnds) func oneThatDoesNoHarmIsNotBlamed(character: String) {
        let said = problems("# feeds\(character)# of mine\nsources:\n  a: {url: 'file:///x'\n")
        #expect(said.count == 1)
        #expect(said.first?.contains("a mapping that begins with { is not closed") == true, "\(said)")
    }

    /// A `#` within a word begins no comment.
    @Test(arguments: lineEnds) func oneBehindAHashWithinAWordIsNotBlamed(character: String) {
        let said = problems("x-a: 'b#c\(character)d")
        #expect(said.count == 1 && said.first?.hasPrefix("1:6: a quote is opened and never closed") == true, "\(said)")
    }

    @Test(arguments: lineEnds) func aSourceBehindItIsRemoved(character: String) throws {
        let before = "sources:\n  a: {url: 'file:///x', title: t\(character)t}\n  b: {url: 'file:///y'}\n"
        #expect(
            try ConfigurationEditor(text: before).removing(source: "b")
                == "sources:\n  a: {url: 'file:///x', title: t\(character)t}\n")
    }
}
