import Testing

@testable import CrierDelivery

@Suite("Text of outsiders")
struct TextTests {
    @Test("A line keeps no control, bidirectional or invisible character")
    func harmful() {
        let line = TerminalText.escape(hostileTitle)
        #expect(line.isHarmless)
        #expect(line == "--help [31mred]8;;http://evil.example/link]8;; $(id) %s <script>gpj !")
        let invisible = "a\u{feff}b\u{200b}c\u{ad}d\u{2060}e\u{e0041}f\u{200e}g\u{2067}h\u{9b}i\u{7f}j\u{61c}k"
        #expect(TerminalText.escape(invisible) == "abcdefghijk")
        #expect(TerminalText.escape("\u{3164}\u{115f}\u{1160}\u{ffa0}a\u{34f}b\u{e0159}\u{e0160}か") == "abか")
        // A variant of an ideograph, as names are written, and not what hides behind it.
        #expect(TerminalText.escape("葛\u{e0100}\u{e0101}城") == "葛\u{e0100}城")
        #expect(TerminalText.escape("❤\u{fe0f}\u{fe0e}\u{fe00} 1\u{fe0f}\u{20e3}") == "❤\u{fe0f} 1\u{fe0f}\u{20e3}")
        #expect(TerminalText.escape("a\u{fe00}b\u{fe01}\u{fe02} \u{fe0f}c\u{180b}") == "ab c")
        #expect(
            TerminalText.escape("#\u{fe0f}\u{20e3} *\u{fe0f}\u{20e3} \u{fe0f}") == "#\u{fe0f}\u{20e3} *\u{fe0f}\u{20e3}"
        )
        #expect(TerminalText.escape("\u{fe0f}é") == "é")
    }

    @Test("Each harmful character alone is left out of a line of plain words")
    func harmfulAlone() {
        let harmful = (UInt32(0)...0x10ffff).compactMap(Unicode.Scalar.init).filter(HarmlessText.isHarmful)
        #expect(harmful.count > 200)
        for scalar in harmful {
            let line = TerminalText.escape("some \(scalar)words")
            #expect(line == "some words", "U+\(String(scalar.value, radix: 16))")
        }
    }

    @Test("Spaces are one between words and none at the ends")
    func spaces() {
        for text in [" a b", "a b ", "a  b", "\ta b", "a\tb"] { #expect(TerminalText.escape(text) == "a b") }
        #expect(TerminalText.escape(" ").isEmpty)
    }

    @Test("All kinds of line ends become spaces in a line, and line ends in lines")
    func lineEnds() {
        let text = "  a\r\nb\rc\u{2028}d\u{85}e\t\tf \n\n"
        #expect(TerminalText.escape(text) == "a b c d e f")
        #expect(TerminalText.escapeLines("\n" + text) == "  a\nb\nc\nd\ne  f")
        #expect(TerminalText.escapeLines(" \n\n ") == "")
    }

    @Test("Joiners stay in emoji and in scripts that need them, and nowhere else")
    func joiners() {
        let family = "👨‍👩‍👧 👩🏽‍🚀 🏳️‍🌈 ❤️‍🔥"
        #expect(TerminalText.escape(family) == family)
        let persian = "می‌خواهم"
        #expect(TerminalText.escape(persian) == persian)
        let sinhala = "ශ්‍රී"
        #expect(TerminalText.escape(sinhala) == sinhala)
        #expect(TerminalText.escape("pay\u{200d}pal 1\u{200c}2 \u{200d}👍\u{200d}") == "paypal 12 👍")
        #expect(TerminalText.escape("\u{200d}é \u{645}\u{200c}b") == "é \u{645}b")
    }

    @Test("Tags stay in flags of regions, and nowhere else")
    func tags() {
        func tags(_ code: String, closed: Bool = true) -> String {
            let scalars = code.unicodeScalars.compactMap { Unicode.Scalar(0xe0000 + $0.value) }
            return String(String.UnicodeScalarView(scalars)) + (closed ? "\u{e007f}" : "")
        }
        let flag = "\u{1f3f4}"
        let known = ["gbeng", "gbsct", "gbwls", "ustx", "ab1", "abcde6"].map { flag + tags($0) }.joined(separator: " ")
        #expect(TerminalText.escape(known) == known)
        #expect(TerminalText.escapeLines(known + "\n") == known)
        let hidden = [
            tags("gb"), tags("gbengla"), tags("gbeng", closed: false), tags("GBENG"), tags("gb g"), tags(""),
            "\u{fe0f}" + tags("gbeng"), "a" + tags("gbeng"),
        ]
        for text in hidden {
            let line = TerminalText.escape("a " + flag + text)
            #expect(!line.unicodeScalars.contains { 0xe0000...0xe007f ~= $0.value })
            #expect(line.unicodeScalars.starts(with: "a \u{1f3f4}".unicodeScalars))
        }
        let twice = flag + tags("gbeng")
        #expect(TerminalText.escape(twice + tags("gbeng")) == twice)
        #expect(TerminalText.escape("a" + tags("gbeng")) == "a")
        #expect(TerminalText.escape("🏴\u{200d}☠\u{fe0f}") == "🏴\u{200d}☠\u{fe0f}")
    }

    @Test("Other writing stays as it is")
    func writing() {
        for text in ["干货更新啦", "Ünïcödé e\u{301}", "עברית", "日本語 🇯🇵", "a & b <c> \"d\" \\n 100 %"] {
            #expect(TerminalText.escape(text) == text)
        }
    }

    @Test("A cut text says that it is cut, and counts characters as readers do")
    func cutting() {
        #expect(HarmlessText.cut("abcdef", to: 6) == "abcdef")
        #expect(HarmlessText.cut("abcdefg", to: 6) == "abcde…")
        #expect(HarmlessText.cut("abcd efg", to: 6) == "abcd…")
        #expect(HarmlessText.cut("干货更新啦啦啦", to: 6) == "干货更新啦…")
        #expect(HarmlessText.cut(String(repeating: "👩🏽‍🚀", count: 6), to: 6).count == 6)
        let piled = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(HarmlessText.cut(piled, to: 6).unicodeScalars.count <= 25)
    }

    @Test("What takes no room on a terminal has no width")
    func width() {
        for text in ["", "\u{301}", "\u{301}\u{302}", "\r\n", "\u{200b}\u{301}"] { #expect(text.terminalWidth == 0) }
        #expect("e\u{301}\u{302}".terminalWidth == 1 && "か\u{3099}".terminalWidth == 2)
        #expect("1\u{fe0f}\u{20e3}".terminalWidth == 2)
    }

    @Test("Letters that are one character take the room of each, and those of a Hangul syllable that of one")
    func syllables() {
        #expect("का".terminalWidth == 2 && "क्षि".terminalWidth == 3 && "\u{ba8}\u{bc0}".terminalWidth == 1)
        #expect("\u{1112}\u{1161}\u{11ab}".terminalWidth == 2)
        #expect("👩🏽‍🚀🇯🇵❤️".terminalWidth == 6)
    }

    @Test("A desktop body is escaped where markup is read, and its backslashes always")
    func desktopBody() {
        #expect(DesktopText.body(#"<b>a</b> & \n \x41"#, markup: true) == #"&lt;b&gt;a&lt;/b&gt; &amp; \\n \\x41"#)
        // With a mark upon it, a bracket is another character, and markup still.
        #expect(DesktopText.body("<\u{338}b>\u{338} &\u{301}", markup: true) == "&lt;\u{338}b&gt;\u{338} &amp;\u{301}")
        #expect(DesktopText.body(#"<b>a</b> & \n"#, markup: false) == #"<b>a</b> & \\n"#)
        #expect(DesktopText.body(String(repeating: "<", count: 900), markup: true).count == 499 * 4 + 1)
        let titles = (1...10).map { "• " + String(repeating: "\($0 % 10)", count: $0 * 20) }
        let body = DesktopText.body((titles + ["and 8 more"]).joined(separator: "\n"), markup: false)
        #expect(body.count <= 500 && body.hasPrefix(titles[0] + "\n" + titles[1] + "\n"), "\(body)")
        #expect(body.split(separator: "\n").count == 11 && body.hasSuffix("000…\nand 8 more"), "\(body)")
        #expect(DesktopText.title(String(repeating: "x", count: 900)).count == 200)
        #expect(DesktopText.name("message-new:instant;rm -rf 干") == "message-newinstantrm-rf")
    }

    @Test("JSON escapes what is harmful and loses nothing")
    func json() {
        var writer = JSONWriter()
        writer.object { object in
            object.key("z", "\u{1b}\"\\\n\t\u{202e}\u{e0041}\u{9b}é/")
            object.key("none", nil as String?)
            object.key("a", .array([.number(1), .number(-0.5), .number(.nan), .bool(true), .null, .array([])]))
            object.key("o", .object(["b": .object([:]), "a": "x"]))
        }
        let expected =
            #"{"z":"\u001b\"\\\n\t\u202e\udb40\udc41\u009bé/","none":null,"#
            + #""a":[1,-0.5,null,true,null,[]],"o":{"a":"x","b":{}}}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }

    @Test("JSON of another writer gets the same escapes, and is otherwise as it was")
    func othersJSON() {
        let json = "{\n\"a\u{9b}\":\"\\\"\\n\\\\\u{202e}\u{200b}\u{e0041}\u{7f}é👩🏽‍🚀，\"}\n"
        let expected = "{\n\"a\\u009b\":\"\\\"\\n\\\\\\u202e\\u200b\\udb40\\udc41\\u007fé👩🏽‍🚀，\"}\n"
        #expect(String(decoding: JSONWriter.harmless(json.utf8), as: UTF8.self) == expected)
    }

    @Test("A token is short ASCII and tells identifiers apart")
    func tokens() {
        let token = IdentifierToken.token(of: "gank:干货.1")
        #expect(token.count == 64 && token.allSatisfy(\.isHexDigit))
        #expect(token == IdentifierToken.token(of: "gank:干货.1"))
        #expect(token != IdentifierToken.token(of: "gank:干货.2"))
        #expect(IdentifierToken.token(of: "abc").hasPrefix("ba7816bf8f01cfea"))
    }
}
