import Testing

import struct Foundation.TimeZone

@testable import CrierAgent

@Suite("One broken place does not hide the rest of a configuration")
struct ConfigurationRecoveryTests {
    @Test func everyProblemIsToldInFileOrder() {
        let text = """
            tme-zone: UTC
            sinks:
              desktop: {iccon: x}
            sources:
              b: {url: "https://h/", every: 60s, notify: weekly}
              a: {format: html, command: [x]}
              c: {url: "https://h/", to: [team]}
              d: {url: "https://h/", format: json, items: .a}
            """
        #expect(
            problems(text) == [
                #"1:1: unknown key "tme-zone"; did you mean "time-zone"?"#,
                #"3:13: sinks.desktop: unknown key "iccon"; did you mean "icon"?"#,
                #"5:33: sources.b.every: "1m" is too often for somebody else's server; expected at least 15m"#,
                #"5:46: sources.b.notify: "weekly" is not known here; expected each, daily or none"#,
                #"6:3: sources.a: format html needs "items"; expected an XPath expression such as //article"#,
                #"6:3: sources.a: format html needs "fields" with a title; expected fields: {title: XPATH}"#,
                #"7:31: sources.c.to: there is no sink "team"; expected desktop"#,
                #"8:3: sources.d: format json needs "fields"; expected fields: {title: JQ}, or format: json-feed"#,
            ])
    }

    @Test func theGoodSourcesRemain() throws {
        let result = load(
            """
            sources:
              a: {url: "https://h/a"}
              b: {url: nowhere}
              c: {url: "https://h/c"}
              d: {url: "https://h/d", every: 1s, enabled: false}
            """)
        let configuration = try #require(result.configuration)
        #expect(configuration.sources.map(\.name) == ["a", "c"])
        #expect(configuration.disabledSources == [])
        #expect(result.problems.map(\.source) == ["b", "d"])
    }

    @Test(
        "a problem outside the sources is fatal",
        arguments: [
            "x: 1", "time-zone: CST", "sinks: {a: {kind: b}}", "sources: []", "sources: {a: {url: \"file:///x\"",
        ])
    func fatal(text: String) {
        let result = load(text)
        #expect(result.configuration == nil)
        #expect(result.problems.count == 1)
        #expect(result.problems.first?.source == nil)
    }

    @Test func aDuplicateKeySpoilsItsSourceOnly() throws {
        let result = load(
            """
            sources:
              a:
                url: https://h/a
                every: 1h
                # twice
                "every": 2h
              b:
                url: https://h/b
                fields:
                  title: x
                  title: y
                titel: z
              c:
                url: https://h/c
              a:
                url: https://h/other
            """)
        #expect(
            result.problems.map(\.description) == [
                #"c.yaml:6:5: sources.a: the key "every" is given twice, first in line 4"#,
                #"c.yaml:9:5: sources.b.fields: a feed says itself where its items are; expected format: json, html or xml beside it"#
                    .replacing("9:5", with: "10:7"),
                #"c.yaml:11:7: sources.b: the key "title" is given twice, first in line 10"#,
                #"c.yaml:12:5: sources.b: unknown key "titel"; did you mean "title"?"#,
                #"c.yaml:15:3: sources.a: the key "a" is given twice, first in line 2"#,
            ])
        #expect(try #require(result.configuration).sources.map(\.name) == ["c"])
    }

    @Test func aDuplicateKeyInBracesSpoilsItsSourceOnly() throws {
        let result = load(
            """
            sources:
              a: {url: "https://h/a", every: 1h, every: 2h}
              b: {url: "https://h/b"}
            """)
        #expect(
            result.problems.map(\.description) == [
                #"c.yaml:2:38: sources.a: the key "every" is given twice, first in line 2"#
            ])
        #expect(try #require(result.configuration).sources.map(\.name) == ["b"])
    }

    @Test func manyDuplicateKeysAreFatal() {
        let text = "sources:\n  a:\n    url: https://h/a\n" + String(repeating: "    every: 1h\n", count: 102)
        #expect(problems(text) == [#"4:5: the key "every" is given twice"#])
    }

    @Test func aDuplicateKeyElsewhereIsFatal() {
        let text = "time-zone: UTC\nsinks:\n  stdout: {}\nsources:\n  a: {url: \"https://h/\"}\ntime-zone: GMT\n"
        #expect(problems(text) == [#"6:1: the key "time-zone" is given twice, first in line 1"#])
        #expect(load(text).configuration == nil)
    }

    @Test func expressionsAreValidatedWhereTheyStand() {
        let text = """
            sources:
              api:
                url: https://h/
                format: json
                items: .a[
                fields:
                  title: .t
                  url: .u(
                when: .ok ==
                only: .title |
              page:
                url: https://h/
                format: html
                items: //[
                fields: {title: h2}
              feed: {url: "https://h/"}
            """
        let bad = [".a[", ".u(", ".ok ==", ".title |", "//["]
        let found = load(text) { language, text in bad.contains(text) ? "\(language) says no" : nil }
        #expect(
            found.problems.map(\.description) == [
                "c.yaml:5:12: sources.api.items: jq says no; expected a valid jq expression",
                "c.yaml:8:12: sources.api.fields.url: jq says no; expected a valid jq expression",
                "c.yaml:9:11: sources.api.when: jq says no; expected a valid jq expression",
                "c.yaml:10:11: sources.api.only: jq says no; expected a valid jq expression",
                "c.yaml:14:12: sources.page.items: xpath says no; expected a valid XPath expression",
            ])
        #expect(found.configuration?.sources.map(\.name) == ["feed"])
    }

    @Test func noExpressionIsHiddenByAnotherMistakeOfItsSection() {
        let text = """
            rules:
              - {when: .r1bad, levle: critical}
              - {when: .r2bad}
            digests:
              morning: {at: noon, only: .dbad}
            sources:
              api:
                url: https://h/
                format: json
                every: often
                only-on: [wifi, cable]
                items: .abad
                fields:
                  titel: .tbad
                  url: .ubad
                rules:
                  - {when: .s1bad, skip: maybe}
                  - {when: .s2bad, to: nowhere}
              page:
                url: https://h/
                format: html
                items: //bad
                fields: {titel: h2bad}
            """
        let found = load(text) { language, text in text.hasSuffix("bad") ? "\(language) says no" : nil }.problems
        let places = found.map { "\($0.position.line) \($0.path)" }
        #expect(
            places == [
                "2 rules.when", "2 rules", "3 rules.when", "5 digests.morning.at", "5 digests.morning.only",
                "10 sources.api.every", "11 sources.api.only-on", "11 sources.api.only-on", "12 sources.api.items",
                "14 sources.api.fields", "14 sources.api.fields.titel", "15 sources.api.fields.url",
                "17 sources.api.rules.when", "17 sources.api.rules.skip", "18 sources.api.rules.when",
                "18 sources.api.rules.to", "22 sources.page.items", "23 sources.page.fields",
                "23 sources.page.fields.titel",
            ])
    }

    @Test func aFileThatIsNotUTF8SaysFromWhere() {
        let bytes = Array("sources:\n  ä: ".utf8) + [0xFC, 0x0A]
        let result = Configuration.load(bytes: bytes, file: "c.yaml", machineTimeZone: .gmt)
        #expect(
            result.problems.map(\.description) == [
                "c.yaml:2:6: the file is not UTF-8 from here on; expected a file saved with the encoding UTF-8"
            ])
        #expect(result.configuration == nil)
    }

    @Test func keysOfTheUsersOwnAreAPlaceForAnchors() throws {
        let text = """
            x-often: &often
              every: 2h
              first: none
            x-notes: [anything, {at: all}]
            sources:
              a: {url: "https://h/a", <<: *often}
              b: {url: "https://h/b", <<: *often, first: all}
            """
        let sources = try configuration(text).sources
        #expect(sources.map(\.every) == [.seconds(7200), .seconds(7200)])
        #expect(sources.map(\.first) == [.none, .all])
        // Nowhere else, and no other beginning.
        #expect(problems("sources: {a: {url: \"https://h/\", x-a: 1}}\nX-b: 1\nx: 2\n").count == 3)
        let edited = try ConfigurationEditor(text: text).removing(source: "b")
        #expect(try configuration(edited).sources.map(\.name) == ["a"])
    }

    @Test func anAliasStandsForItsAnchor() throws {
        let read = try configuration(
            """
            sources:
              a: &common
                url: https://h/a
                every: 2h
                title: both
              b:
                <<: *common
                url: https://h/b
              c: *common
            """)
        #expect(read.sources.map(\.address) == [.url("https://h/a"), .url("https://h/b"), .url("https://h/a")])
        #expect(read.sources.map(\.every) == [.seconds(7200), .seconds(7200), .seconds(7200)])
        #expect(read.sources.map(\.title) == ["both", "both", "both"])
    }

    @Test func aliasesOfAliasesAreBounded() {
        var value = "a: &a0 {x: y}\n"
        for level in 1...40 {
            value += "a\(level): &a\(level) {<<: [*a\(level - 1), *a\(level - 1), *a\(level - 1)]}\n"
        }
        let asValue = problems(value + "sources:\n  <<: *a40\n")
        #expect(asValue.contains { $0.hasSuffix("too many values; expected fewer aliases") })
        let asKey = problems(value + "? *a40\n: 1\n? *a40\n: 2\n")
        #expect(asKey == ["42:3: a key that is not text; expected KEY: VALUE"])
    }

    @Test func deepNestingAndLongFilesAreRefused() {
        let deep = problems(String(repeating: "[", count: 20_000))
        #expect(deep.count == 1)
        #expect(deep.first?.hasSuffix("nested too deep") == true)
        #expect(problems(String(repeating: "# long\n", count: 2_500_000)) == ["1:1: the file is longer than 16 MiB"])
    }

    @Test func manySourcesMayHaveTheirSettingsFromOneAnchor() throws {
        let first = "sources:\n  s0: &all {url: \"https://h/0\", every: 2h, title: t, first: none, notify: daily}\n"
        let lines = (1..<12_000).map { "  s\($0): {url: \"https://h/\($0)\", <<: *all}\n" }
        let read = try configuration(first + lines.joined())
        #expect(read.sources.count == 12_000)
        #expect(read.sources.allSatisfy { $0.title == "t" && $0.every == .seconds(7200) })
    }

    @Test func placesAreCountedInCharactersBesideAliases() {
        let found = problems("sources:\n  a: &x {url: \"https://h/ä\"}\n  ä: {title: 干货, <<: *x, evry: 2h}\n")
        #expect(found.first?.hasPrefix("3:26: sources.ä: unknown key") == true, "\(found)")
        #expect(problems("é: 1\n干货: [a, *b]: 2\n").first?.hasPrefix("2:") == true)
    }

    @Test func manySourcesAreRead() throws {
        let lines = (0..<3000).map { "  s\($0): {url: \"https://h\($0).example/feed\", every: 2h}\n" }
        #expect(try configuration("sources:\n" + lines.joined()).sources.count == 3000)
    }

    @Test func whatIsEchoedCannotDriveATerminal() {
        let text = #"sources: {a: {url: "https://h/", notify: "\e[31m\#(String(repeating: "x", count: 100))"}}"#
        let line = problems(text).first ?? ""
        #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        #expect(line.contains("…"))
    }
}
