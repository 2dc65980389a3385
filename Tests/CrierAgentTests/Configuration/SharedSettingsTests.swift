import Synchronization
import Testing

@testable import CrierAgent
@testable import CrierFetch

/// Sources that say the same are read as if each stood alone.
@Suite struct SharedSettingsTests {
    private let top = """
        sinks:
          desk: {kind: stdout}
          file: {path: /tmp/news.jsonl}

        """

    /// Sources as they might follow one another, two or three of each way.
    private let entries = [
        "url: https://a.example/1", "url: https://b.example/2",
        "url: https://a.example/3, first: none", "first: none, url: https://c.example/4",
        "url: https://a.example:8080/5, first: none", "url: 'https://a.example/6', first: \"none\"",
        "url: https://a.example/7, tags: [x, y]", "url: https://a.example/8, tags: [x, y]",
        "url: https://a.example/9, tags: [x]",
        "url: https://a.example/10, to: desk, title: T", "url: https://a.example/11, to: file, title: T",
        "url: https://a.example/12, enabled: false", "url: https://a.example/13, enabled: false",
        "url: https://a.example/14, enabled: true",
        "url: http://127.0.0.1:1/15, every: 1m", "url: http://127.0.0.1:1/16, every: 1m",
        "url: https://a.example/17, headers: {A: b}", "url: https://a.example/18, headers: {A: b}",
        "url: file:///tmp/19, every: 20m", "url: https://a.example/20, every: 20m",
        "url: https://a.example/21, rules: [{when: .title, level: critical}]",
        "url: https://a.example/22, rules: [{when: .title, level: passive}]",
        "command: [a, b]", "command: [a, c]", "url: https://a.example/25, format: json, items: .a, fields: {title: .t}",
        "url: https://a.example/26, format: json, items: .b, fields: {title: .t}",
        "url: https://a.example/27, time-zone: UTC",
        "url: https://a.example/28, time-zone: Asia/Shanghai",
    ]

    @Test func eachIsAsIfItStoodAlone() throws {
        let shared = try configuration(file(entries + entries))
        let alone = try entries.enumerated().map { try configuration(file([$1], from: $0)) }
        for round in [0, entries.count] {
            for (index, alone) in alone.enumerated() {
                var source = try #require(alone.sources.first ?? alone.disabledSources.first)
                source.name = "s\(index + round)"
                let found = alone.sources.isEmpty ? shared.disabledSources : shared.sources
                #expect(found.first { $0.name == source.name } == source, "\(entries[index])")
            }
        }
        #expect(shared.sources.count + shared.disabledSources.count == 2 * entries.count)
    }

    @Test func whatIsMergedIsShared() throws {
        let text = """
            sources:
              a: {url: https://a.example/, <<: &gank {format: json, items: '.results[][]', fields: {title: .t}, first: none}}
              b: {url: https://b.example/, <<: *gank}
              c: {url: https://c.example/, <<: *gank}
              d: {<<: *gank, url: https://d.example/}
              e: {url: https://e.example/, <<: &other {format: json, items: '.other[]', fields: {title: .t}, first: none}}
              f: {url: https://f.example/, <<: *other}
            """
        let sources = try configuration(text).sources
        #expect(sources.map(\.mapping.items) == Array(repeating: ".results[][]", count: 4) + [".other[]", ".other[]"])
        #expect(sources.map(\.address) == "abcdef".map { .url("https://\($0).example/") })
        #expect(Set(sources.map(\.fingerprint)).count == 6 && Set(sources.map(\.host.name)).count == 6)
    }

    @Test func expressionsOfManyAreCheckedOnce() {
        let calls = Mutex(0)
        let lines = (0..<50).map { "  s\($0): {url: https://a.example/\($0), only: .title, tags: [x]}\n" }
        let result = load("sources:\n" + lines.joined()) { _, _ in
            calls.withLock { $0 += 1 }
            return nil
        }
        #expect(result.configuration?.sources.count == 50 && calls.withLock { $0 } == 1)
    }

    @Test func whatIsForTheWebAloneIsRefusedElsewhereWhateverStandsBefore() {
        let text = """
            sources:
              a: {url: https://a.example/, headers: ~}
              b: {url: file:///tmp/b.xml, headers: ~}
              c: {url: https://c.example/, <<: &none {headers: {}}}
              d: {url: file:///tmp/d.xml, <<: *none}
            """
        #expect(problems(text).map { String($0.prefix { $0 != ":" }) } == ["3", "4"])
        #expect(load(text).configuration?.sources.map(\.name) == ["a", "c"])
    }

