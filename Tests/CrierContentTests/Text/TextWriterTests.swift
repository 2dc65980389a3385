import CrierTesting
import Testing

@testable import CrierContent

/// The quick ways, eight bytes at a time, come to what a look at every character comes to.
struct TextWriterTests {
    private let parts = [
        "a", "word", " ", " ", "  ", "\t", "\n", "\u{7F}", "\u{1}", "é", "中", "’", "\u{A0}", "\u{2028}",
        "\u{85}", "\u{92}", "\u{81}",
    ]

    private func collapsed(_ text: String) -> String {
        let meant = text.replacing("\u{85}", with: "…").replacing("\u{92}", with: "’")
        let words = meant.unicodeScalars.filter {
            !($0.properties.generalCategory == .control && !$0.properties.isWhitespace)
        }
        .split { $0.properties.isWhitespace }
        return words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
    }

    @Test func collapsesWhiteSpaceWhereverItStands() {
        var numbers = SeededNumbers(seed: 21)
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...16, using: &numbers))
                .map { _ in parts.randomElement(using: &numbers) ?? "" }.joined()
            #expect(PlainText.line(text: text) == collapsed(text), "\(text.debugDescription)")
            #expect(withUTF8(of: text, TextWriter.isClean) == (collapsed(text) == text), "\(text.debugDescription)")
        }
    }
}
