import CrierFetch
import Testing

@testable import CrierAgent

@Suite("Sources are added and removed as text, and everything else stays")
struct ConfigurationEditorTests {
    private let settings = [SourceSetting("url", .text("https://n/"))]

    private func adding(_ text: String) throws -> String {
        try ConfigurationEditor(text: text).adding(source: "new", settings: settings)
    }

    @Test(
        "a source is added at the end",
        arguments: [
            ("", "sources:\n  new:\n    url: https://n/\n"),
            ("{}", "sources:\n  new:\n    url: https://n/\n"),
            ("# hello\n{ }\n# end\n", "# hello\n# end\n\nsources:\n  new:\n    url: https://n/\n"),
            ("null # none\n", " # none\n\nsources:\n  new:\n    url: https://n/\n"),
            ("--- ~\n", "---\n\nsources:\n  new:\n    url: https://n/\n"),
            ("# hello\n", "# hello\n\nsources:\n  new:\n    url: https://n/\n"),
            ("time-zone: UTC", "time-zone: UTC\n\nsources:\n  new:\n    url: https://n/"),
            ("time-zone: UTC\r\n", "time-zone: UTC\r\n\r\nsources:\r\n  new:\r\n    url: https://n/\r\n"),
            ("time-zone: UTC\n...\n# end\n", "time-zone: UTC\n\nsources:\n  new:\n    url: https://n/\n...\n# end\n"),
            ("sources:\n", "sources:\n  new:\n    url: https://n/\n"),
            ("sources:", "sources:\n  new:\n    url: https://n/"),
            ("sources: {}\n", "sources:\n  new:\n    url: https://n/\n"),
            ("sources: { } # mine\nsinks: {}\n", "sources:  # mine\n  new:\n    url: https://n/\nsinks: {}\n"),
            ("sources: ~\n", "sources:\n  new:\n    url: https://n/\n"),
            ("sources: null # none\n", "sources:  # none\n  new:\n    url: https://n/\n"),
            (
                "sources:\n  # first\n  #a:\n\n# end\n",
                "sources:\n  # first\n  #a:\n  new:\n    url: https://n/\n\n# end\n"
            ),
            (
                "sources:\n  a: {url: x}\nsinks: {}\n",
                "sources:\n  a: {url: x}\n  new:\n    url: https://n/\nsinks: {}\n"
            ),
            (
                "sources:\n    a:\n       url: x\n\n    # about b\n    b:\n       url: y # why\n       # inside\n\n# sinks\nsinks: {}",
                "sources:\n    a:\n       url: x\n\n    # about b\n    b:\n       url: y # why\n       # inside\n"
                    + "\n    new:\n       url: https://n/\n\n# sinks\nsinks: {}"
            ),
            (
                "sources:\n  a:\n    url: x\n  # b:\n  #   url: y\n",
                "sources:\n  a:\n    url: x\n  new:\n    url: https://n/\n  # b:\n  #   url: y\n"
            ),
            (
                "sources:\n  a:\n    items: |\n      .x\n      # jq\n\nsinks: {}\n",
                "sources:\n  a:\n    items: |\n      .x\n      # jq\n  new:\n    url: https://n/\n\nsinks: {}\n"
            ),
            (
                "\u{FEFF}sources:\n  a:\n    to:\n    - stdout\n",
                "\u{FEFF}sources:\n  a:\n    to:\n    - stdout\n  new:\n    url: https://n/\n"
            ),
            ("time-zone: UTC\n\n", "time-zone: UTC\n\nsources:\n  new:\n    url: https://n/\n"),
        ])
    func adding(before: String, after: String) throws {
        #expect(try adding(before) == after)
    }