    @Test func howMuchAFileMayHoldDoesNotDependOnWhatIsShared() {
        let tags = (0..<5000).map { "t\($0)" }.joined(separator: ", ")
        func text(_ variants: Int) -> String {
            let lines = (0..<200).map { number in
                "  s\(number): {url: https://a.example/\(number), title: T\(number % variants), <<: *d}\n"
            }
            return "sources:\n  d: {url: https://a.example/, <<: &d {tags: [\(tags)]}}\n" + lines.joined()
        }
        for variants in [1, 20] {
            let problems = problems(text(variants))
            #expect(problems.count == 1 && problems[0].contains("too many values"), "what was not read is not missing")
        }
    }

    @Test func aProblemIsToldOfEachThatHasIt() {
        let text = """
            sources:
              a: {url: https://a.example/, first: none}
              b: {url: a.example, first: none}
              c: {url: https://c.example/ x, first: none}
              d: {url: ~, first: none}
              e: {url: !x https://e.example/, first: none}
              f: {url: https://f.example/, every: 5m}
              g: {url: https://g.example/, every: 5m}
              h: {url: http://127.0.0.1/, every: 5m}
              i: {url: https://i.example/, every: 5m}
            """
        let lines = problems(text).map { $0.prefix { $0 != ":" } }
        #expect(lines == ["3", "4", "5", "6", "7", "8", "10"])
        #expect(load(text).configuration?.sources.map(\.name) == ["a", "h"])
    }

    @Test func aKeyIsGivenTwiceHoweverManyThereAre() {
        let many = (0..<20).map { "  s\($0): {url: https://a.example/\($0)}" }
        for again in [0, 8, 9, 19] {
            let text = (["sources:"] + many + ["  s\(again): {url: https://b.example/}"]).joined(separator: "\n")
            #expect(
                problems(text)
                    == [#"22:3: sources.s\#(again): the key "s\#(again)" is given twice, first in line \#(again + 2)"#])
        }
    }

    @Test(arguments: [1, 20]) func oneKeyInTwoSpellingsIsGivenTwice(_ count: Int) {
        let others = (0..<count).map { "  s\($0): {url: https://a.example/\($0)}" }
        let spellings = ["caf\u{E9}", "cafe\u{301}"].map { "  \($0): {url: https://b.example/}" }
        let text = (["sources:"] + spellings.prefix(1) + others + spellings.suffix(1)).joined(separator: "\n")
        #expect(
            problems(text) == [
                "\(count + 3):3: sources.caf\u{E9}: the key \"caf\u{E9}\" is given twice, first in line 2"
            ])
        #expect(load(text).configuration?.sources.map(\.name) == (0..<count).map { "s\($0)" })
    }

    @Test func aKeyThatIsLeftOutTakesWhatItHoldsWithIt() {
        let text = """
            sources:
              a: {url: https://a.example/, tags: [x, y], tags: [[{z: 1}], *none]}
              b: {url: https://b.example/, tags: [x, y]}
            """
        #expect(problems(text).count == 1)
        let known = text.replacing(", *none", with: "")
        #expect(problems(known) == [#"2:46: sources.a: the key "tags" is given twice, first in line 2"#])
        #expect(load(known).configuration?.sources.map(\.tags) == [["x", "y"]])
    }

    @Test func anAliasFindsWhatStandsInALeftOutValue() {
        let text = """
            sources:
              a: {url: https://a.example/, tags: [x], tags: &t [y]}
              b: {url: https://b.example/, tags: *t}
            """
        #expect(problems(text).count == 1)
        #expect(load(text).configuration?.sources.map(\.tags) == [["y"]])
    }

    @Test(arguments: [
        "only: &o 'TEXT'|only: *o", "<<: &d {only: 'TEXT'}|<<: *d", "only: &o 'TEXT', first: all|only: *o",
    ])
    func whatAliasesRepeatIsHeldOnce(_ settings: String) throws {
        let filter = #".title | test("a text that is longer than a word")"#
        let settings = settings.split(separator: "|").map { $0.replacing("TEXT", with: filter) }
        let entries = (0..<4).map { number in
            "url: https://a.example/\(number), title: t\(number), \(settings[min(number, 1)])"
        }
        let sources = try #require(load(file(entries)).configuration).sources
        #expect(sources.map(\.only) == Array(repeating: filter, count: 4))
        let places = sources.map { source in
            source.only?.utf8.withContiguousStorageIfAvailable { $0.baseAddress }
        }
        #expect(Set(places).count == 1)
    }

    /// - Parameter number: That of the first.
    private func file(_ entries: [String], from number: Int = 0) -> String {
        top + "sources:\n" + entries.enumerated().map { "  s\($0 + number): {\($1)}\n" }.joined()
    }
}
