import Testing

@testable import CrierDelivery

@Suite("Text in Mattermost")
struct MattermostTextTests {
    @Test(
        "What means nothing comes through as it is",
        arguments: [
            "Swift: it's out", #"A "no", at 10:30; 5 < 6 & 7 = 7, a^b, 50 % or 5$"#, "AT&T, R&D", #"C:\Temp"#, "a:",
            "标题:内容", "x: d", "one\n\ntwo",
        ])
    func plain(_ text: String) {
        #expect(MattermostText.markdown(text) == text)
    }

    @Test("A backslash stands before nothing but what it makes text of")
    func escapes() {
        let marks = "`*{}[]()#+-.!_>|~"
        #expect(MattermostText.markdown(marks) == marks.map { "\\\($0)" }.joined())
        #expect(MattermostText.markdown(#"\'",/?^%=&$:"#) == #"\\'",/?^%=&$:"#)
        #expect(MattermostText.markdown(#"C:\path \*x\_y \\p \"#) == #"C:\path \\\*x&#92;\_y \\\p \\"#)
    }

    @Test(
        "What no backslash makes text of is written by its number",
        arguments: [
            (":smile: it", "&#58;smile: it"), (":) :-D ;-)", #"&#58;\) &#58;\-D &#59;\-\)"#), ("x-D", "x&#45;D"),
            ("<3 </3", "&#60;3 &#60;/3"), ("<b>", #"&#60;b\>"#), ("<http://a.b/c_d>", #"&#60;http&#58;//a\.b/c\_d\>"#),
            ("https://a.b/c_d", #"https&#58;//a\.b/c\_d"#), ("tel:1-2", #"tel&#58;1\-2"#),
            ("C# #tag #1", ##"C\# &#35;tag \#1"##), ("~town-square ~", #"&#126;town\-square \~"#),
            ("$x$ 5$", "&#36;x&#36; 5$"), ("&lt; &#36; &;", ##"&#38;lt; &\#36; &;"##),
            ("a\n    b\n==", "a\n&#32;   b\n&#61;="), ("@all a@b.c", "@\u{200b}all a@\u{200b}b\\.c"),
            ("x:%41 5:%", "x&#58;%41 5:%"),
        ])
    func numbers(_ text: String, _ expected: String) {
        #expect(MattermostText.markdown(text) == expected)
        #expect(Self.shown(expected) == text)
    }

    @Test("Where no Markdown is read, only names are broken")
    func line() {
        #expect(MattermostText.line("*A* :b: <c> \\_ & @here\n$x$") == "*A* :b: <c> \\_ & @\u{200b}here $x$")
        #expect(MattermostText.markdown("a\nb", keepsLines: false) == "a b")
    }

    @Test("It is read as what it was")
    func reading() {
        let characters = Array("3xD-:;)(</\\_*`~#&$@=.![]' \né")
        for first in characters {
            for second in characters {
                let text = "a\(first)\(second)b \(second)\(first)\(first)c"
                #expect(Self.shown(MattermostText.markdown(text)) == HarmlessText.lines(text), "\(text)")
            }
        }
    }

    /// What Mattermost shows of it: by the rule `escape` of mattermost/marked, and with the numbers read.
    private static func shown(_ text: String) -> String {
        let read = text.replacing(/\\([`*{}\[\]()#+\-.!_>|~]|\\(?![A-Za-z0-9_]))|&#([0-9]+);/) { match -> String in
            if let character = match.output.1 { return String(character) }
            let scalar = match.output.2.flatMap { UInt32($0) }.flatMap { Unicode.Scalar($0) }
            return scalar.map { String($0) } ?? ""
        }
        return read.replacing("\u{200b}", with: "")
    }
}