    @Test(
        "many sources are added at once, apart from each other as those before",
        arguments: [
            ("", "sources:\n  one:\n    url: https://x/\n    tags: [a, b/c]\n  two:\n    url: https://y/\n"),
            (
                "sources:\n  a:\n    url: x\n\n  b:\n    url: y\n",
                "sources:\n  a:\n    url: x\n\n  b:\n    url: y\n\n  one:\n    url: https://x/\n    tags: [a, b/c]\n\n  two:\n    url: https://y/\n"
            ),
        ])
    func addingMany(before: String, after: String) throws {
        let entries = [
            SourceEntry(
                "one", [SourceSetting("url", .text("https://x/")), SourceSetting("tags", .list(["a", "b/c"]))]),
            SourceEntry("two", [SourceSetting("url", .text("https://y/"))]),
        ]
        #expect(try ConfigurationEditor(text: before).adding(entries) == after)
        #expect(throws: ConfigurationEditError.self) {
            try ConfigurationEditor(text: before).adding(entries + [entries[0]])
        }
    }

    @Test(
        "a source is removed with what belongs to it",
        arguments: [
            ("sources:\n  a:\n    url: x\n", "sources:\n"),
            ("sources:\n  a:\n    url: x", "sources:"),
            ("sources:\n  b: {url: x}\n  a: {url: y}\n  c: {url: z}\n", "sources:\n  b: {url: x}\n  c: {url: z}\n"),
            (
                "sources:\n  b:\n    url: x\n\n  # about a\n  # more\n  a:\n    url: y\n    # inside\n\n  # about c\n  c:\n    url: z\n",
                "sources:\n  b:\n    url: x\n\n  # about c\n  c:\n    url: z\n"
            ),
            (
                "sources:\n  # apart\n\n  # about a\n  a:\n    url: y\nsinks: {}\n",
                "sources:\n  # apart\nsinks: {}\n"
            ),
            (
                "sources:\r\n  b:\r\n    url: x\r\n  'a':\r\n    url: y\r\n# end\r\n",
                "sources:\r\n  b:\r\n    url: x\r\n# end\r\n"
            ),
            (
                "sources:\n  a:\n    fields:\n      title: |\n        .a\n\n        # jq\n  b: {url: x}\n",
                "sources:\n  b: {url: x}\n"
            ),
            ("sources:\n  a:\n    url: x\n\n  b:\n    url: y\n", "sources:\n  b:\n    url: y\n"),
            (
                "sources:\n  b: {url: x}\n\n  a: {url: y}\n  c: {url: z}\n",
                "sources:\n  b: {url: x}\n\n  c: {url: z}\n"
            ),
            // What is parked below it, and is none of its own.
            (
                "sources:\n  a:\n    url: x\n    # inside\n\n  # b:\n    # url: y\n\n  # about c\n  c: {url: z}\n",
                "sources:\n  # b:\n    # url: y\n\n  # about c\n  c: {url: z}\n"
            ),
            ("sources:\n  a:\n    url: x\n  # b:\n    # url: y\n", "sources:\n  # b:\n    # url: y\n"),
            ("sources:\n  a:\n  # out\n    # in\n    url: x\n  b: {url: y}\n", "sources:\n  b: {url: y}\n"),
            // A list where settings should be, not indented deeper.
            ("sources:\n  a:\n  - url: x\n  b: {url: y}\n", "sources:\n  b: {url: y}\n"),
        ])
    func removing(before: String, after: String) throws {
        #expect(try ConfigurationEditor(text: before).removing(source: "a") == after)
    }

    @Test func aSourceThatADigestNamesStays() {
        let digests = "digests:\n  m: {at: 08:30, sources: [b, a]}\n  e:\n    at: 18:30\n    sources: a\n"
        let named = ConfigurationEditor(text: digests + "sources:\n  a: {url: x}\n  b: {url: y}\n")
        let error = #expect(throws: ConfigurationEditError.self) { try named.removing(source: "a") }
        #expect(error?.references.map(\.path) == ["digests.m.sources", "digests.e.sources"])
        #expect(
            error?.references.map(\.position) == [
                FilePosition(line: 2, column: 31), FilePosition(line: 5, column: 14),
            ])
    }

    @Test func aSourceThatADigestNamesThroughAMergeKeyStays() {
        let text = """
            x-mine: &mine {sources: [a, b]}
            digests:
              m: {<<: *mine, at: 08:30}
              e: {<<: *mine, at: 18:30, sources: [b]}
              n: {<<: [*mine], at: 22:30}
            sources:
              a: {url: x}
              b: {url: y}

            """
        let error = #expect(throws: ConfigurationEditError.self) {
            try ConfigurationEditor(text: text).removing(source: "a")
        }
        #expect(error?.references.map(\.path) == ["digests.m.sources", "digests.n.sources"])
        #expect(error?.references.allSatisfy { $0.position == FilePosition(line: 1, column: 26) } == true)
    }

    @Test(
        "what cannot be done line by line is left to the user",
        arguments: [
            ("sources: {a: {url: x}}\n", "the sources do not stand on lines of their own"),
            ("{sources: {}}\n", "the source \"new\" cannot be added without changing something else"),
            ("{time-zone: UTC}\n", "the sources do not stand on lines of their own"),
            ("sources:\n  ? a\n  : url: x\n", "the sources do not stand on lines of their own"),
            ("&a {}\n", "the sources stand in an unusual place"),
            ("sources:\r  a: {url: x}\r", "a line ends with a carriage return alone"),
            ("sources: [a]\n", "\"sources\" is not a mapping from names to sources"),
            ("- a\n", "the file is not a mapping"),
            ("sources:\n\ta:\n", "line 2, column 1: a tab indents the line"),
            ("sources:\n  a: 1\n  a: 2\n", "line 3: the key \"a\" is given twice"),
            ("sources:\n  a: {\n  url: x\n  }\n", "the source \"new\" cannot be added without changing something else"),
            ("sources:\n  a: \"x\n  y\"\n", "the source \"new\" cannot be added without changing something else"),
            ("sources: {\na: {url: x}}\n", "the sources stand in an unusual place"),
        ])
    func refusal(text: String, reason: String) {
        let error = #expect(throws: ConfigurationEditError.self) { try adding(text) }
        #expect(error?.description == "\(reason); please edit the file by hand")
    }

    @Test func aFileThatWouldBeTooLongToReadIsNotWritten() {
        let text = "sources:\n  a: {url: x}\n#"
        let error = #expect(throws: ConfigurationEditError.self) {
            try adding(text + String(repeating: "-", count: (16 << 20) - text.utf8.count))
        }
        #expect(error?.description == "with the source \"new\" the file would be longer than 16 MiB")
    }

    @Test func aLongConfigurationIsEdited() throws {
        let settings = "{url: x, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1}"
        let first = "sources:\n  s0: \(settings)\n"
        let others = (1..<10_000).map { "  s\($0): \(settings)\n" }.joined()
        let editor = ConfigurationEditor(text: first + others)
        #expect(try editor.sources().filter { $0.url == "x" }.count == 10_000)
        #expect(try adding(first + others) == first + others + "  new:\n    url: https://n/\n")
        #expect(try editor.removing(source: "s0") == "sources:\n" + others)
    }

    @Test func aliasesOfAliasesStay() throws {
        var text = "x-0: &a0 {x: y}\n"
        for level in 1...40 {
            text += "x-\(level): &a\(level) [*a\(level - 1), *a\(level - 1), *a\(level - 1)]\n"
        }
        #expect(try adding(text) == text + "\nsources:\n  new:\n    url: https://n/\n")
    }

    @Test func namesAreChecked() {
        let editor = ConfigurationEditor(text: "sources:\n  swift-blog: {url: x}\n")
        func reason(_ body: () throws -> String) -> String? {
            #expect(throws: ConfigurationEditError.self) { try body() }?.description
        }
        #expect(
            reason { try editor.adding(source: "swift-blog", settings: settings) }
                == "there is already a source \"swift-blog\"")
        #expect(
            reason { try editor.adding(source: "a b", settings: settings) }
                == "\"a b\" cannot be a name: \(OptionSections.nameRule)")
        #expect(
            reason { try editor.removing(source: "swift-blgo") }
                == "no source is called \"swift-blgo\"; did you mean \"swift-blog\"?")
    }

    /// A key of its own would take the place of one that a merge key brings.
    @Test func aSourceThatAMergeKeyBringsIsThere() throws {
        let whole = ConfigurationEditor(text: "x: &x\n  sources:\n    a: {url: y}\n<<: *x\n")
        for edit in [{ try whole.adding([SourceEntry("b", [])]) }, { try whole.removing(source: "a") }] {
            let error = #expect(throws: ConfigurationEditError.self) { try edit() }
            #expect(
                error?.description
                    == "a merge key (<<) brings \"sources\" here; please edit the file by hand")
        }
        let text = "x: &x\n  a: {url: y}\nsources:\n  <<: *x\n  b: {url: z}\n"
        let editor = ConfigurationEditor(text: text)
        func reason(_ body: () throws -> String) -> String? {
            #expect(throws: ConfigurationEditError.self) { try body() }?.description
        }
        #expect(try editor.sources().map(\.name) == ["b", "a"])
        #expect(try editor.sources().map(\.url) == ["z", "y"])
        #expect(reason { try editor.adding(source: "a", settings: settings) } == "there is already a source \"a\"")
        #expect(
            reason { try editor.removing(source: "a") }
                == "\"a\" stands elsewhere, and a merge key (<<) brings it here; please edit the file by hand")
        #expect(try editor.removing(source: "b") == "x: &x\n  a: {url: y}\nsources:\n  <<: *x\n")
    }

    @Test func anAnchorUsedElsewhereStays() {
        let text = "sources:\n  a: &common\n    url: x\n  b: *common\n"
        let error = #expect(throws: ConfigurationEditError.self) {
            try ConfigurationEditor(text: text).removing(source: "a")
        }
        #expect(
            error?.description
                == "the source \"a\" cannot be removed, as line 4, column 6 would be wrong: * begins an alias, but no anchor has its name; please edit the file by hand"
        )
    }

    @Test func everyKindOfSettingIsWrittenAndReadBack() throws {
        let text = try ConfigurationEditor(text: "").adding(
            source: "干货",
            settings: [
                SourceSetting("url", .text("https://h/#a")), SourceSetting("format", .text("json")),
                SourceSetting("items", .text(".results[]")),
                SourceSetting("fields", .mapping([.init("id", "._id"), .init("title", ".a + \": \" + .b")])),
                SourceSetting("title", .text("it's: 100%")), SourceSetting("to", .list(["stdout"])),
            ])
        #expect(
            text == """
                sources:
                  干货:
                    url: https://h/#a
                    format: json
                    items: .results[]
                    fields:
                      id: ._id
                      title: '.a + ": " + .b'
                    title: 'it''s: 100%'
                    to: [stdout]

                """)
        let source = try #require(try configuration(text).sources.first)
        #expect(source.name == "干货")
        #expect(source.title == "it's: 100%")
        #expect(source.mapping.fields == [.id: "._id", .title: ".a + \": \" + .b"])
    }

    @Test(
        "text is quoted only where it must be",
        arguments: [
            ("plain text", "plain text"), ("https://h/?a=b&c", "https://h/?a=b&c"), (".a[]", ".a[]"),
            ("1h30m", "1h30m"),
            ("2d", "2d"), ("//a[@b]", "//a[@b]"), ("no", "'no'"), ("Yes", "'Yes'"), ("on", "'on'"), ("y", "'y'"),
            ("~", "'~'"), ("null", "'null'"), ("", "''"), ("12", "'12'"), ("1.5e3", "'1.5e3'"), ("0x1F", "'0x1F'"),
            ("12:30", "'12:30'"), ("2024-01-01", "'2024-01-01'"), ("a: b", "'a: b'"), ("a:", "'a:'"),
            ("a #b", "'a #b'"),
            ("a#b", "a#b"), ("@id", "'@id'"), ("*", "'*'"), ("&a", "'&a'"), ("!a", "'!a'"), ("%a", "'%a'"),
            ("- a", "'- a'"),
            ("[a]", "'[a]'"), ("{a}", "'{a}'"), ("'a'", "'''a'''"), (" a", "' a'"), ("a ", "'a '"),
            ("a\nb", #""a\nb""#),
            ("\u{1B}\"\\", #""\u001b\"\\""#), ("干货", "干货"), ("<<", "'<<'"), ("=", "'='"), ("...", "'...'"),
            ("-1", "'-1'"), ("a\u{202E}b", #""a\u202eb""#), ("\u{2066}a", #""\u2066a""#),
            ("a\u{200B}", #""a\u200b""#),
            ("a\u{E0041}b", #""a\U000e0041b""#), ("\u{FEFF}a", #""\ufeffa""#), ("é日", "é日"),
            ("0.5", "'0.5'"), ("0th", "0th"), (".", "."),
        ])
    func quoting(text: String, expected: String) throws {
        #expect(YAMLText.scalar(text) == expected)
        let edited = try ConfigurationEditor(text: "").adding(
            source: "a", settings: [SourceSetting("title", .text(text))])
        #expect(edited == "sources:\n  a:\n    title: \(expected)\n")
        _ = try ConfigurationEditor(text: "").adding(
            source: "a", settings: [SourceSetting("command", .list([text, "a, b", "[c", "?"]))])
    }
}
